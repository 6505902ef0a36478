package mcpwire

import (
	"math"
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// L3: initialize goes to an upstream that has it, and what it answers reaches the front,
// so both speak the same revision.

// handshake sends initialize for the request of s.
func (u *undecided) handshake(now time.Time, s *slot, out *Steps) {
	s.method, s.started = &opening, now
	u.deadline = now.Add(u.core.options.Limits.Discover)
	u.sendInitialize(s, out)
	u.limit(now, s, out)
}

// sendInitialize writes initialize upstream as the front sent it, but for a revision that
// has none, and for what the bridge does not carry.
func (u *undecided) sendInitialize(s *slot, out *Steps) {
	m, err := s.request.message()
	if err != nil { // it was read before
		return
	}
	e := out.edit(m)
	e.id(s.upstream)
	version := m.Member(int(memProtocolVersion)).Value
	switch asked := offered(m, version); {
	case u.cut && asked > revision20250618:
		e.text(version, `"`+Revision20250618+`"`)
	case revisionAt(m, version) == 0:
		e.text(version, `"`+asked.String()+`"`)
	}
	e.value(m.Member(int(memCapabilities)).Value, u.capabilities(m))
	if meta := m.Member(int(memMeta)).Value; !meta.IsZero() {
		e.text(meta, "{}")
	}
	f := e.frame(s.upstream)
	f.Admission, f.Opens = s.admission, u.core.overHTTP()
	out.OldTransport = u.oldTransport
	out.ToUpstream = append(out.ToUpstream, f)
	if f.Opens {
		u.sent = paramsOf(f.AppendTo(nil))
	}
}

// paramsOf returns the params of a line that was made here.
func paramsOf(line []byte) []byte {
	m, err := jsonrpc.Parse(line, &jsonrpc.ReaderOptions{MaxLine: len(line), MaxDepth: math.MaxInt})
	if err != nil {
		return nil
	}
	return m.AppendSpan(nil, m.Params)
}

// capabilities are those of the front that the upstream is told of: not that it hosts
// tasks, since the answers to what they ask could not be checked, and after a refusal
// none that came after 2025-06-18. They are nil if that is all of them.
func (u *undecided) capabilities(m *jsonrpc.Message) []byte {
	at := m.Member(int(memCapabilities)).Value
	b, same := []byte{'{'}, true
	for w := m.Walk(at); w.Next(); {
		switch {
		case w.NameIs("tasks"), u.cut && w.NameIs("extensions"):
			same = false
		case u.cut && (w.NameIs("sampling") || w.NameIs("elicitation")):
			same = false
			b = append(appendName(b, m, &w), "{}"...)
		default:
			b = appendName(b, m, &w)
			b = m.AppendSpan(b, w.Skip())
		}
	}
	if same {
		return nil
	}
	return append(b, '}')
}

// handshaken takes the answer to initialize.
func (u *undecided) handshaken(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) pair {
	c := u.core
	if !m.Error.IsZero() {
		u.unshaken(now, s, m, out)
		return u
	}
	version := m.Member(int(memProtocolVersion)).Value
	capabilities := m.Member(int(memCapabilities)).Value
	switch r := revisionAt(m, version); {
	case m.First(version) != '"', m.First(capabilities) != '{':
		c.violate(now, s, "L3", out)
	case r == 0:
		c.end(now, s, CauseUnsupportedVersion, out, versionData(m, version)...)
	default:
		return u.passOn(now, s, m, r, out)
	}
	return u
}

// versionData is what an error about versions tells of the only one that the upstream has.
func versionData(m *jsonrpc.Message, version jsonrpc.Span) []extra {
	if version.Len() > maxEchoed {
		return nil
	}
	return []extra{{"supported", append(m.AppendSpan([]byte{'['}, version), ']')}}
}

// unshaken takes an error in answer to initialize. While server/discover waits it means
// nothing: a server of 2026-07-28 answers so (L1). One that does not know the newest
// revision may know an older one (L3).
func (u *undecided) unshaken(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	c := u.core
	switch {
	case s.quiet:
		c.done(now, s, "", out)
	case s.probe != 0:
		u.probed(s, out)
		u.limit(now, s, out)
	case !u.cut && u.hello.front > revision20250618:
		u.cut = true
		c.renew(s, out)
		u.handshake(now, s, out)
	case u.doubted(now, s, out):
	default:
		h := c.answerTo(s, m)
		h.run()
		if h.violation != "" {
			c.violate(now, s, h.violation, out)
			return
		}
		out.ToFront = append(out.ToFront, Frame{Msg: m, Edits: h.list})
		out.log(Event{Kind: EventInitializeFailed, Method: methodInitialize})
		c.done(now, s, "", out)
	}
}

// doubted ends the request of s by what server/discover was answered, if that was a status
// of a server that does not know the method, in the words of 2026-07-28 (L2). Such a
// server is not initialized any more.
func (u *undecided) doubted(now time.Time, s *slot, out *Steps) bool {
	if !u.doubt {
		return false
	}
	u.modern = true
	first := Failure{Status: statusNotFound}
	u.core.end(now, s, CauseHTTPStatus, out, first.data()...)
	return true
}

// handshakeFailed takes the end of initialize over HTTP by something else than a
// response. A server of 2024-11-05 has another transport (L2), which the caller is to use
// from then on.
func (u *undecided) handshakeFailed(now time.Time, s *slot, f *Failure, out *Steps) pair {
	c := u.core
	switch {
	case f.answers(s.upstream):
		return u.handshaken(now, s, f.Message, out)
	case f.legacy() && !u.oldTransport:
		u.oldTransport = true
		c.renew(s, out)
		u.handshake(now, s, out)
	case f.legacy() && u.doubted(now, s, out):
	case c.admit(now, s, f, out):
		u.again(now, s, out)
	case c.postpone(now, s, f, out):
	default:
		c.fail(now, s, f, out)
	}
	return u
}

// passOn answers initialize with what the upstream has answered, which speaks r, and
// hands the session to the pair of such a front and upstream.
func (u *undecided) passOn(now time.Time, s *slot, m *jsonrpc.Message, r revision, out *Steps) pair {
	c := u.core
	c.front, c.legacy = r, true
	h := c.answerTo(s, m)
	h.run()
	if h.violation != "" || h.tooMany() {
		c.front, c.legacy = 0, false
		c.violate(now, s, "L3", out)
		return u
	}
	out.Log = append(out.Log, h.events...)
	out.ToFront = append(out.ToFront, Frame{Msg: m, Edits: h.list})
	p := &legacyOverLegacy{
		core: c, features: serverFeatures(m, m.Member(int(memCapabilities)).Value), tasks: u.hasTasks(m),
		logs:  rate.NewLimiter(rate.Limit(c.options.Limits.LogRate), c.options.Limits.LogBurst),
		hello: u.sent,
	}
	c.inquiries = newInquiries(c, u.hello.can.in(r))
	c.done(now, s, "", out)
	out.log(Event{Kind: EventReady, Method: methodInitialize, Revision: r.String()})
	return p
}

// hasTasks reports whether the upstream has the tasks of 2025-11-25 (L7).
func (u *undecided) hasTasks(m *jsonrpc.Message) bool {
	var found [1]picked
	pickOf(m, m.Member(int(memCapabilities)).Value, found[:], "tasks")
	return u.core.front == revision20251125 && m.First(found[0].once()) == '{'
}

// handshakeResult mends the description of the server in the result of initialize (T84).
func (h *answerWork) handshakeResult() {
	at := h.m.Member(int(memServerInfo)).Value
	if h.m.First(at) != '{' {
		return
	}
	c := h.cutterOf(at)
	for w := h.m.Walk(at); w.Next(); {
		if w.NameIs("icons") {
			h.icons(&w, &c)
		}
	}
}
