package mcpwire

import "time"

// An oldStream is a stream that is replaced over HTTP: its events reach the front until
// the new one is acknowledged (T163).
type oldStream struct {
	stream  Exchange // zero for none
	granted feature
	since   time.Time
}

// replaceOver implements T163 for an upstream over HTTP: the new stream is opened before
// the old one is closed, so no event is missed.
func (l *listener) replaceOver(now time.Time, out *Steps) {
	if l.stage == stageActive || l.stage == stageOpening && !l.since.IsZero() {
		l.old = oldStream{l.stream, l.granted, l.since}
		for _, w := range l.watches {
			w.inOld = w.inFilter
		}
	} else {
		l.takeBack(now, out)
	}
	if l.nothing() {
		l.closeOld(out)
	}
	l.open(now, out)
}

// closeOld closes the stream that was replaced.
func (l *listener) closeOld(out *Steps) {
	if l.old.stream != 0 {
		l.core.abandon(l.old.stream, nil, out)
	}
	l.dropOld()
}

// dropOld forgets the stream that was replaced.
func (l *listener) dropOld() {
	l.old = oldStream{}
	for _, w := range l.watches {
		w.inOld = false
	}
	l.tidy()
}

// restore makes the stream that was to be replaced the newest one again, after the new
// one was lost. It reports false if there is none, or none that the front wants: one that
// has a URI of a change which the front has cancelled is given up.
func (l *listener) restore(now time.Time, out *Steps) bool {
	if l.old.stream == 0 {
		return false
	}
	l.stream, l.granted, l.since = l.old.stream, l.old.granted, l.old.since
	for _, w := range l.watches {
		w.inFilter = w.inOld
	}
	l.dropOld()
	l.rest(stageActive, out)
	switch {
	case len(l.changes) > 0:
		l.replace(now, out)
	case !l.fits():
		l.takeBack(now, out)
		return false
	}
	return true
}

// failed takes the end of the stream ex by something else than a message.
func (l *listener) failed(now time.Time, ex Exchange, f *Failure, out *Steps) {
	idle := f.Cause == CauseTimeout && l.stage == stageActive // U09: which is no loss
	if (idle || f.Again) && ex == l.stream && !l.core.ending {
		l.stream = 0
		l.open(now, out)
		return
	}
	refused := !f.passes() || f.answers(ex) && l.isRefusal(f.Message)
	l.ended(now, ex, loss{refused: refused, signIn: f.wantsSignIn(), pause: f.RetryAfter}, out)
}

// passes reports whether what has ended a stream of notifications may be gone after a
// wait (T165). A sign-in that is wanted is none of that: it waits for one that somebody
// else has asked for.
func (f *Failure) passes() bool {
	switch {
	case f.cause() == CauseRedirect, f.wantsSignIn():
		return false
	case f.Status == statusRequestTimeout, f.Status == statusTooManyRequests:
		return true
	case f.Status == 0, f.Status == statusOK:
		return true
	}
	return f.Status >= 500 && f.Status != statusNotImplemented
}

// wantsSignIn reports whether the request had no token that the upstream takes, or none
// that could be sent: what is no status, no redirect and no cause of the network says that.
func (f *Failure) wantsSignIn() bool {
	switch f.cause() {
	case CauseHTTPStatus:
		return f.Status == statusUnauthorized || f.Status == statusForbidden
	case CauseRedirect, CauseNetwork, CauseTLS, CauseProxy, CauseTimeout, CauseUpstreamClosed,
		CauseInvalidUpstreamMessage, CauseContentEncoding, CauseResponseTooLarge:
		return false
	}
	return true
}

// SignedIn says that a sign-in has succeeded: a stream that is closed because the upstream
// wanted one is opened again at once (T165), and so is one that was asked for before it and
// is refused for that after.
func (s *Session) SignedIn(now time.Time, out *Steps) {
	c := s.core
	if l := c.listen; l != nil && !c.ending {
		l.signedIn = true
		if l.stage == stageStopped {
			l.replace(now, out)
		}
	}
	c.endWhenIdle(out)
}
