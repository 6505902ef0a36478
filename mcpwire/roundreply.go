package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// frontResponse takes the front's answer to a question. One that nothing waits for,
// because it is late or its id was never given, gets no reply and does no harm (T6,
// T131).
func (p *legacyOverModern) frontResponse(now time.Time, m *jsonrpc.Message, out *Steps) {
	c := p.core
	s, q := c.questions.take(m.AppendSpan(nil, m.ID))
	switch {
	case s == nil:
		out.log(Event{Kind: EventDropped, Rule: "T6"})
	case !m.Error.IsZero(): // T122: its text stays here
		p.noModel = p.noModel || c.options.Profile.RefusalHolds && q.kind == askSampling && readError(m).code == codeRefused
		c.fails(now, s, q, CauseInputFailed, out)
	default:
		p.work(now, s, &replyWork{replyReader: replyReader{m, c.options.Limits.ExtraMeta}, question: q}, phaseReplying, out)
	}
}

// fails ends the request of s because of the question q.
func (c *core) fails(now time.Time, s *slot, q *question, cause Cause, out *Steps) {
	c.end(now, s, cause, out, q.detail()...)
}

// A replyWork reads the front's answer to a question (T121).
type replyWork struct {
	replyReader
	question *question
	reply    []byte // its value in inputResponses
	action   string // of that, if it has one
	valid    bool   // the upstream may have it
}

func (w *replyWork) long() bool { return w.m.Len() > maxInside }

// run implements T121.
func (w *replyWork) run() {
	switch q := w.question; q.kind {
	case askForm:
		w.reply, w.action, w.valid = w.appendForm(nil, q.form)
	case askURL:
		w.reply, w.action, w.valid = w.appendURL(nil)
	case askContinue:
		w.readContinue()
	case askSampling:
		w.reply, w.valid = w.appendSampling(nil)
	case askRoots:
		w.reply, w.valid = w.appendRoots(nil)
	}
}

// readContinue reads the answer to the Continue form, whose content is the bridge's
// own. In the place of a form without fields it is a form's answer (I17).
func (w *replyWork) readContinue() {
	w.reply, w.action, w.valid = w.appendURL(nil)
	if f := w.question.form; f != nil && w.action == actionAccept {
		w.reply = []byte(`{"action":"accept","content":{}}`)
		w.valid = w.valid && f.accepts(w.m, jsonrpc.Span{})
	}
}

// replied takes an answer that was read.
func (p *legacyOverModern) replied(now time.Time, s *slot, w *replyWork, out *Steps) {
	c, r := p.core, &s.rounds
	q, reply := w.question, w.reply
	s.phase = phaseAsking
	switch {
	case !w.valid:
		c.fails(now, s, q, CauseInputFailed, out)
		return
	case !c.roomFor(len(reply)):
		c.fails(now, s, q, CauseInputLimit, out)
		return
	}
	r.answer(q, reply)
	c.table.hold(s, len(reply))
	switch {
	case q.kind == askURL && w.action == actionAccept:
		r.accepted = append(r.accepted, accepted{url: q.subject, id: q.id})
	case w.action != "" && w.action != actionAccept:
		r.refused = append(r.refused, q.subject)
	}
	if r.unanswered() == 0 {
		p.inputComplete(now, s, out)
	}
}
