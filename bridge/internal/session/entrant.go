package session

import (
	"log/slog"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// An Entrant is one goroutine's way through the door. By its exported methods an
// [Upstream] hands over what the server says.
type Entrant struct {
	s             *Session
	steps         mcpwire.Steps
	toFront, toUp bool // lines were appended and not flushed
}

// NewEntrant returns an Entrant for one goroutine.
func (s *Session) NewEntrant() *Entrant { return &Entrant{s: s} }

// Wait returns when the client takes what it gets, which an upstream waits for before
// it reads on.
func (e *Entrant) Wait() { e.s.front.Wait() }

// Message hands over a message of the server, which need not be valid any more when
// Message returns. ex is the request whose response carried it, and zero if the server
// has one stream for all.
func (e *Entrant) Message(ex mcpwire.Exchange, m *jsonrpc.Message) {
	e.do(func(now time.Time, out *mcpwire.Steps) { e.s.wire.FromUpstream(now, ex, m, out) })
}

// BadLine hands over a line of the server that is no message.
func (e *Entrant) BadLine(bad *jsonrpc.LineError) {
	e.do(func(now time.Time, out *mcpwire.Steps) { e.s.wire.BadLine(now, mcpwire.Upstream, bad, out) })
}

// BadEvent hands over what is no message, but an event in the response to the request ex,
// or on a stream for all.
func (e *Entrant) BadEvent(ex mcpwire.Exchange, bad *jsonrpc.LineError) {
	if ex == 0 {
		e.BadLine(bad)
		return
	}
	e.do(func(now time.Time, out *mcpwire.Steps) { e.s.wire.BadEvent(now, ex, bad, out) })
}

// Failed says that the request ex has ended by f, alone.
func (e *Entrant) Failed(ex mcpwire.Exchange, f *mcpwire.Failure) {
	e.do(func(now time.Time, out *mcpwire.Steps) { e.s.wire.Failed(now, ex, *f, out) })
}

// Extend says that the request ex waits for a person, for so long at most.
func (e *Entrant) Extend(ex mcpwire.Exchange, by time.Duration) {
	e.do(func(_ time.Time, out *mcpwire.Steps) { e.s.wire.Extend(ex, by, out) })
}

// SignedIn says that a sign-in has succeeded, and that requests go out with its token.
func (e *Entrant) SignedIn() { e.do(e.s.wire.SignedIn) }

// Lost says that the server is lost with everything that it was asked, and writes what
// follows from it.
func (e *Entrant) Lost(c mcpwire.Cause) {
	e.do(func(now time.Time, out *mcpwire.Steps) { e.s.wire.Lost(now, c, out) })
	e.Flush(false)
	e.s.lost.send()
}

// GiveUp is Lost for a server that is given up because of what it does. Text says so to
// a person.
func (e *Entrant) GiveUp(c mcpwire.Cause, text string) {
	s := e.s
	if s.givenUp.Swap(true) {
		return
	}
	s.say(slog.LevelError, text)
	e.Lost(c)
}

// Flush writes what came of what was handed over. If more waits to be read, it does so
// only when much has gathered.
func (e *Entrant) Flush(more bool) {
	if e.toFront && due(e.s.front, more) {
		e.toFront = false
		e.s.front.Flush()
		e.checkFront()
	}
	if e.toUp && due(e.s.up, more) {
		e.toUp = false
		e.s.up.Flush()
	}
}

// batch is the number of waiting bytes at which a reader flushes although it has
// more lines to read.
const batch = 64 << 10

func due(w interface{ Waiting() int }, more bool) bool { return !more || w.Waiting() >= batch }

// do enters with call, and then does what the steps ask for outside the door. Afterwards
// the steps are empty: who waits for long must not hold the last message.
func (e *Entrant) do(call func(now time.Time, out *mcpwire.Steps)) {
	defer e.steps.Reset()
	now := e.s.enter(&e.steps, call)
	for {
		e.outside(now)
		shape := e.steps.Shape
		if shape == nil {
			return
		}
		shape.Run()
		e.steps.Reset()
		now = e.s.enter(&e.steps, func(now time.Time, out *mcpwire.Steps) {
			e.s.wire.Shaped(now, shape, out)
		})
	}
}

// outside does what the steps ask for outside the door, except the shape.
func (e *Entrant) outside(now time.Time) {
	e.toFront = e.toFront || len(e.steps.ToFront) > 0 || len(e.steps.Withdraw) > 0
	e.toUp = e.toUp || len(e.steps.ToUpstream) > 0 || len(e.steps.Cancel) > 0
	if e.steps.Initialized && e.s.Initialized != nil {
		e.s.Initialized(e.steps.CanAsk)
	}
	for i := range e.steps.Log {
		e.s.tell(now, &e.steps.Log[i])
	}
	if e.steps.EndUpstream {
		e.Flush(false)
		e.s.up.End()
	}
}

// tell writes the line of an event.
func (s *Session) tell(now time.Time, ev *mcpwire.Event) {
	if s.Upstream == nil && ev.Kind == mcpwire.EventInitializeFailed {
		return // the line about the start says more
	}
	s.events.Write(now, ev)
}

// checkFront ends the session of a client that goes on sending but does not read
// what it gets. What the upstream sends cannot gather like that: it is not read.
func (e *Entrant) checkFront() {
	if s := e.s; s.front.Waiting() > s.Untaken {
		s.leaveClient()
	}
}

func (s *Session) leaveClient() {
	if !s.closing.Load() && s.frontLost.send() {
		s.say(slog.LevelError, "the client does not read what it gets")
	}
}
