package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// answer takes an answer of the front. One that nothing waits for does no harm (T6).
func (t *inquiries) answer(now time.Time, m *jsonrpc.Message, out *Steps) {
	q := t.find(questionNumber(m.AppendSpan(nil, m.ID)))
	switch {
	case q == nil || !q.sent || q.reading:
		out.log(Event{Kind: EventDropped, Rule: "T6"})
	case !m.Error.IsZero(): // I04: its text stays here
		code := readError(m).code
		t.noModel = t.noModel || t.core.options.Profile.RefusalHolds && q.kind == askSampling && code == codeRefused
		if code == 0 {
			code = codeInternal
		}
		t.refuse(q, code, textDeclined, out)
	default:
		out.disarm(TimerID{TimerInquiry, q.number}) // the answer is here
		w := &replyWork{replyReader: replyReader{m, t.core.options.Limits.ExtraMeta}, question: &q.question}
		t.work(now, q, w, out)
	}
}

// replied takes an answer that was read (T121).
func (t *inquiries) replied(q *inquiry, w *replyWork, out *Steps) {
	if !w.valid {
		t.refuse(q, codeInternal, textFailed, out)
		out.log(Event{Kind: EventDropped, Rule: "I04"})
		return
	}
	t.end(q, out)
	t.core.answerUpstream(q.theirs, w.reply, out)
}

// bad takes a line of the front that is no message, and reports whether it was to answer
// an inquiry, which fails by it (T126).
func (t *inquiries) bad(id []byte, out *Steps) bool {
	q := t.find(questionNumber(id))
	if q == nil || !q.sent {
		return false
	}
	t.refuse(q, codeInternal, textFailed, out)
	return true
}
