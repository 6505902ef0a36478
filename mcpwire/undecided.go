package mcpwire

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// undecided is the pair of a session whose upstream has not said yet what it
// speaks. It serves the states "new" and "initializing" of T12.
type undecided struct {
	core    *core
	hello   hello // what that says
	retried bool  // server/discover was repeated after -32022 (T17)

	modern       bool      // the upstream has shown that it speaks 2026-07-28 (U11)
	deadline     time.Time // for the answer to server/discover, and what is sent beside it
	raced        bool      // initialize was sent beside it (L1)
	sent         []byte    // the params of initialize, over HTTP (L10)
	cut          bool      // initialize was repeated with an older revision (L3)
	doubt        bool      // server/discover was refused in the words of 2026-07-28 (L2)
	oldTransport bool      // the upstream is reached as 2024-11-05 has it over HTTP (L2)
}

// shaped: nothing is shaped before the session is ready.
func (u *undecided) shaped(time.Time, *slot, *Steps) {}

func (u *undecided) expired(now time.Time, s *slot, out *Steps) {
	switch {
	case s.phase == phasePausing:
		u.again(now, s, out)
	case s.method == &discover && u.races():
		u.race(now, s, out)
	default:
		u.core.timeout(now, s, out)
	}
}

// again sends server/discover, or initialize, once more for the request of s.
func (u *undecided) again(now time.Time, s *slot, out *Steps) {
	s.phase, s.started = phaseWaiting, now
	u.core.renew(s, out)
	if s.method == &opening {
		u.handshake(now, s, out)
		return
	}
	u.discover(now, s, out)
}

// absent: before a revision is negotiated, the id is null (T3).
func (u *undecided) absent() absentID { return idNull }

// frontRequest answers what comes before the session is ready (T12).
func (u *undecided) frontRequest(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	c := u.core
	switch string(c.name) {
	case methodInitialize:
		u.initialize(now, m, out)
	case methodSetLevel:
		c.setLevel(m, out)
	case methodDiscover: // T19: a client of both eras then falls back to initialize
		c.refuse(out, CauseMethodNotFound)
	default:
		c.refuse(out, CauseNotInitialized)
	}
	return u
}

// initialize asks the upstream for what the front wants to know (T10).
func (u *undecided) initialize(now time.Time, m *jsonrpc.Message, out *Steps) {
	c := u.core
	if u.initializing() { // T12: one result only
		c.refuse(out, CauseAlreadyInitialized)
		return
	}
	if data, ok := checkInitialize(m); !ok {
		c.refuse(out, CauseInvalidParams, data...)
		return
	}
	if c.gone != "" {
		out.fail(c.id, c.gone)
		out.log(Event{Kind: EventInitializeFailed, Method: methodInitialize, Cause: c.gone})
		return
	}
	s := c.open(now, &discover, m.Len(), out)
	if s == nil {
		return
	}
	c.table.keep(s, m)
	u.hello = readHello(m, &c.options.Limits)
	u.retried, u.raced, u.cut, u.doubt, u.oldTransport = false, false, false, false, false
	u.begin(now, s, out)
}

// initializing reports whether an initialize request is in flight. Until the
// session is ready no other request takes a slot.
func (u *undecided) initializing() bool { return u.core.table.translates() }

// discover sends server/discover for the request of s.
func (u *undecided) discover(now time.Time, s *slot, out *Steps) {
	start := len(out.buf)
	out.buf = appendRequest(out.buf, s.upstream, methodDiscover)
	out.buf = append(append(append(out.buf, '{'), u.hello.meta...), `}}}`...)
	u.core.send(Frame{Exchange: s.upstream, Lit: out.literal(start), Admission: s.admission}, methodDiscover, out)
	l := &u.core.options.Limits
	wait := l.Discover // T18
	u.deadline = now.Add(wait)
	if u.races() {
		wait = l.Probe
	}
	u.core.limit(now, s, wait, out)
}

// frontNotification honours the cancellation of initialize (T13) and drops the
// rest.
func (u *undecided) frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	if !m.Is(m.Method, methodCancelled) {
		out.log(Event{Kind: EventDropped, Rule: "T12"})
		return u
	}
	u.core.cancelledByFront(now, m, out)
	return u
}

// frontResponse drops a response: no request of ours waits for one (T6).
func (u *undecided) frontResponse(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T6"})
}

// upstreamRequest drops a request: no server sends one before it is initialized (T7).
func (u *undecided) upstreamRequest(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T7"})
}

func (u *undecided) upstreamNotification(_ time.Time, _ Exchange, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T145"})
}

// upstreamResponse takes the answer to server/discover, or to initialize.
func (u *undecided) upstreamResponse(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) pair {
	if s.method == &opening && exchangeAt(m, m.ID) != s.probe {
		return u.handshaken(now, s, m, out)
	}
	if !m.Error.IsZero() {
		u.refused(now, s, m, out)
		return u
	}
	d := readDiscovery(m)
	switch d.verdict {
	case eraModern:
		u.probed(s, out)
		return u.ready(now, s, m, &d, out)
	case eraViolation:
		u.probed(s, out)
		u.modern = true
		u.core.violate(now, s, d.rule, out)
	case eraUnknown:
		u.probed(s, out)
		u.core.end(now, s, CauseUnsupportedVersion, out, supportedData(m, d.supported)...)
	default:
		u.fallBack(now, s, out)
	}
	return u
}

// upstreamFailed takes the end of server/discover by something else. A status tells the
// era only where an older server answers it; anything that may pass tells nothing (U11).
func (u *undecided) upstreamFailed(now time.Time, s *slot, f *Failure, out *Steps) pair {
	switch {
	case s.method == &opening:
		return u.handshakeFailed(now, s, f, out)
	case f.legacy() && f.answers(s.upstream):
		u.doubt = f.Status == statusNotFound && readError(f.Message).code == codeMethodNotFound
		u.refused(now, s, f.Message, out)
	case f.legacy():
		u.fallBack(now, s, out)
	case u.core.admit(now, s, f, out):
		u.again(now, s, out)
	case u.core.postpone(now, s, f, out):
	default:
		u.core.fail(now, s, f, out)
	}
	return u
}

// refused takes an error in answer to server/discover. Only the errors that
// 2026-07-28 has for a client's own mistakes tell the era; any other is what an
// older server answers (T17, L1).
func (u *undecided) refused(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	e := readError(m)
	switch e.code {
	case codeUnsupportedVersion:
	case codeHeaderMismatch:
		u.modern = true
		if u.core.overHTTP() {
			u.core.end(now, s, CauseHeaderMismatch, out)
			return
		}
		fallthrough
	case codeMissingCapability: // a modern server, which takes no initialize
		u.modern = true
		u.probed(s, out)
		u.core.violate(now, s, "L1", out)
		return
	default:
		u.fallBack(now, s, out)
		return
	}
	list := e.member("supported", m)
	switch era := eraOf(m, list); {
	case s.quiet: // cancelled, and nothing goes upstream any more (T21)
		u.core.done(now, s, "", out)
	case era == eraModern && !u.retried:
		u.retried, u.modern = true, true
		u.probed(s, out)
		u.again(now, s, out)
	case era == eraLegacy && m.First(list) == '[':
		u.fallBack(now, s, out)
	default: // T17: malformed data is no overlap
		u.probed(s, out)
		u.core.end(now, s, CauseUnsupportedVersion, out, supportedData(m, list)...)
	}
}

// ready answers initialize and hands the session to the pair of the era.
func (u *undecided) ready(now time.Time, s *slot, m *jsonrpc.Message, d *discovery, out *Steps) pair {
	start := len(out.buf)
	out.buf = append(append(append(out.buf, headID...), s.front...), headResult...)
	out.buf = appendInitializeResult(out.buf, m, d, u.hello.front, u.core.options.Remote)
	out.buf = append(out.buf, '}')
	out.ToFront = append(out.ToFront, Frame{Lit: out.literal(start)})
	u.core.done(now, s, "", out)
	out.log(Event{Kind: EventReady, Method: methodDiscover, Revision: Revision20260728})
	u.core.front = u.hello.front
	u.core.listen = newListener(u.core, u.hello.meta, d.features)
	limits := &u.core.options.Limits
	return &legacyOverModern{
		core: u.core, meta: u.hello.meta, can: u.hello.can, features: d.features,
		logs: rate.NewLimiter(rate.Limit(limits.LogRate), limits.LogBurst),
		asks: rate.NewLimiter(rate.Limit(limits.InputRate), limits.InputBurst),
	}
}
