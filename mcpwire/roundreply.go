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
		c.fails(now, s, q, CauseInputFailed, out)
	default:
		s.shape.begin(s, m, &c.options, workReply)
		s.shape.question = q
		p.work(now, s, phaseReplying, out)
	}
}

// fails ends the request of s because of the question q.
func (c *core) fails(now time.Time, s *slot, q *question, cause Cause, out *Steps) {
	c.end(now, s, cause, out, q.detail()...)
}

// readReply implements T121 for the answer h.m.
func (h *Shape) readReply() {
	switch q := h.question; q.kind {
	case askForm:
		h.reply, h.action, h.valid = appendFormAnswer(nil, h.m, q.form)
	case askURL:
		h.reply, h.action, h.valid = appendURLAnswer(nil, h.m)
	case askContinue:
		h.readContinue()
	case askSampling:
		h.reply, h.valid = appendSamplingAnswer(nil, h.m, h.options.Limits.ExtraMeta)
	case askRoots:
		h.reply, h.valid = appendRootsAnswer(nil, h.m, h.options.Limits.ExtraMeta)
	}
}

// readContinue reads the answer to the Continue form, whose content is the bridge's
// own. In the place of a form without fields it is a form's answer (I17).
func (h *Shape) readContinue() {
	h.reply, h.action, h.valid = appendURLAnswer(nil, h.m)
	if f := h.question.form; f != nil && h.action == actionAccept {
		h.reply = []byte(`{"action":"accept","content":{}}`)
		h.valid = h.valid && f.accepts(h.m, jsonrpc.Span{})
	}
}

// replied takes an answer that was read.
func (p *legacyOverModern) replied(now time.Time, s *slot, out *Steps) {
	c, h, r := p.core, &s.shape, &s.rounds
	q, reply := h.question, h.reply
	s.phase = phaseAsking
	switch {
	case !h.valid:
		c.fails(now, s, q, CauseInputFailed, out)
		return
	case !c.roomFor(len(reply)):
		c.fails(now, s, q, CauseInputLimit, out)
		return
	}
	r.answer(q, reply)
	c.table.hold(s, len(reply))
	switch {
	case q.kind == askURL && h.action == actionAccept:
		r.accepted = append(r.accepted, accepted{url: q.subject, id: q.id})
	case h.action != "" && h.action != actionAccept:
		r.refused = append(r.refused, q.subject)
	}
	if r.unanswered() == 0 {
		p.inputComplete(now, s, out)
	}
}
