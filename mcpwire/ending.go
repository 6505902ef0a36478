package mcpwire

import "time"

// End says that the front's input has ended (T21). Answers that still come are
// written, also those that come after the requests were cancelled.
func (s *Session) End(now time.Time, out *Steps) {
	c := s.core
	c.ending = true
	c.listen.inputEnded(out)
	c.unasked(out)
	c.leaveStreams(now, out)
	switch {
	case c.table.used() == 0:
	case c.patience <= 0: // E06
		c.drain(now, out)
	default:
		out.arm(Timer{TimerID{Kind: TimerDrain}, now.Add(c.patience)})
	}
	c.endWhenIdle(out)
}

// drain cancels what is still in flight a while after the end of the input.
// What waits for the front, or to go upstream again, has nothing to wait for.
func (c *core) drain(now time.Time, out *Steps) {
	if c.ended {
		return
	}
	unanswered := 0
	c.table.each(func(s *slot) {
		switch {
		case s.phase == phaseAnswering && s.listing == nil: // the answer is on its way
			return
		case s.phase == phaseWaiting:
			c.abandonRequest(s, nil, out)
			if c.overHTTP() { // no answer can come any more
				c.done(now, s, "", out)
				break
			}
			c.untimed(s, out)
			s.quiet = true
		default:
			c.done(now, s, "", out)
		}
		unanswered++
	})
	c.listen.stop(out)
	if unanswered > 0 {
		out.log(Event{Kind: EventUnanswered, Rule: "T21", Count: unanswered})
	}
	c.ended = true
	out.EndUpstream = true
}

// endWhenIdle ends the upstream's input once the front's has ended and nothing is in
// flight. It is called at the end of every entry.
func (c *core) endWhenIdle(out *Steps) {
	c.gather(out)
	if !c.ending || c.ended || c.table.used() > 0 {
		return
	}
	c.listen.stop(out)
	c.ended = true
	out.EndUpstream = true
	out.disarm(TimerID{Kind: TimerDrain})
}
