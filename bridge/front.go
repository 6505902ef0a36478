package bridge

import (
	"errors"
	"io"

	"github.com/trestle-mcp/trestle/bridge/internal/front/stdio"
	"github.com/trestle-mcp/trestle/bridge/internal/session"
)

// A Front is the end that faces the client: [Stdio].
type Front interface {
	check() error
	// open puts the front into the parts of a session.
	open(sc *session.Config, limits Limits)
}

// Stdio serves one client on a pair of streams, one message a line.
//
// Run does not close the streams at the end of the input. Where it must end before
// the client does, it makes a blocked Read or Write return by a deadline
// (SetReadDeadline, SetWriteDeadline) or, of a stream that is not a file, by Close,
// if the value has such a method. A blocked Read of a file without deadlines, such
// as os.Stdin, cannot be made to return, except that of a pipe on Windows: its
// goroutine outlives Run.
type Stdio struct {
	// In may be a file that other processes have open too. On Unix systems it may
	// be in either mode, and one of them may change that: Run waits for what comes
	// and leaves the flags alone.
	In io.Reader

	// Out gets lines. One Write can hold several of them, or a part of one; the last
	// line is whole unless Run had to end while the client took nothing.
	//
	// If Out is an [*os.File] of a pipe or a socket, then on Linux, macOS and
	// FreeBSD no write to it blocks, the flags of its descriptor are left alone, and
	// the session ends as soon as nobody can read it any more. In every other case,
	// on Windows too, only the next write finds that out. On other Unix systems a
	// write to os.Stdout ends the process with SIGPIPE when nobody reads any more,
	// unless the program asks for that signal (os/signal).
	Out io.Writer
}

func (s Stdio) check() error {
	if s.In == nil || s.Out == nil {
		return errors.New("bridge: Stdio needs In and Out")
	}
	return nil
}

func (s Stdio) open(sc *session.Config, limits Limits) {
	sc.Front = stdio.New(s.In, limits.Line, limits.Depth)
	sc.Out = s.Out
}
