package mcpwire

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// legacyOverLegacy is the pair of a front and an upstream that were initialized and speak
// the same revision of 2025-11-25 or before (L3). Requests and results pass as they came,
// but for their ids and what an editor must be kept from (L4); so do the requests of the
// upstream (see inquiries).
type legacyOverLegacy struct {
	core     *core
	features feature // what the upstream declared
	tasks    bool    // it has those of 2025-11-25 (L7)
	walks    walks
	running  []runningTask // whose progress goes on
	logs     *rate.Limiter // of log messages to the front (N04)

	initialized bool              // the front has said so (T12)
	early       feature           // list changes that came before that (F15)
	hello       []byte            // the params of initialize, to open the session anew (L10)
	reopening   *slot             // of the initialize that does so; nil if there is none
	watched     map[string]string // URIs that the front is subscribed to: as listed → as it asked (W21)
}

func (p *legacyOverLegacy) absent() absentID { return p.core.front.absent() }

// frontRequest forwards a request of the front (L7). A second initialize stays here (T12),
// and so does what no revision before 2026-07-28 has.
func (p *legacyOverLegacy) frontRequest(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	c := p.core
	md := p.method(string(c.name))
	switch {
	case string(c.name) == methodInitialize:
		c.refuse(out, CauseAlreadyInitialized)
		return p
	case md == nil:
		c.refuse(out, CauseMethodNotFound)
		return p
	case md.paged && !c.options.Limits.given(m):
		c.refuse(out, CauseInvalidParams)
		return p
	}
	if s := c.open(now, md, m.Len(), out); s != nil {
		meta := readMeta(m)
		p.remember(s, m, &meta)
		p.launch(now, s, m, &meta, out)
	}
	return p
}

// method returns the row of a method that goes upstream, or nil.
func (p *legacyOverLegacy) method(name string) *method {
	if md := passed[name]; md != nil && (md.feature != featureTasks || p.tasks) {
		return md
	}
	return nil
}

// remember keeps what the answer, and what comes before it, will need of the request. Over
// HTTP that is all of it: it may have to go out again.
func (p *legacyOverLegacy) remember(s *slot, m *jsonrpc.Message, meta *frontMeta) {
	s.progress.token = m.AppendSpan(s.progress.token[:0], meta.token)
	if p.core.overHTTP() {
		p.core.table.keep(s, m)
	}
	if s.method.name == methodSetLevel {
		p.core.noteLevel(m)
	}
	if s.method.paged {
		s.page = p.walks.request(s.method.array, m)
	}
}

// launch sends the request of s, unless the session with the upstream is being opened
// anew: then it waits for that.
func (p *legacyOverLegacy) launch(now time.Time, s *slot, m *jsonrpc.Message, meta *frontMeta, out *Steps) {
	if p.reopening != nil {
		s.phase = phaseReopening
		return
	}
	p.pass(s, m, meta, out)
	p.core.limit(now, s, p.core.options.Limits.of(s.method, 0), out)
}

// again sends the request of s once more, which was kept, under a new id.
func (p *legacyOverLegacy) again(now time.Time, s *slot, out *Steps) {
	c := p.core
	m, err := s.request.message()
	if err != nil {
		c.end(now, s, CauseInvalidRequest, out)
		return
	}
	meta := readMeta(m)
	s.phase, s.started = phaseWaiting, now
	c.renew(s, out)
	p.launch(now, s, m, &meta, out)
}

// upstreamResponse passes the response to the request of s on.
func (p *legacyOverLegacy) upstreamResponse(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) pair {
	c := p.core
	if p.reopening == s {
		p.reopened(now, m, out)
		return p
	}
	if m.Error.IsZero() && m.First(m.Result) != '{' {
		c.violate(now, s, "T70", out)
		return p
	}
	h := c.answerTo(s, m)
	if s.method.paged && m.Error.IsZero() {
		p.walks.answer(h, &c.options.Limits)
	}
	c.untimed(s, out) // the answer is here (T51)
	s.phase = phaseAnswering
	s.shape.slot, s.shape.work = s, h
	if h.long() {
		out.Shape = &s.shape
		return p
	}
	h.run()
	p.shaped(now, s, out)
	return p
}

// shaped takes the shape of s back: its answer is written.
func (p *legacyOverLegacy) shaped(now time.Time, s *slot, out *Steps) {
	c, h := p.core, &s.shape.answer
	s.phase, s.shape.work = phaseWaiting, nil
	if h.m.Error.IsZero() {
		p.settle(s, h)
		p.noteTask(s, h)
		c.answerShaped(now, s, h, out)
		return
	}
	switch {
	case h.violation != "":
		c.violate(now, s, h.violation, out)
	case h.refusal == refusalURL:
		c.end(now, s, CauseURLElicitation, out)
	default:
		c.inquiries.expect(h.pages)
		c.lastProgress(s, out)
		out.ToFront = append(out.ToFront, Frame{Msg: h.m, Edits: h.list})
		c.done(now, s, "", out)
	}
}

// settle notes what a result has changed: what the front is subscribed to.
func (p *legacyOverLegacy) settle(s *slot, h *answerWork) {
	if !s.method.watches || h.violation != "" {
		return
	}
	if s.method.name == methodUnsubscribe {
		delete(p.watched, string(s.uri))
		return
	}
	if p.watched == nil {
		p.watched = make(map[string]string)
	}
	if len(p.watched) < p.core.options.Limits.URIs {
		p.watched[string(s.uri)] = string(s.frontURI)
	}
}

// upstreamFailed takes the end of the request of s over HTTP by something else than a
// response.
func (p *legacyOverLegacy) upstreamFailed(now time.Time, s *slot, f *Failure, out *Steps) pair {
	switch c := p.core; {
	case p.reopening == s:
		p.reopenFailed(now, f, out)
	case f.InSession && f.Status == statusNotFound:
		p.reopen(now, s, out)
	case f.answers(s.upstream):
		return p.upstreamResponse(now, s, f.Message, out)
	case c.admit(now, s, f, out):
		p.again(now, s, out)
	case c.postpone(now, s, f, out):
	default:
		c.fail(now, s, f, out)
	}
	return p
}

// expired takes the end of what the request of s waited for (T51).
func (p *legacyOverLegacy) expired(now time.Time, s *slot, out *Steps) {
	switch {
	case s.phase == phasePausing:
		p.again(now, s, out)
	case p.reopening == s:
		p.core.abandonRequest(s, nil, out)
		p.reopenFailed(now, &Failure{Cause: CauseTimeout}, out)
	default:
		p.core.timeout(now, s, out)
	}
}

// upstreamRequest takes a request of the upstream. A ping is answered here (T15).
func (p *legacyOverLegacy) upstreamRequest(now time.Time, m *jsonrpc.Message, out *Steps) {
	if m.Is(m.Method, methodPing) {
		p.core.answerUpstream(m.AppendSpan(nil, m.ID), []byte("{}"), out)
		return
	}
	p.core.inquiries.ask(now, m, p.initialized, out)
}

func (p *legacyOverLegacy) frontResponse(now time.Time, m *jsonrpc.Message, out *Steps) {
	p.core.inquiries.answer(now, m, out)
}
