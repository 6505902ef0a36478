package mcpwire

import (
	"strconv"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A Failure is how a request over [HTTP] has ended without the response that it should
// have had: by its status, or before or behind that.
type Failure struct {
	// Cause says why, unless the status does. It is one of the causes of the network, or
	// [CauseUpstreamClosed] if the response stream has ended too early,
	// [CauseInvalidUpstreamMessage] if the response is of no media type of the protocol
	// or its body is no message, [CauseContentEncoding], [CauseResponseTooLarge] or
	// [CauseTimeout], which over a stream of notifications means that it was idle too long,
	// or one of those of the sign-in.
	Cause Cause

	// After is a cause before this one, whose text the error has in front of its own. It may
	// be empty.
	After Cause

	// Status is the HTTP status, and zero if none came. If there is no Cause, it is why.
	Status int

	// RetryAfter is how long the upstream asks to be left alone, and zero if it does not.
	RetryAfter time.Duration

	// Sent says that the upstream may have read some of the request, which then never
	// goes out again (U10).
	Sent bool

	// Again says that the upstream has refused the request unprocessed, and would not
	// refuse it now. It goes out once more, with a new id and with Admission, as long as
	// that has grown since the frame that failed (U10).
	Again     bool
	Admission Admission

	// InSession says that the request named a session with an older upstream (L10). If the
	// Status is 404 then, the upstream has forgotten that session.
	InSession bool

	// Message is what the body of a response with another status than 200 holds, if that
	// is a message, and else nil. It is valid as one that [Session.FromUpstream] is given,
	// and has no line break between its tokens either.
	Message *jsonrpc.Message
}

// Failed says that the request ex, over [HTTP], has ended by f. It fails alone (T101). What
// is over for the session already, since it was answered or given up, may be told too.
func (s *Session) Failed(now time.Time, ex Exchange, f Failure, out *Steps) {
	c := s.core
	sl := c.table.ofUpstream(ex)
	switch {
	case c.listen.owns(ex):
		c.listen.failed(now, ex, &f, out)
	case sl != nil && sl.phase == phaseWaiting && sl.method.relayed:
		c.fail(now, sl, &f, out)
	case sl != nil && sl.phase == phaseWaiting:
		s.pair = s.pair.upstreamFailed(now, sl, &f, out)
	}
	c.endWhenIdle(out)
}

// An Admission is what was done already so that an upstream lets a request in, in a form
// of the caller's own. A session takes it from a [Failure], and gives it with the [Frame]
// of the request that goes out once more. It is zero for a request that goes out first.
type Admission uint8

// The statuses of HTTP that rules name.
const (
	statusOK               = 200
	statusBadRequest       = 400
	statusUnauthorized     = 401
	statusForbidden        = 403
	statusNotFound         = 404
	statusMethodNotAllowed = 405
	statusNotAcceptable    = 406
	statusRequestTimeout   = 408
	statusTooManyRequests  = 429
	statusNotImplemented   = 501
)

// BadEvent takes the data of an event in the response stream of ex, over [HTTP], if that
// is no message. If it was to be the answer to ex, or is too long to tell, the request
// fails, and Close names it. A body that is not a stream of events is a [Failure] then.
func (s *Session) BadEvent(now time.Time, ex Exchange, e *jsonrpc.LineError, out *Steps) {
	c := s.core
	out.log(Event{Kind: EventDropped, Rule: "T1"})
	f := Failure{Cause: CauseInvalidUpstreamMessage, Sent: true}
	mine := !e.Method && string(e.ID) == strconv.FormatUint(uint64(ex), 10)
	if e.Fault == jsonrpc.FaultTooLong { // U04
		f.Cause, mine = CauseResponseTooLarge, true
	}
	if mine && c.isOpen(ex) {
		c.answered(ex, out)
		s.Failed(now, ex, f, out)
	}
}

// isOpen reports whether a response to ex is awaited.
func (c *core) isOpen(ex Exchange) bool {
	s := c.table.ofUpstream(ex)
	return s != nil && s.phase == phaseWaiting || c.listen.owns(ex)
}

// answers reports whether the body is a response to the request ex (T203).
func (f *Failure) answers(ex Exchange) bool {
	m := f.Message
	return m != nil && m.Kind == jsonrpc.KindResponse && !m.Error.IsZero() && exchangeAt(m, m.ID) == ex
}

// cause is the cause of the error that the front gets.
func (f *Failure) cause() Cause {
	switch {
	case f.Cause != "":
		return f.Cause
	case f.Status/100 == 2: // T203: no status for a request, or not with this body
		return CauseInvalidUpstreamMessage
	case f.Status/100 == 3:
		return CauseRedirect
	case f.Status != 0:
		return CauseHTTPStatus
	}
	return CauseNetwork
}

// isUnsent reports whether the request surely did not reach the upstream, for a reason
// that may be gone soon (U10).
func (f *Failure) isUnsent() bool { return f.cause() == CauseNetwork && f.Status == 0 && !f.Sent }

// legacy reports whether the status is what a server of an older revision answers to
// server/discover, or one of 2024-11-05 to initialize (T203, L2, U11).
func (f *Failure) legacy() bool {
	if f.Cause != "" {
		return false
	}
	switch f.Status {
	case statusBadRequest, statusNotFound, statusMethodNotAllowed, statusNotAcceptable:
		return true
	}
	return false
}

// data is what the error has beside its cause.
func (f *Failure) data() []extra {
	if f.After != "" {
		return []extra{{extraAfter, []byte(f.After)}}
	}
	switch f.cause() {
	case CauseHTTPStatus, CauseRedirect:
	default:
		return nil
	}
	if f.Status == 0 {
		return nil
	}
	data := []extra{{extraStatus, strconv.AppendInt(nil, int64(f.Status), 10)}}
	if f.RetryAfter > 0 {
		seconds := (f.RetryAfter + time.Second - 1) / time.Second
		data = append(data, extra{"retryAfter", strconv.AppendInt(nil, int64(seconds), 10)})
	}
	return data
}

// postpone has the request of s go out once more after a pause, if it surely did not reach
// the upstream (T52, U10). It reports false for any other, and the second time.
func (c *core) postpone(now time.Time, s *slot, f *Failure, out *Steps) bool {
	if !f.isUnsent() || s.unsent {
		return false
	}
	c.untold(now, s, f, out)
	s.unsent, s.phase = true, phasePausing
	c.limit(now, s, c.options.Limits.PauseMin, out)
	return true
}

// admit notes that the request of s is to go out once more at once, since the upstream lets
// it in now (U10). It reports false where it is not.
func (c *core) admit(now time.Time, s *slot, f *Failure, out *Steps) bool {
	if !f.Again || f.Admission <= s.admission {
		return false
	}
	c.untold(now, s, f, out)
	s.admission = f.Admission
	return true
}

// untold notes that an exchange of the request of s has come to nothing, of which the front
// is not told: it goes out once more.
func (c *core) untold(now time.Time, s *slot, f *Failure, out *Steps) {
	out.log(Event{Kind: EventExchange, Method: s.asks(), Round: s.rounds.count + 1, Cause: f.cause(), Took: now.Sub(s.started)})
	if s.listing != nil {
		s.listing = nil
		c.wakeCalls(now, false, out)
	}
	c.untimed(s, out)
}

// Extend says that the request ex, over [HTTP], waits for a person, for which its time
// limit does not count: it is that much later.
func (s *Session) Extend(ex Exchange, by time.Duration, out *Steps) {
	if sl := s.core.table.ofUpstream(ex); sl != nil && sl.phase == phaseWaiting && sl.timed {
		s.core.limit(sl.due, sl, by, out)
	}
}

// fail ends the request of s by f.
func (c *core) fail(now time.Time, s *slot, f *Failure, out *Steps) {
	if f.cause() == CauseInvalidUpstreamMessage {
		c.violate(now, s, "T202", out)
		return
	}
	c.end(now, s, f.cause(), out, f.data()...)
}
