package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// frontNotification passes on what an older upstream is told of the front (L6): that it is
// initialized, what it cancels, its progress for what the upstream asked, and that its
// roots have changed.
func (p *legacyOverLegacy) frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	c := p.core
	switch {
	case m.Is(m.Method, methodCancelled):
		c.cancelledByFront(now, m, out)
	case m.Is(m.Method, methodInitialized):
		if !p.initialized {
			p.initialized = true
			c.initialized(c.inquiries.can, out)
			p.introduce(out)
			p.sendEarly(out)
		}
	case m.Is(m.Method, methodRootsChanged):
		start := len(out.buf)
		out.buf = append(append(append(out.buf, head+`,"method":"`...), methodRootsChanged...), `"}`...)
		c.tellUpstream(start, out)
	case m.Is(m.Method, methodProgress):
		p.frontProgress(m, out)
	default:
		out.log(Event{Kind: EventDropped, Rule: "T148"})
	}
	return p
}

// introduce tells the upstream that the front is initialized, and the level that the front
// has set before (L7).
func (p *legacyOverLegacy) introduce(out *Steps) {
	c := p.core
	start := len(out.buf)
	out.buf = append(out.buf, head+`,"method":"`+methodInitialized+`"}`...)
	c.tellUpstream(start, out)
	out.Stream = c.overHTTP()
	if c.level != 0 && p.features&featureLogging != 0 {
		p.request(methodSetLevel, `"level":"`+levels[c.level-1]+`"`, out)
	}
}

// request sends a request of the session's own, whose answer changes nothing.
func (p *legacyOverLegacy) request(method, params string, out *Steps) {
	c := p.core
	ex := c.next()
	start := len(out.buf)
	out.buf = append(appendRequest(out.buf, ex, method), '{')
	out.buf = append(append(out.buf, params...), `}}`...)
	if c.gone == "" && !c.ended {
		out.ToUpstream = append(out.ToUpstream, c.inSession(Frame{Exchange: ex, Lit: out.literal(start)}))
	}
}

// frontProgress passes on progress for what the upstream asked of the front.
func (p *legacyOverLegacy) frontProgress(m *jsonrpc.Message, out *Steps) {
	c := p.core
	var found [1]picked
	pick(m, found[:], keyProgressToken)
	if !c.inquiries.wants(m.AppendSpan(nil, found[0].once())) || m.Len() > c.options.Limits.Notification {
		out.log(Event{Kind: EventDropped, Rule: "T144"})
		return
	}
	if c.gone == "" && !c.ended {
		out.ToUpstream = append(out.ToUpstream, c.inSession(Frame{Msg: m}))
	}
}

// upstreamNotification passes on what L6 lets through, and drops the rest (W04).
func (p *legacyOverLegacy) upstreamNotification(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	c := p.core
	rule := "L6"
	switch {
	case m.Len() > c.options.Limits.Notification:
		if m.Is(m.Method, methodMessage) {
			rule = "N04"
		}
	case m.Is(m.Method, methodProgress):
		if !p.taskProgress(now, m, out) {
			c.onProgress(now, ex, m, out)
		}
		return
	case m.Is(m.Method, methodMessage):
		c.logMessage(now, m, p.logs, out)
		return
	case m.Is(m.Method, methodCancelled):
		c.inquiries.cancelled(m, out)
		return
	case m.Is(m.Method, methodElicitComplete) && p.finished(m, out), p.changed(m, out):
		return
	case m.Is(m.Method, methodTaskStatus) && p.tasks:
		out.ToFront = append(out.ToFront, Frame{Msg: m})
		return
	}
	out.log(Event{Kind: EventDropped, Rule: rule})
}

// finished tells the front that the upstream is done with a page that the front was asked
// to open. It reports false if there is none with this id.
func (p *legacyOverLegacy) finished(m *jsonrpc.Message, out *Steps) bool {
	var found [1]picked
	pick(m, found[:], "elicitationId")
	id, ok := m.String(found[0].once())
	if !ok || !p.core.inquiries.expects.take(id) {
		return false
	}
	start := len(out.buf)
	out.buf = append(appendNotification(out.buf, methodElicitComplete), `"elicitationId":`...)
	out.buf = append(m.AppendSpan(out.buf, found[0].Value), `}}`...)
	out.ToFront = append(out.ToFront, Frame{Lit: out.literal(start)})
	return true
}

// changed passes on that a list or a resource has changed. Lists that change before the
// front is initialized are told of after it is (F15). It reports false for anything else.
func (p *legacyOverLegacy) changed(m *jsonrpc.Message, out *Steps) bool {
	for _, k := range eventKinds {
		switch {
		case !m.Is(m.Method, k.method):
			continue
		case k.feature == featureSubscribe:
			return p.updated(m, out)
		case !p.initialized:
			p.early |= k.feature
		default:
			out.event(k.method, nil, m)
		}
		return true
	}
	return false
}

// updated passes on that a resource has changed, under the name that the front has for it
// (W21).
func (p *legacyOverLegacy) updated(m *jsonrpc.Message, out *Steps) bool {
	at := m.Member(int(memURI)).Value
	uri, ok := m.String(at)
	if !ok {
		return false
	}
	value := []byte(p.watched[uri])
	if len(value) == 0 {
		value = m.AppendSpan(nil, at)
	}
	out.event(methodUpdated, value, m)
	return true
}

// sendEarly tells the front of the lists that changed before it was initialized.
func (p *legacyOverLegacy) sendEarly(out *Steps) {
	for _, k := range eventKinds {
		if p.early&k.feature != 0 {
			out.event(k.method, nil, nil)
		}
	}
	p.early = 0
}
