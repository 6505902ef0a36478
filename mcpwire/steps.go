package mcpwire

import (
	"math"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An Exchange names one request toward the upstream: its JSON-RPC id, which no other
// request of the session has. Zero is no request.
type Exchange uint32

// exchangeAt reads the id of a request toward the upstream at s; it is zero for
// anything that cannot be one of ours (T8).
func exchangeAt(m *jsonrpc.Message, s jsonrpc.Span) Exchange {
	n, ok := m.Int(s)
	if !ok || n <= 0 || n > math.MaxUint32 {
		return 0
	}
	return Exchange(n)
}

// A TimerKind says what a timer bounds.
type TimerKind uint8

// The timers of a session.
const (
	TimerRequest  TimerKind = 1 + iota // what the request of the Exchange N waits for has not come (T18, T51, T120)
	TimerProgress                      // progress of the Exchange N was held back (T142)
	TimerDrain                         // answers after the end of the front's input (T21)
	TimerInquiry                       // what an older upstream has asked of the front: its answer, or its turn to be asked (U18, I13)
	TimerListen                        // the stream of notifications: its acknowledgement, its end, or the wait for the next (T163 to T165)
)

// A TimerID names one timer of a session.
type TimerID struct {
	Kind TimerKind
	N    uint32
}

// A Timer asks to be told by [Session.Fired] when the time At has come.
type Timer struct {
	ID TimerID
	At time.Time
}

// A Frame is one message to write as one line: Lit, or Msg with Edits applied.
// Exchange is the request that the frame starts or cancels, and zero otherwise;
// toward the front it is the number N of an id b-N.
//
// A frame is valid until the session is called again: whoever keeps one longer
// copies Lit, or Edits with what they insert. Msg is valid as long as the message
// that was given to the session.
//
// Over [HTTP], each frame toward the upstream is the body of one POST, and Headers are
// among the headers of that. They are nil on [Stdio] and toward the front.
type Frame struct {
	Exchange Exchange
	Lit      []byte
	Msg      *jsonrpc.Message
	Edits    []jsonrpc.Edit
	Headers  Headers

	// Admission is that of the [Failure] after which a request goes out once more.
	Admission Admission

	// Opens says, over [HTTP], that the request opens a session with an older upstream:
	// it names no session, and the one that its response names, if it names one, is the
	// session from then on (see [ValidSession]).
	Opens bool
}

// AppendTo appends the line of f, without a line ending, to dst.
func (f *Frame) AppendTo(dst []byte) []byte {
	if f.Msg == nil {
		return append(dst, f.Lit...)
	}
	return f.Msg.AppendEdited(dst, f.Edits)
}

// Steps are what the caller of a [Session] must do. They are owned by one
// goroutine, which calls Reset before each use and hands them to one call of the
// session.
//
// Withdraw, ToFront, ToUpstream, Cancel, Close, Arm and Disarm are carried out, in this order,
// before anybody else calls the session. Shape, EndUpstream, Initialized, Consents and Log are
// carried out after that, before the next Reset.
type Steps struct {
	// ToFront and ToUpstream are lines to write, in order.
	ToFront, ToUpstream []Frame

	// Cancel are cancellations. If no byte of the request that a frame names by
	// its Exchange was written yet, that request is taken back and the frame is
	// not written; else the frame follows.
	// Over [HTTP] there are some only to an older upstream: such a frame is a POST of its
	// own, and Close names the request, too.
	Cancel []Frame

	// Close are requests over [HTTP] that are over for the session: answered, or given
	// up. One that was not sent yet is taken back; else its response stream is closed,
	// which tells the upstream that it is cancelled. Nothing is read for it any more, and
	// [Session.Failed] need not be called. There are none on [Stdio].
	Close []Exchange

	// Withdraw are cancellations of requests toward the front, as Cancel are of
	// those toward the upstream. They come before what ToFront holds.
	Withdraw []Frame

	// Arm and Disarm start and stop timers. Arming a timer that runs moves it. No
	// timer is in both.
	Arm    []Timer
	Disarm []TimerID

	// Shape, if set, is work to do outside: call [Shape.Run], then hand it to
	// [Session.Shaped], both before the message that was given to the session
	// becomes invalid, and before the session is given the next one of that side; over
	// [HTTP], of that response.
	Shape *Shape

	// OldTransport says that the upstream is to be reached as 2024-11-05 has it over HTTP,
	// from what ToUpstream holds now on: by a stream of events that names where to send
	// messages (L2). All of its messages come on that one, so Exchange is zero for each. It
	// stays so when the session is opened again for a [Failure] that is InSession.
	OldTransport bool

	// Stream says, over [HTTP], that an older upstream is initialized: a stream for its
	// messages outside of responses may be asked for by GET (L10), whose Exchange is zero.
	Stream bool

	// EndUpstream says that nothing more goes upstream: after what waits is
	// written, the upstream's input may be closed.
	EndUpstream bool

	// Initialized says, once in a session, that the front has said that it is initialized.
	// From then on, if CanAsk, [Session.Ask] can ask it: it has declared that it opens URLs
	// for a person.
	Initialized, CanAsk bool

	// Consents are the ends of questions that [Session.Ask] has put.
	Consents []Consent

	// Log are events worth a line in a log.
	Log []Event

	buf   []byte         // bytes of literals and inserts
	edits []jsonrpc.Edit // edits of frames
}

// maxKeptSteps is the largest memory of one kind that Reset keeps, in bytes.
const maxKeptSteps = 64 << 10

// Reset empties the steps and keeps their memory, unless it is large. They hold no message
// any more.
func (s *Steps) Reset() {
	clear(s.ToFront)
	clear(s.ToUpstream)
	clear(s.Cancel)
	clear(s.Withdraw)
	clear(s.edits)
	clear(s.Consents)
	if cap(s.buf) > maxKeptSteps || cap(s.edits) > maxKeptSteps/64 {
		s.buf, s.edits = nil, nil
	}
	*s = Steps{
		ToFront: s.ToFront[:0], ToUpstream: s.ToUpstream[:0], Cancel: s.Cancel[:0], Close: s.Close[:0], Withdraw: s.Withdraw[:0],
		Arm: s.Arm[:0], Disarm: s.Disarm[:0], Consents: s.Consents[:0], Log: s.Log[:0],
		buf: s.buf[:0], edits: s.edits[:0],
	}
}
