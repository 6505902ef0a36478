package mcpwire

import "time"

// Eras say which servers a session takes. What it takes is found out when the front
// initializes.
type Eras uint8

// The eras.
const (
	// AnyEra takes a server of any revision. It is asked for server/discover first, which
	// only one of 2026-07-28 answers, and initialized if it is not.
	AnyEra Eras = iota
	// ModernEra takes a server of 2026-07-28. Any other is refused with
	// [CauseUpstreamLegacy].
	ModernEra
	// LegacyEra takes a server that is initialized, and asks for nothing before that.
	LegacyEra
)

// begin asks the upstream what the front wants to know (T10): of which era it is, unless
// that is known.
func (u *undecided) begin(now time.Time, s *slot, out *Steps) {
	if u.core.options.Eras == LegacyEra {
		u.handshake(now, s, out)
		return
	}
	u.discover(now, s, out)
}

// mayBeLegacy reports whether the upstream may still be one that is initialized. Once it
// was modern, it is not (U11).
func (u *undecided) mayBeLegacy() bool {
	return u.core.options.Eras == AnyEra && !u.modern
}

// races reports whether initialize is sent beside server/discover, if that is not
// answered soon: on stdio, where a server may ignore a method that it does not know (L1).
func (u *undecided) races() bool {
	l := &u.core.options.Limits
	return u.mayBeLegacy() && !u.raced && !u.core.overHTTP() && l.Probe < l.Discover
}

// race implements L1 for silence: initialize goes upstream, and server/discover stays.
// The first useful answer decides.
func (u *undecided) race(now time.Time, s *slot, out *Steps) {
	c := u.core
	u.raced = true
	c.table.fork(s, c.next())
	s.method = &opening
	u.sendInitialize(s, out)
	u.limit(now, s, out)
}

// limit bounds the wait of s by what is left of the time for an answer to initialize.
func (u *undecided) limit(now time.Time, s *slot, out *Steps) {
	u.core.limit(now, s, max(u.deadline.Sub(now), 0), out)
}

// probed says that server/discover was answered while initialize waits, too. Only what
// that one was sent for is given up, not taken back: no client cancels it.
func (u *undecided) probed(s *slot, out *Steps) {
	if s.probe != 0 {
		u.core.untimed(s, out)
		u.core.table.join(s, s.probe)
		s.method = &discover
	}
}

// fallBack takes an answer to server/discover that only an older server gives.
func (u *undecided) fallBack(now time.Time, s *slot, out *Steps) {
	c := u.core
	switch {
	case s.quiet: // cancelled, and nothing goes upstream any more (T21)
		c.done(now, s, "", out)
	case !u.mayBeLegacy():
		c.end(now, s, CauseUpstreamLegacy, out)
	case s.probe != 0: // initialize is on its way already
		c.table.join(s, s.upstream)
	default:
		c.renew(s, out)
		u.handshake(now, s, out)
	}
}
