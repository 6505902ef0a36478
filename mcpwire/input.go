package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// An inputWork reads a result that asks for input (T111).
type inputWork struct {
	notes
	m         *jsonrpc.Message
	can       capability // of the front
	front     revision   // that it speaks
	options   *Options
	violation string // the rule that the result broke; then nothing else counts
	questions []question
	state     secret  // the raw token of requestState (T127)
	refusal   Cause   // why it must not be answered; empty if it may be
	detail    []extra // what an error says of the entry that was refused
}

// maxDetail is the longest key of an input request that an error repeats, in
// bytes.
const maxDetail = 256

func (w *inputWork) long() bool { return w.m.Len() > maxInside }

// run implements T111 to T118. Either every entry passes, or nothing of the round is
// used.
func (w *inputWork) run() {
	asks, state := w.m.Member(int(memInputRequests)).Value, w.m.Member(int(memRequestState)).Value
	if isNull(w.m, asks) {
		asks = jsonrpc.Span{}
	}
	if isNull(w.m, state) {
		state = jsonrpc.Span{}
	}
	limits := &w.options.Limits
	switch {
	case asks.IsZero() && state.IsZero(),
		!asks.IsZero() && w.m.First(asks) != '{', !state.IsZero() && w.m.First(state) != '"':
		w.violation = "T111"
	case state.Len() > limits.RequestState:
		w.refusal = CauseInputLimit
	default:
		if !state.IsZero() {
			w.state = newSecret(w.m.AppendSpan(nil, state))
		}
		w.readQuestions(asks)
	}
}

// readQuestions implements T112 and T113 for the object at asks, which may be absent.
func (w *inputWork) readQuestions(asks jsonrpc.Span) {
	if asks.IsZero() {
		return
	}
	r := questioner{m: w.m, can: w.can, o: w.options, notes: &w.notes, front: w.front}
	keys := make(map[string]bool)
	for at := w.m.Walk(asks); at.Next(); {
		key := at.Name()
		name, ok := w.m.String(key)
		if !ok || keys[name] {
			w.violation = "T112"
			return
		}
		keys[name] = true
		if len(w.questions) == w.options.Limits.Inputs {
			w.refusal, w.questions = CauseInputLimit, nil
			return
		}
		q := question{key: w.m.AppendSpan(nil, key)}
		if !r.read(&q, at.Skip()) {
			w.refuse(&q)
			return
		}
		q.repeats = q.kind == askURL && q.answer == nil && anyAsksFor(w.questions, q.subject)
		w.questions = append(w.questions, q)
	}
}

// refuse gives the round up because of q (T113).
func (w *inputWork) refuse(q *question) {
	w.questions, w.state = nil, secret{}
	w.refusal, w.detail = CauseInputRefused, q.detail()
}

// detail is what an error says of the question: its key, unless that is long.
func (q *question) detail() []extra {
	if len(q.key) > maxDetail {
		return nil
	}
	return []extra{{"detail", q.key}}
}
