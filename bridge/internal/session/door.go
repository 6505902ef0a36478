package session

import (
	"time"

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
	if steps.OldTransport {
		s.up.(OverHTTP).OldTransport()
	}
	for i := range steps.ToFront {
		s.front.Append(&steps.ToFront[i])
	}
	for i := range steps.ToUpstream {
		s.up.Append(&steps.ToUpstream[i])
	}
	cancel(s.up, steps.Cancel)
	for _, ex := range steps.Close {
		s.up.(OverHTTP).Over(ex)
	}
	if steps.Stream {
		s.up.(OverHTTP).Stream()
	}
	s.timers.set(steps.Arm, steps.Disarm)
	s.consents.answered(steps.Consents)
}

// A way is where lines go that can be taken back.
type way interface {
	Append(f *mcpwire.Frame)
	TakeBack(ex mcpwire.Exchange) bool
}

// cancel takes the requests back that the frames name, or appends the frames.
func cancel(w way, frames []mcpwire.Frame) {
	for i := range frames {
		if f := &frames[i]; !w.TakeBack(f.Exchange) {
			f.Exchange = 0 // the cancellation itself is not to be taken back
			w.Append(f)
		}
	}
}
