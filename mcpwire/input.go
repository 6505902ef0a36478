package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// input is what an input_required result asks for, as it was read outside the
// caller's lock.
type input struct {
	questions []question
	state     secret  // the raw token of requestState (T127)
	refusal   Cause   // why it must not be answered; empty if it may be
	detail    []extra // what an error says of the entry that was refused
}

// maxDetail is the longest key of an input request that an error repeats, in
// bytes.
const maxDetail = 256

// readInput implements T111 to T118 for the result h.m. Either every entry passes,
// or nothing of the round is used.
func (h *Shape) readInput() {
	asks, state := h.m.Member(int(memInputRequests)).Value, h.m.Member(int(memRequestState)).Value
	if isNull(h.m, asks) {
		asks = jsonrpc.Span{}
	}
	if isNull(h.m, state) {
		state = jsonrpc.Span{}
	}
	limits := &h.options.Limits
	switch {
	case asks.IsZero() && state.IsZero(),
		!asks.IsZero() && h.m.First(asks) != '{', !state.IsZero() && h.m.First(state) != '"':
		h.violation = "T111"
	case state.Len() > limits.RequestState:
		h.input.refusal = CauseInputLimit
	default:
		if !state.IsZero() {
			h.input.state = newSecret(h.m.AppendSpan(nil, state))
		}
		h.readQuestions(asks)
	}
}

// readQuestions implements T112 and T113 for the object at asks, which may be absent.
func (h *Shape) readQuestions(asks jsonrpc.Span) {
	if asks.IsZero() {
		return
	}
	in, r := &h.input, questioner{h.m, h.can, h.options, h.note}
	keys := make(map[string]bool)
	for w := h.m.Walk(asks); w.Next(); {
		key := w.Name()
		name, ok := h.m.String(key)
		if !ok || keys[name] {
			h.violation = "T112"
			return
		}
		keys[name] = true
		if len(in.questions) == h.options.Limits.Inputs {
			in.refusal, in.questions = CauseInputLimit, nil
			return
		}
		q := question{key: h.m.AppendSpan(nil, key)}
		if !r.read(&q, w.Skip()) {
			in.refuse(&q)
			return
		}
		q.repeats = q.kind == askURL && q.answer == nil && anyAsksFor(in.questions, q.subject)
		in.questions = append(in.questions, q)
	}
}

// refuse gives the round up because of q (T113).
func (in *input) refuse(q *question) {
	*in = input{refusal: CauseInputRefused, detail: q.detail()}
}

// detail is what an error says of the question: its key, unless that is long.
func (q *question) detail() []extra {
	if len(q.key) > maxDetail {
		return nil
	}
	return []extra{{"detail", q.key}}
}
