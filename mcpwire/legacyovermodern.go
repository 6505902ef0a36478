package mcpwire

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// legacyOverModern is the pair of a front of 2025-11-25 and an upstream of
// 2026-07-28. It serves the states "ready" and "initialized" of T12: a request is
// served as soon as the result of initialize is written.
type legacyOverModern struct {
	oneWay
	core     *core
	meta     []byte  // see hello
	features feature // what the upstream declared and the bridge carries
	walks    walks
	logs     *rate.Limiter // of log messages to the front (N04)
}

// absent: 2025-11-25 lets an error have no id (T3).
func (p *legacyOverModern) absent() absentID { return idOmitted }

// frontNotification carries cancellations. The rest has no counterpart upstream
// (T22, T144, T147, T148).
func (p *legacyOverModern) frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	switch {
	case m.Is(m.Method, methodCancelled):
		p.core.cancelled(now, m, out)
	case !m.Is(m.Method, methodInitialized):
		out.log(Event{Kind: EventDropped, Rule: "T148"})
	}
	return p
}

// upstreamNotification carries progress and log messages, and drops the rest. A
// cancellation above all: its id is of another space than the front's (T151).
func (p *legacyOverModern) upstreamNotification(now time.Time, m *jsonrpc.Message, out *Steps) {
	switch {
	case m.Is(m.Method, methodProgress):
		p.onProgress(now, m, out)
	case m.Is(m.Method, methodMessage):
		p.logMessage(now, m, out)
	case m.Is(m.Method, methodCancelled):
		out.log(Event{Kind: EventDropped, Rule: "T151"})
	default:
		out.log(Event{Kind: EventDropped, Rule: "T145"})
	}
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
	if !ok {
		c.refuse(out, CauseInvalidParams)
		return p
	}
	if s := c.open(now, md, m.Len(), out); s != nil {
		meta := readMeta(m)
		p.remember(s, m, &meta)
		p.forward(s, m, &kept, &meta, out)
		c.limit(now, s, c.options.Limits.of(md), out)
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
	case !m.Error.IsZero():
		p.answerError(now, s, m, out)
		return p
	case m.First(m.Result) != '{': // T70
		c.violate(now, s, "T70", out)
		return p
	case !isComplete(m):
		p.incomplete(now, s, m, out)
		return p
	}
	h := &s.shape
	h.begin(s, m, &c.options)
	if s.method.paged {
		p.walks.answer(h, c.options.Limits.Pages)
	}
	s.phase = phaseAnswering
	c.untimed(s, out) // the answer is here (T51)
	if h.outside() {
		out.Shape = h
		return p
	}
	h.Run()
	c.shaped(now, s, out)
	return p
}

// isComplete reports whether a result is the last word: an absent resultType
// counts as complete (T70).
func isComplete(m *jsonrpc.Message) bool {
	t := m.Member(int(memResultType)).Value
	return t.IsZero() || m.Is(t, "complete")
}

// maxDetail is the longest key of an input request that an error repeats, in
// bytes.
const maxDetail = 256

// incomplete takes a result that is not the last word (T70, T111). A server asks
// for input only where it may, and only for what the front declared, which is
// nothing yet (T115).
func (p *legacyOverModern) incomplete(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	c := p.core
	if !m.Is(m.Member(int(memResultType)).Value, "input_required") || !s.method.rounds {
		c.violate(now, s, "T70", out)
		return
	}
	requests := m.Member(int(memInputRequests)).Value
	asks, state := m.First(requests), m.First(m.Member(int(memRequestState)).Value)
	none := (asks == 0 || asks == 'n') && (state == 0 || state == 'n')
	if none || asks != 0 && asks != 'n' && asks != '{' || state != 0 && state != 'n' && state != '"' {
		c.violate(now, s, "T111", out)
		return
	}
	if asks == '{' {
		if w := m.Walk(requests); w.Next() && w.Name().Len() <= maxDetail {
			c.end(now, s, CauseInputRefused, out, extra{"detail", m.AppendSpan(nil, w.Name())})
			return
		}
	}
	c.end(now, s, CauseInputRefused, out)
}
