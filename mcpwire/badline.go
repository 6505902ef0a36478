package mcpwire

import (
	"strconv"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// badFront answers a bad line of the front, which may be the first that selects (E02).
func (s *Session) badFront(now time.Time, e *jsonrpc.LineError, out *Steps) {
	if first, ok := s.pair.(*selecting); ok {
		next := first.badLine(e, out)
		if next == nil {
			return
		}
		s.pair = next
	}
	s.core.badFront(now, s.pair.absent(), e, out)
}

// badFront answers a bad line of the front with the id that could be recovered
// (T3, T4). The id of a request in flight is left out: its sender would take the
// error for the answer to that request.
func (c *core) badFront(now time.Time, absent absentID, e *jsonrpc.LineError, out *Steps) {
	cause := causeOfFault(e.Fault)
	if !e.Method { // T126; an answer whose result is undefined in JavaScript has none
		if a := c.questions.takeOwn(e.ID); a != nil {
			out.consent(a, Unanswered)
			return
		}
		if s, q := c.questions.take(e.ID); s != nil {
			c.fails(now, s, q, CauseInputFailed, out)
			return
		}
		if c.inquiries.bad(e.ID, out) {
			return
		}
	}
	switch {
	case e.Response:
		out.log(Event{Kind: EventDropped, Rule: "T6"})
	case len(e.ID) == 0 || c.table.ofFront(e.ID) != nil:
		out.failWithout(absent, cause)
		out.log(Event{Kind: EventRefused, Cause: cause})
	default:
		out.fail(e.ID, cause)
		out.log(Event{Kind: EventRefused, Cause: cause})
	}
}

func causeOfFault(f jsonrpc.Fault) Cause {
	switch f {
	case jsonrpc.FaultSyntax:
		return CauseParseError
	case jsonrpc.FaultTooLong:
		return CauseTooLarge
	case jsonrpc.FaultTooDeep:
		return CauseTooDeep
	default:
		return CauseInvalidRequest
	}
}

// badUpstream drops a bad line of the upstream; the request that it names fails
// (T1). A line with a method was no answer: its id is of another space (T5).
func (s *Session) badUpstream(now time.Time, e *jsonrpc.LineError, out *Steps) {
	c := s.core
	out.log(Event{Kind: EventDropped, Rule: "T1"})
	n, err := strconv.ParseUint(string(e.ID), 10, 32)
	if err != nil || e.Method {
		return
	}
	sl := c.table.ofUpstream(Exchange(n))
	switch {
	case c.listen.owns(Exchange(n)):
		c.listen.ended(now, Exchange(n), loss{}, out)
	case sl == nil || sl.phase != phaseWaiting:
	case sl.own():
		s.pair = s.pair.upstreamFailed(now, sl, &Failure{Cause: CauseInvalidUpstreamMessage, Sent: true}, out)
	case e.Fault == jsonrpc.FaultTooLong:
		c.end(now, sl, CauseResponseTooLarge, out)
	default:
		c.violate(now, sl, "T1", out)
	}
}
