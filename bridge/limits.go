package bridge

import (
	"fmt"
	"math"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Limits bound time and memory. A zero field means its default, a negative one of
// this package is an error; none can be infinite.
type Limits struct {
	// Limits are those of the protocol. Of them Held has another default here: twice
	// Line.
	mcpwire.Limits

	// Line bounds one line of either side in bytes, at most 512 MiB. If zero, it is
	// 64 MiB.
	Line int

	// Depth bounds the nesting of a line of the client; the message itself is level 1. It
	// is at most 512. If zero, it is 64 levels. Lines of the server may always have 512.
	Depth int

	// Grace is the time that the client, the server and its process group get to
	// do what they were asked to at the end: to take the last answers, to end
	// after the end of input, to end after SIGTERM. If zero, it is 2 seconds.
	Grace time.Duration

	// Backlog bounds the bytes that wait for the server behind the message that is
	// being written, at most 512 MiB. A server that lets more wait is taken for
	// lost, unless it waits for a client that reads slowly. A client that goes on
	// sending though it reads nothing may let twice Line more wait, in either
	// direction; then its session ends as if it had closed its end. If zero,
	// Backlog is 16 MiB.
	Backlog int

	// JunkBefore and Junk bound the lines in a row that are no message: before and
	// after the first message of the server. The server that writes the last one
	// is taken for lost. If zero, they are 200 and 10.
	JunkBefore, Junk int
}

// The defaults of [Limits].
const (
	defaultLine       = 64 << 20 // bytes
	defaultDepth      = 64       // levels
	defaultGrace      = 2 * time.Second
	defaultBacklog    = 16 << 20 // bytes
	defaultJunkBefore = 200      // lines
	defaultJunk       = 10       // lines
	heldLines         = 2        // lines of the greatest length that Held has room for
)

// mostBytes is the most that Line and Backlog can be: sums of them must not overflow
// where an int has 32 bits.
const (
	mostBytes = 512 << 20
	mostText  = "512 MiB"
)

// withDefaults returns l with each default of this package in its place.
func (l Limits) withDefaults() Limits {
	l.Line = or(l.Line, defaultLine)
	l.Depth = or(l.Depth, defaultDepth)
	l.Grace = or(l.Grace, defaultGrace)
	l.Backlog = or(l.Backlog, defaultBacklog)
	l.JunkBefore = or(l.JunkBefore, defaultJunkBefore)
	l.Junk = or(l.Junk, defaultJunk)
	l.Held = or(l.Held, heldLines*l.Line)
	return l
}

func or[T int | time.Duration](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// check refuses limits that are a mistake, not a wish for the default.
func (l Limits) check() error {
	for _, f := range []struct {
		name        string
		value, most int64
		text        string // of most
	}{
		{"Line", int64(l.Line), mostBytes, mostText},
		{"Depth", int64(l.Depth), maxDepth, fmt.Sprint(maxDepth, " levels")},
		{"Grace", int64(l.Grace), math.MaxInt64, ""},
		{"Backlog", int64(l.Backlog), mostBytes, mostText},
		{"JunkBefore", int64(l.JunkBefore), math.MaxInt64, ""},
		{"Junk", int64(l.Junk), math.MaxInt64, ""},
	} {
		if f.value < 0 {
			return fmt.Errorf("bridge: Limits.%s is negative", f.name)
		}
		if f.value > f.most {
			return fmt.Errorf("bridge: Limits.%s is over %s", f.name, f.text)
		}
	}
	return nil
}
