package mcpwire

import (
	"io"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Options configure a [Session]. The zero Options are the strict ones.
type Options struct {
	Profile Profile
	Limits  Limits

	// Rand gives random bytes: for the ids of URLs that the front opens for a
	// person (T123), and to spread pauses. Without it no such URL is asked for,
	// and pauses are not spread. A session has no other randomness.
	Rand io.Reader

	// MaxTokens is the most tokens that a model may be asked for by a server: sampling
	// with a larger maxTokens reaches the front with this one (I13). If zero, what the
	// server asks for stays.
	MaxTokens int

	// SampleAnytime lets an older upstream ask for the model while the front has no request
	// in flight that this could be for (I16).
	SampleAnytime bool

	// Transport says how requests reach the upstream.
	Transport Transport

	// Eras says which servers are taken: by default those of any revision.
	Eras Eras

	// Selection lets a front of 2026-07-28 in, too, on [Stdio]. If nil, the front is an
	// older one.
	Selection *Selection

	// Remote says that the upstream is reached over a network and is no child of
	// this host. Then only icons that hold their own data reach the front (T84).
	// Whatever is reached over [HTTP] counts as remote.
	Remote bool
}

// A Session is the protocol state of one front and one upstream. It starts
// undecided; what the upstream answers to server/discover decides how its
// messages are translated.
//
// The methods are not safe for concurrent use: the caller holds one lock around
// each call and around carrying out the steps that it gave.
type Session struct {
	core *core
	pair pair
}

// A pair translates between one revision of the front and one of the upstream. It
// is given what passed the rules that hold for every pair. A method that may change
// how the next message is translated returns the pair for it.
type pair interface {
	// frontRequest takes a request of the front that is no ping and whose id is
	// not in flight. Its raw id and its method are in core.
	frontRequest(now time.Time, m *jsonrpc.Message, out *Steps) pair
	frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair
	frontResponse(now time.Time, m *jsonrpc.Message, out *Steps)

	upstreamRequest(now time.Time, m *jsonrpc.Message, out *Steps)
	// upstreamNotification takes a notification; ex is the request whose response stream
	// carried it, and zero on stdio.
	upstreamNotification(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps)
	// upstreamResponse takes the response to the request of s, which waits for it.
	upstreamResponse(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) pair
	// upstreamFailed takes the end of the request of s, which waits for its response, by
	// anything but a message.
	upstreamFailed(now time.Time, s *slot, f *Failure, out *Steps) pair

	// shaped takes the shape of s back, which has run.
	shaped(now time.Time, s *slot, out *Steps)
	// expired takes the end of the time that the request of s had for what it waits for.
	expired(now time.Time, s *slot, out *Steps)

	// absent says how this front wants an error without a usable id (T3).
	absent() absentID
}

// New returns a Session.
func New(o Options) *Session {
	o.Limits = o.Limits.withDefaults()
	o.Remote = o.Remote || o.Transport == HTTP
	c := &core{options: o, table: newTable(), patience: o.Limits.Drain}
	if o.Selection != nil {
		return &Session{core: c, pair: newSelecting(c)}
	}
	return &Session{core: c, pair: &undecided{core: c}}
}

// FromFront takes a message of the front. It must not be called after
// [Session.End].
func (s *Session) FromFront(now time.Time, m *jsonrpc.Message, out *Steps) {
	c := s.core
	switch m.Kind {
	case jsonrpc.KindBatch:
		s.batch(now, m, out)
	case jsonrpc.KindResponse:
		if !c.consented(m, out) {
			s.pair.frontResponse(now, m, out)
		}
	case jsonrpc.KindNotification:
		s.pair = s.pair.frontNotification(now, m, out)
	case jsonrpc.KindRequest:
		c.read(m)
		switch {
		case c.table.ofFront(c.id) != nil: // T5: with the id, it would look like the answer to the first
			out.failWithout(s.pair.absent(), CauseInvalidRequest)
			out.log(Event{Kind: EventRefused, Cause: CauseInvalidRequest})
		case string(c.name) == methodPing && !c.passes: // T15: in every state, never forwarded
			out.result(c.id, "{}")
		default:
			s.pair = s.pair.frontRequest(now, m, out)
		}
	}
	c.endWhenIdle(out)
}

// Waiting says how many bytes of messages the caller holds: lines that steps gave and
// that are not written yet, toward either side. They count against [Limits.Held] until
// it is called again.
func (s *Session) Waiting(bytes int) { s.core.waiting = bytes }

// FromUpstream takes a message of the upstream. ex is the request whose response
// stream carried it, and zero on stdio, where the id of the message says it. Over [HTTP]
// that is the body of a response of status 200, or the data of an event in one; the
// message of any other response is part of the [Failure]. There must be no line break
// between the tokens of m, since frames toward the front are made of it.
func (s *Session) FromUpstream(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	c := s.core
	switch m.Kind {
	case jsonrpc.KindBatch:
		s.upstreamBatch(now, ex, m, out)
	case jsonrpc.KindRequest:
		s.pair.upstreamRequest(now, m, out)
	case jsonrpc.KindNotification:
		s.pair.upstreamNotification(now, ex, m, out)
	case jsonrpc.KindResponse:
		switch id := exchangeAt(m, m.ID); {
		case ex != 0 && ex != id: // T202
			out.log(Event{Kind: EventDropped, Rule: "T202"})
		default:
			s.response(now, id, m, out)
		}
	}
	c.endWhenIdle(out)
}

// response takes the response to the request ex.
func (s *Session) response(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	c := s.core
	switch sl := c.table.ofUpstream(ex); {
	case sl != nil && sl.phase == phaseWaiting && sl.method.relayed:
		c.answered(ex, out)
		c.relayAnswer(now, sl, m, out)
	case sl != nil && sl.phase == phaseWaiting:
		c.answered(ex, out)
		s.pair = s.pair.upstreamResponse(now, sl, m, out)
	case c.listen.owns(ex):
		c.answered(ex, out)
		c.listen.onResponse(now, ex, m, out)
	default: // T8
		out.log(Event{Kind: EventDropped, Rule: "T8"})
	}
}

// BadLine takes a line of side that was no message.
func (s *Session) BadLine(now time.Time, side Side, e *jsonrpc.LineError, out *Steps) {
	if side == Front {
		s.badFront(now, e, out)
	} else {
		s.badUpstream(now, e, out)
	}
	s.core.endWhenIdle(out)
}

// Shaped takes a [Shape] whose Run has returned. It writes nothing if the request
// has ended meanwhile.
func (s *Session) Shaped(now time.Time, h *Shape, out *Steps) {
	c, sl := s.core, h.slot
	if h.inquiry != nil {
		c.inquiries.shaped(now, h.inquiry, out)
		c.endWhenIdle(out)
		return
	}
	switch sl.phase {
	case phaseAnswering, phaseReplying:
		s.pair.shaped(now, sl, out)
	case phaseEnded:
		c.table.release(sl)
	}
	c.endWhenIdle(out)
}

// Lost says that the upstream's output has ended, or that the upstream could not
// be started; over [HTTP] there is no such end. Every request in flight is answered
// with cause, and so is each later one (T100). The first cause stands.
func (s *Session) Lost(now time.Time, cause Cause, out *Steps) {
	c := s.core
	if c.gone == "" {
		c.gone = cause
	}
	c.listen.forget(out)
	c.unasked(out)
	c.inquiries.forget(out)
	c.table.each(func(sl *slot) {
		if sl.quiet {
			c.done(now, sl, "", out)
		} else {
			c.end(now, sl, c.gone, out)
		}
	})
	c.endWhenIdle(out)
}

// Fired says that the time of the timer has come.
func (s *Session) Fired(now time.Time, t TimerID, out *Steps) {
	sl := s.core.table.ofUpstream(Exchange(t.N))
	switch t.Kind {
	case TimerRequest:
		if sl != nil {
			s.pair.expired(now, sl, out)
		}
	case TimerProgress:
		if sl != nil {
			sl.progress.rate.AllowN(now, 1) // it counts
			sl.progress.release(out)
		}
	case TimerInquiry:
		s.core.inquiries.fired(now, t.N, out)
	case TimerListen:
		s.core.listen.fired(now, out)
	case TimerDrain:
		s.core.drain(now, out)
	}
	s.core.endWhenIdle(out)
}
