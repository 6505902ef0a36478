package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// core is the state that every pair shares.
type core struct {
	options   Options
	table     *table
	last      Exchange  // the newest id toward the upstream; they are never reused (T5)
	gone      Cause     // why there is no upstream any more
	ending    bool      // the front's input has ended
	ended     bool      // Steps.EndUpstream was given
	front     revision  // of the front, once the session is ready (O9)
	level     level     // of the log messages that the front wants (T146)
	listed    listed    // resources (W21)
	listen    *listener // the stream of notifications; nil before the session is ready
	waiting   int       // bytes that the caller holds
	legacy    bool      // the upstream was initialized: it speaks the front's revision (L3)
	questions questionIndex
	passes    bool          // the front is of 2026-07-28, or may be: its requests are passed on
	patience  time.Duration // for answers after the end of the front's input
	asks      bool          // the front can be asked to open a page (T134)
	batches   []*batch      // of the front, that were not answered yet (O2)
	inquiries *inquiries    // of such an upstream; nil of others
	index     toolIndex     // of tools, over HTTP

	id   []byte // raw id of the request of the front that is being read
	name []byte // its method
}

// read takes the raw id and the method out of a request of the front.
func (c *core) read(m *jsonrpc.Message) {
	if cap(c.id) > maxKept || cap(c.name) > maxKept {
		c.id, c.name = nil, nil
	}
	c.id = m.AppendSpan(c.id[:0], m.ID)
	c.name, _ = m.AppendString(c.name[:0], m.Method)
}

// refuse answers the request that is being read by the error of cause.
func (c *core) refuse(out *Steps, cause Cause, data ...extra) {
	out.fail(c.id, cause, data...)
	method := ""
	if md := methods[string(c.name)]; md != nil {
		method = md.name
	}
	out.log(Event{Kind: EventRefused, Method: method, Cause: cause})
}

// open takes a slot for the request that is being read and gives it an id toward
// the upstream. size is what will be kept of it. Where there is no slot, or no room
// for that, it answers the request and returns nil.
func (c *core) open(now time.Time, md *method, size int, out *Steps) *slot {
	if !c.admits(size, out) {
		return nil
	}
	s := c.table.take(c.id, c.next(), now)
	s.method = md
	return s
}

// admits reports whether there is room for the request that is being read, of which
// size is kept. Where there is none, it answers the request.
func (c *core) admits(size int, out *Steps) bool {
	switch {
	case c.gone != "":
		c.refuse(out, c.gone)
		return false
	case c.table.used() >= c.options.Limits.InFlight, !c.roomFor(size): // T9
		c.refuse(out, CauseBusy)
		return false
	}
	return true
}

// roomFor reports whether so many bytes more may be held.
func (c *core) roomFor(size int) bool {
	return c.waiting+c.table.held+size <= c.options.Limits.Held
}

// limit arms the timer of the request of s.
func (c *core) limit(now time.Time, s *slot, d time.Duration, out *Steps) {
	s.timed, s.due = true, now.Add(d)
	out.arm(Timer{TimerID{TimerRequest, uint32(s.upstream)}, s.due})
}

// timeout ends the request of s because the upstream does not answer it (T18, T51).
// The upstream stays, and can be asked again.
func (c *core) timeout(now time.Time, s *slot, out *Steps) {
	c.abandonRequest(s, nil, out)
	c.end(now, s, CauseTimeout, out)
}

// renew gives the request of s a new id toward the upstream.
func (c *core) renew(s *slot, out *Steps) {
	c.untimed(s, out)
	c.lastProgress(s, out)
	c.table.byUpstream.remove(uint32(s.upstream), s.number)
	s.upstream = c.next()
	c.table.byUpstream.put(uint32(s.upstream), s.number)
}

// next returns an id for a request upstream, which no other has.
func (c *core) next() Exchange {
	c.last++
	return c.last
}

func (c *core) untimed(s *slot, out *Steps) {
	if s.timed {
		s.timed = false
		out.disarm(TimerID{TimerRequest, uint32(s.upstream)})
	}
}

// done ends the request of s, whatever was written for it: every slot is given
// back here. outcome is the cause if an exchange with the upstream failed.
func (c *core) done(now time.Time, s *slot, outcome Cause, out *Steps) {
	c.untimed(s, out)
	s.progress.forget(s.upstream, out)
	c.questions.withdraw(now, s, out)
	switch s.phase {
	case phaseWaiting, phaseAnswering: // else there is no exchange that could end
		out.log(Event{Kind: EventExchange, Method: s.asks(), Round: s.rounds.count + 1, Cause: outcome, Took: now.Sub(s.started)})
	}
	if c.index.lister == s {
		c.wakeCalls(now, false, out)
	}
	c.table.release(s)
}

// end answers the request of s by the error of cause.
func (c *core) end(now time.Time, s *slot, cause Cause, out *Steps, data ...extra) {
	c.lastProgress(s, out)
	out.fail(s.front, cause, data...)
	switch {
	case s.method == &discover, s.method == &opening:
		out.log(Event{Kind: EventInitializeFailed, Method: methodInitialize, Cause: cause, Status: statusIn(data)})
	case cause != CauseInvalidUpstreamMessage: // of which violate tells more
		out.log(Event{Kind: EventRefused, Method: s.method.name, Cause: cause})
	}
	c.done(now, s, cause, out)
}

// violate ends the request of s because the upstream broke its revision (T92).
func (c *core) violate(now time.Time, s *slot, rule string, out *Steps) {
	out.log(Event{Kind: EventViolation, Rule: rule, Method: s.method.name})
	c.end(now, s, CauseInvalidUpstreamMessage, out)
}

// answerShaped writes the result that was shaped for the request of s.
func (c *core) answerShaped(now time.Time, s *slot, h *answerWork, out *Steps) {
	switch {
	case h.violation != "":
		c.violate(now, s, h.violation, out)
	case h.tooMany():
		c.end(now, s, CauseResponseTooLarge, out)
	default:
		c.lastProgress(s, out)
		c.listed.addAll(&h.uris, &c.options.Limits)
		c.index.addAll(h.tools.tools, &c.options.Limits)
		out.Log = append(out.Log, h.events...)
		s.rounds.questions = nil
		s.rounds.complete(out)
		out.ToFront = append(out.ToFront, Frame{Msg: h.m, Edits: h.list})
		c.done(now, s, "", out)
	}
}

// lastProgress writes progress that was held back, before the answer to s.
func (c *core) lastProgress(s *slot, out *Steps) {
	if len(s.progress.held) > 0 {
		out.disarm(TimerID{TimerProgress, uint32(s.upstream)})
		s.progress.release(out)
	}
}
