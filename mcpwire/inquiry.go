package mcpwire

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An inquiry is a request of an older upstream to the front (L5). It is checked as a
// question of 2026-07-28 is, passes with an id of the bridge, and its answer is checked.
type inquiry struct {
	question
	theirs  []byte // its raw id
	token   []byte // its raw progress token; empty if it has none
	sent    bool   // to the front
	reading bool   // its params, or its answer, are being read outside
	over    bool   // ended meanwhile
	held    int    // bytes that count as held
	shape   Shape
}

// inquiries are those of a session.
type inquiries struct {
	core    *core
	can     capability // of the front
	open    map[uint32]*inquiry
	rate    *rate.Limiter
	expects pages // ids of pages whose end may be told (L6)
	noModel bool  // sampling was refused, and is not asked for any more (I15)
}

// maxExpected bounds the pages whose end may be told at a time.
const maxExpected = 1000

func newInquiries(c *core, can capability) *inquiries {
	l := &c.options.Limits
	return &inquiries{
		core: c, can: can, open: make(map[uint32]*inquiry), expects: make(pages),
		rate: rate.NewLimiter(rate.Limit(l.InputRate), l.InputBurst),
	}
}

// Texts of the errors that an older upstream gets.
const (
	textUnknown   = "The method is not available."
	textUndecided = "The client has not declared this."
	textRefused   = "The client must not be asked for this."
	textBusy      = "Too many requests to the client are open."
	textEarly     = "The client is not initialized."
	textFailed    = "The client gave no answer that is valid."
	textDeclined  = "The client answered with an error."
	textTimeout   = "The client did not answer in time."
	textNoCall    = "The client has no request in flight that this could be for."
)

// ask takes a request of the upstream (L5, U18). early says that the front is not
// initialized yet.
func (t *inquiries) ask(now time.Time, m *jsonrpc.Message, initialized bool, out *Steps) {
	c := t.core
	id := m.AppendSpan(nil, m.ID)
	code, text := int64(0), ""
	switch need, known := t.needs(m); {
	case t.of(id) != nil: // its answer would look like the one to the first
		out.log(Event{Kind: EventDropped, Rule: "L5"})
		return
	case !known:
		code, text = codeMethodNotFound, textUnknown
	case need != 0 && t.can&need == 0:
		code, text = undeclared(need), textUndecided
	case !initialized:
		code, text = codeInvalidRequest, textEarly
	case len(t.open) >= c.options.Limits.Inquiries, !c.roomFor(m.Len()), c.ending:
		code, text = codeInternal, textBusy
	case need == canSample && t.noModel:
		code, text = codeRefused, textDeclined
	case need == canSample && !c.options.SampleAnytime && !c.calls(): // I16
		code, text = codeInternal, textNoCall
	default:
		t.read(now, id, m, out)
		return
	}
	c.refuseUpstream(id, code, text, out)
	out.log(Event{Kind: EventDropped, Rule: "L5"})
}

// needs returns what the front must have declared for the request, and whether it is one
// that it can get. What an elicitation needs depends on its mode.
func (t *inquiries) needs(m *jsonrpc.Message) (need capability, known bool) {
	switch {
	case m.Is(m.Method, methodListRoots):
		return canListRoots, true
	case m.Is(m.Method, methodSample):
		return canSample, true
	case m.Is(m.Method, methodElicit):
		return canForm | canURL, true
	}
	return 0, false
}

// undeclared is the code of an error about a request for which the front lacks this.
func undeclared(need capability) int64 {
	if need&(canForm|canURL) != 0 {
		return codeInvalidParams
	}
	return codeMethodNotFound
}

// calls reports whether the front has a request in flight for which a server may want the
// model.
func (c *core) calls() bool {
	found := false
	c.table.each(func(s *slot) {
		found = found || s.method.rounds || s.method.name == methodTaskResult
	})
	return found
}

// read reads the request m, outside if that may take long.
func (t *inquiries) read(now time.Time, id []byte, m *jsonrpc.Message, out *Steps) {
	c := t.core
	q := &inquiry{theirs: id, held: m.Len()}
	q.number = c.questions.next()
	t.open[q.number] = q
	c.table.held += q.held
	w := &inquiryWork{m: m, can: t.can, options: &c.options, inquiry: q}
	t.work(now, q, w, out)
}

// work does w for q: outside the caller's lock if that may take long.
func (t *inquiries) work(now time.Time, q *inquiry, w work, out *Steps) {
	q.reading = true
	q.shape.inquiry, q.shape.work = q, w
	if w.long() {
		out.Shape = &q.shape
		return
	}
	w.run()
	t.shaped(now, q, out)
}

// shaped takes the shape of q back.
func (t *inquiries) shaped(now time.Time, q *inquiry, out *Steps) {
	w := q.shape.work
	q.reading, q.shape.work = false, nil
	if q.over {
		return
	}
	switch w := w.(type) {
	case *inquiryWork:
		out.Log = append(out.Log, w.events...)
		t.wasRead(now, q, w.passes, out)
	case *replyWork:
		t.replied(q, w, out)
	}
}

// wasRead takes a request that was read: it goes to the front in its turn (I13). A page
// that must not be shown is declined in the place of the front (T116).
func (t *inquiries) wasRead(now time.Time, q *inquiry, passes bool, out *Steps) {
	c := t.core
	switch {
	case !passes:
		t.refuse(q, codeInvalidParams, textRefused, out)
		out.log(Event{Kind: EventDropped, Rule: "L5"})
		return
	case q.answer != nil:
		t.end(q, out)
		c.answerUpstream(q.theirs, q.answer, out)
		return
	case q.kind == askURL:
		t.expects.add(q.id)
	}
	if d := t.rate.ReserveN(now, 1).DelayFrom(now); d > 0 {
		out.arm(Timer{TimerID{TimerInquiry, q.number}, now.Add(d)})
		return
	}
	t.send(now, q, out)
}

// send writes q toward the front.
func (t *inquiries) send(now time.Time, q *inquiry, out *Steps) {
	l := &t.core.options.Limits
	q.sent = true
	id := q.id
	q.id = "" // it is among the params
	out.ToFront = append(out.ToFront, Frame{Exchange: Exchange(q.number), Lit: out.question(&q.question)})
	q.id = id
	q.params = nil
	wait := l.Input
	if q.kind == askRoots {
		wait = l.Roots
	}
	out.arm(Timer{TimerID{TimerInquiry, q.number}, now.Add(wait)})
}

// fired says that the turn of the inquiry n has come, or that its time is over.
func (t *inquiries) fired(now time.Time, n uint32, out *Steps) {
	switch q := t.find(n); {
	case q == nil:
	case !q.sent:
		t.send(now, q, out)
	default:
		t.withdraw(q, out)
		t.core.refuseUpstream(q.theirs, codeInternal, textTimeout, out)
		out.log(Event{Kind: EventDropped, Rule: "U18"})
	}
}

// cancelled takes notifications/cancelled of the upstream. It reaches the front only for a
// request of the upstream that the front was asked (L6).
func (t *inquiries) cancelled(m *jsonrpc.Message, out *Steps) {
	var found [1]picked
	pick(m, found[:], "requestId")
	q := t.of(m.AppendSpan(nil, found[0].once()))
	if q == nil {
		out.log(Event{Kind: EventDropped, Rule: "T151"})
		return
	}
	t.withdraw(q, out)
}

// withdraw takes q back from the front.
func (t *inquiries) withdraw(q *inquiry, out *Steps) {
	t.end(q, out)
	if q.sent && !q.reading { // else it was not asked yet, or has answered
		out.withdraw(q.number, `"The server does not need this any more."`)
	}
}

// refuse ends q by an error.
func (t *inquiries) refuse(q *inquiry, code int64, text string, out *Steps) {
	t.end(q, out)
	t.core.refuseUpstream(q.theirs, code, text, out)
}

// end forgets q, before anything is written for it.
func (t *inquiries) end(q *inquiry, out *Steps) {
	delete(t.open, q.number)
	q.over = true
	t.core.table.held -= q.held
	out.disarm(TimerID{TimerInquiry, q.number})
}

// forget takes every inquiry back, of an upstream that is lost or opens a new session.
func (t *inquiries) forget(out *Steps) {
	if t == nil {
		return
	}
	for _, n := range slices.Sorted(maps.Keys(t.open)) {
		t.withdraw(t.open[n], out)
	}
}

// find returns the inquiry with this number, or nil.
func (t *inquiries) find(n uint32) *inquiry {
	if t == nil {
		return nil
	}
	return t.open[n]
}

// of returns the inquiry with this raw id of the upstream, or nil.
func (t *inquiries) of(id []byte) *inquiry {
	for _, q := range t.open {
		if bytes.Equal(q.theirs, id) {
			return q
		}
	}
	return nil
}

// wants reports whether an inquiry has this raw progress token.
func (t *inquiries) wants(token []byte) bool {
	for _, q := range t.open {
		if q.sent && len(token) > 0 && bytes.Equal(q.token, token) {
			return true
		}
	}
	return false
}

// expect notes the ids of pages that an error names (L8).
func (t *inquiries) expect(pages []string) {
	for _, id := range pages {
		t.expects.add(id)
	}
}
