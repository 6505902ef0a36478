package mcpwire

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// legacyOverModern is the pair of a front of 2025-11-25 or before and an upstream of
// 2026-07-28. It serves the states "ready" and "initialized" of T12: a request is
// served as soon as the result of initialize is written.
type legacyOverModern struct {
	core     *core
	meta     []byte     // see hello
	can      capability // of the front
	features feature    // what the upstream declared and the bridge carries
	walks    walks
	logs     *rate.Limiter // of log messages to the front (N04)
	asks     *rate.Limiter // of questions to the front (I13)

	initialized bool // the front has said so (T12)
	noModel     bool // sampling was refused, and is not asked for any more (I15)
}

// upstreamRequest drops a request: a server of 2026-07-28 sends none (T7).
func (p *legacyOverModern) upstreamRequest(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T7"})
}

func (p *legacyOverModern) absent() absentID { return p.core.front.absent() }

// frontNotification carries cancellations. The rest has no counterpart upstream
// (T22, T144, T147, T148).
func (p *legacyOverModern) frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	switch {
	case m.Is(m.Method, methodCancelled):
		p.core.cancelledByFront(now, m, out)
	case !m.Is(m.Method, methodInitialized):
		out.log(Event{Kind: EventDropped, Rule: "T148"})
	case !p.initialized:
		p.initialized = true
		p.core.initialized(p.can, out)
		p.core.listen.initialized(now, out)
		p.sendToAsk(now, out)
	}
	return p
}

// upstreamNotification carries progress, log messages and events, and drops the
// rest (W04). Where it names a stream, it is neither progress nor a log message
// (T143, T145); over HTTP that is where it comes on one, or after an answer.
func (p *legacyOverModern) upstreamNotification(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	if p.isLong(m) {
		rule := "T145"
		if m.Is(m.Method, methodMessage) {
			rule = "N04"
		}
		out.log(Event{Kind: EventDropped, Rule: rule})
		return
	}
	id := subscriptionID(m)
	free := id.IsZero()
	if ex != 0 {
		free = p.core.isOpen(ex) && !p.core.listen.owns(ex)
	}
	switch {
	case m.Is(m.Method, methodProgress) && free:
		p.core.onProgress(now, ex, m, out)
	case m.Is(m.Method, methodMessage) && free:
		p.logMessage(now, m, out)
	case p.core.listen.onNotification(now, ex, m, id, out):
	default:
		out.log(Event{Kind: EventDropped, Rule: "T145"})
	}
}

// isLong reports whether a notification of the upstream is too long to be read, which
// is done inside the caller's lock, as often as the upstream likes (N04). The
// acknowledgement that is awaited repeats what was asked for.
func (p *legacyOverModern) isLong(m *jsonrpc.Message) bool {
	limits := &p.core.options.Limits
	over := m.Len() - limits.Notification
	if p.core.listen.stage == stageOpening && m.Is(m.Method, methodAcknowledged) {
		return isLonger(over, limits.URIBytes)
	}
	return over > 0
}

// frontRequest forwards a request of the front. What is no row of T50, or belongs
// to a feature that was not declared (T33), stays here, and so does a second
// initialize (T12): the session is never rebuilt.
func (p *legacyOverModern) frontRequest(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	c := p.core
	switch name := string(c.name); {
	case name == methodInitialize:
		c.refuse(out, CauseAlreadyInitialized)
		return p
	case name == methodSetLevel && p.features&featureLogging != 0:
		c.setLevel(m, out)
		return p
	}
	md := methods[string(c.name)]
	if md == nil || p.features&md.feature == 0 {
		c.refuse(out, CauseMethodNotFound)
		return p
	}
	kept, ok := keptParams(m, md)
	if !ok || md.paged && !c.options.Limits.given(m) {
		c.refuse(out, CauseInvalidParams)
		return p
	}
	if md.watches {
		c.listen.change(now, m, md, out)
		return p
	}
	if s := c.open(now, md, m.Len(), out); s != nil {
		meta := readMeta(m)
		p.remember(s, m, &meta)
		p.launch(now, s, m, &kept, &meta, out)
	}
	return p
}

// remember keeps what the answer, and what comes before it, will need of the
// request.
func (p *legacyOverModern) remember(s *slot, m *jsonrpc.Message, meta *frontMeta) {
	s.progress.token = m.AppendSpan(s.progress.token[:0], meta.token)
	p.core.table.keep(s, m)
	if s.method.paged {
		s.page = p.walks.request(s.method.array, m)
	}
}

// upstreamResponse translates the response to the request of s.
func (p *legacyOverModern) upstreamResponse(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) pair {
	c := p.core
	switch {
	case s.listing != nil:
		p.pageCame(now, s, m, out)
		return p
	case !m.Error.IsZero():
	case m.First(m.Result) != '{': // T70
		c.violate(now, s, "T70", out)
		return p
	case !isComplete(m):
		p.inputRequired(now, s, m, out)
		return p
	}
	h := c.answerTo(s, m)
	if s.method.paged && m.Error.IsZero() {
		p.walks.answer(h, &c.options.Limits)
	}
	c.untimed(s, out) // the answer is here (T51)
	p.work(now, s, h, phaseAnswering, out)
	return p
}

// upstreamFailed takes the end of the request of s by something else than a response. A
// body that is one counts, whatever the status (T203).
func (p *legacyOverModern) upstreamFailed(now time.Time, s *slot, f *Failure, out *Steps) pair {
	switch {
	case f.answers(s.upstream):
		return p.upstreamResponse(now, s, f.Message, out)
	case p.core.admit(now, s, f, out):
		p.retry(now, s, out)
	case p.core.postpone(now, s, f, out):
	case s.listing != nil:
		p.listed(now, s, f.cause(), out)
	default:
		p.core.fail(now, s, f, out)
	}
	return p
}

// work does w for s, which is in this phase meanwhile: outside the caller's lock if that
// may take long.
func (p *legacyOverModern) work(now time.Time, s *slot, w work, meanwhile phase, out *Steps) {
	s.phase = meanwhile
	s.shape.slot, s.shape.work = s, w
	if w.long() {
		out.Shape = &s.shape
		return
	}
	w.run()
	p.shaped(now, s, out)
}

// shaped takes the shape of s back: if that ends the request, its slot is free at once.
func (p *legacyOverModern) shaped(now time.Time, s *slot, out *Steps) {
	s.phase = phaseWaiting
	w := s.shape.work
	s.shape.work = nil
	switch w := w.(type) {
	case *answerWork:
		if w.m.Error.IsZero() {
			p.core.answerShaped(now, s, w, out)
		} else {
			p.answerError(now, s, w, out)
		}
	case *inputWork:
		p.inputRead(now, s, w, out)
	case *replyWork:
		p.replied(now, s, w, out)
	case *pageWork:
		p.pageRead(now, s, w, out)
	}
}

// isComplete reports whether a result is the last word: an absent resultType
// counts as complete (T70).
func isComplete(m *jsonrpc.Message) bool {
	t := m.Member(int(memResultType)).Value
	return t.IsZero() || m.Is(t, "complete")
}
