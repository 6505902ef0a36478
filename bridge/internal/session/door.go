package session

import (
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/lane"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// enter calls the protocol state and carries out those of its steps that must be
// carried out before anybody else calls it.
func (s *Session) enter(steps *mcpwire.Steps, call func(now time.Time, out *mcpwire.Steps)) time.Time {
	s.mu.Lock()
	now := time.Now()
	done := false
	defer func() {
		s.shut = s.shut || !done // a panic is on its way
		s.mu.Unlock()
	}()
	if !s.shut {
		call(now, steps)
		s.carryOut(steps)
	}
	done = true
	return now
}

func (s *Session) carryOut(steps *mcpwire.Steps) {
	cancel(s.front, steps.Withdraw)
	for i := range steps.ToFront {
		s.front.Append(&steps.ToFront[i])
	}
	for i := range steps.ToUpstream {
		s.up.Append(&steps.ToUpstream[i])
	}
	cancel(s.up, steps.Cancel)
	s.timers.set(steps.Arm, steps.Disarm)
}

// cancel takes the requests back that the frames name, or appends the frames.
func cancel(l *lane.Lane, frames []mcpwire.Frame) {
	for i := range frames {
		if f := &frames[i]; !l.TakeBack(f.Exchange) {
			f.Exchange = 0 // the cancellation itself is not to be taken back
			l.Append(f)
		}
	}
}

// batch is the number of waiting bytes at which a reader flushes although it has
// more lines to read.
const batch = 64 << 10

// An entrant is one goroutine's way through the door.
type entrant struct {
	s             *Session
	steps         mcpwire.Steps
	toFront, toUp bool // lines were appended and not flushed
}

func (s *Session) newEntrant() *entrant { return &entrant{s: s} }

// do enters with call, and then does what the steps ask for outside the door.
func (e *entrant) do(call func(now time.Time, out *mcpwire.Steps)) {
	e.steps.Reset()
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
func (e *entrant) outside(now time.Time) {
	e.toFront = e.toFront || len(e.steps.ToFront) > 0 || len(e.steps.Withdraw) > 0
	e.toUp = e.toUp || len(e.steps.ToUpstream) > 0 || len(e.steps.Cancel) > 0
	for i := range e.steps.Log {
		e.s.tell(now, &e.steps.Log[i])
	}
	if e.steps.EndUpstream {
		e.flush(false)
		e.s.endInput()
	}
}

// tell writes the line of an event.
func (s *Session) tell(now time.Time, ev *mcpwire.Event) {
	if s.Upstream == nil && ev.Kind == mcpwire.EventInitializeFailed {
		return // the line about the start says more
	}
	s.events.Write(now, ev)
}

// flush writes what was appended. If more lines wait to be read, it does so only
// when much has gathered.
func (e *entrant) flush(more bool) {
	if e.toFront && e.due(e.s.front, more) {
		e.toFront = false
		e.s.front.Flush()
		e.checkFront()
	}
	if e.toUp && e.due(e.s.up, more) {
		e.toUp = false
		e.s.up.Flush()
		e.checkBacklog()
	}
}

func (e *entrant) due(l *lane.Lane, more bool) bool { return !more || l.Waiting() >= batch }

// lost says that the upstream is lost, and writes what follows from it.
func (e *entrant) lost(c mcpwire.Cause) {
	e.do(func(now time.Time, out *mcpwire.Steps) { e.s.wire.Lost(now, c, out) })
	e.flush(false)
	e.s.lost.send()
}
