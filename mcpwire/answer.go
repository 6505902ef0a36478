package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// The answers of a person to an elicitation.
const (
	actionAccept  = "accept"
	actionDecline = "decline"
	actionCancel  = "cancel"
)

// A replyReader reads an answer of the front, to write it as an entry of
// inputResponses.
type replyReader struct {
	m     *jsonrpc.Message
	limit int // see [Limits.ExtraMeta]
}

// T121: an answer of the front to a question becomes an entry of inputResponses. It
// is built anew of the members that the rule names, each as it came; an answer that
// has one of these twice is not valid (W11). If an answer is not valid, what was
// appended means nothing.

// appendForm appends the answer to a form: the action, and the content if it
// is accept (I04). To accept without content is to accept with an empty one. An
// empty form asks for nothing, so whatever the front put in stays here (I17).
func (r *replyReader) appendForm(b []byte, f *form) (out []byte, action string, ok bool) {
	var found [2]picked
	action, ok = r.readAction(found[:])
	content := found[1].Value
	switch {
	case !ok:
		return b, action, false
	case action != actionAccept:
		return appendAction(b, action), action, true
	case f.empty():
		content = jsonrpc.Span{}
	}
	if !f.accepts(r.m, content) {
		return b, action, false
	}
	b = append(b, `{"action":"accept","content":`...)
	if content.IsZero() {
		return append(b, `{}}`...), action, true
	}
	return append(r.m.AppendSpan(b, content), '}'), action, true
}

// appendURL appends the answer to a URL: the action, never a content (I04).
func (r *replyReader) appendURL(b []byte) (out []byte, action string, ok bool) {
	var found [1]picked
	action, ok = r.readAction(found[:])
	if !ok {
		return b, "", false
	}
	return appendAction(b, action), action, true
}

// appendAction appends an answer that is nothing but an action.
func appendAction(b []byte, action string) []byte {
	return append(append(append(b, `{"action":"`...), action...), `"}`...)
}

// readAction finds the action of an answer and, if found has room for it, the
// content.
func (r *replyReader) readAction(found []picked) (action string, ok bool) {
	names := [...]string{"action", "content"}
	if !pickOnce(r.m, r.m.Result, found, names[:len(found)]...) {
		return "", false
	}
	for _, action := range [...]string{actionAccept, actionDecline, actionCancel} {
		if r.m.Is(found[0].Value, action) {
			return action, true
		}
	}
	return "", false
}

// appendSampling appends the answer to a sampling request: role, content, model,
// stopReason and what may go upstream of _meta.
func (r *replyReader) appendSampling(b []byte) (out []byte, ok bool) {
	var found [5]picked
	if !pickOnce(r.m, r.m.Result, found[:], "role", "content", "model", "stopReason", "_meta") {
		return b, false
	}
	role, reason, meta := found[0].Value, found[3].Value, found[4].Value
	switch {
	case !r.m.Is(role, "user") && !r.m.Is(role, "assistant"),
		!r.isSampled(found[1].Value),
		r.m.First(found[2].Value) != '"',
		!reason.IsZero() && r.m.First(reason) != '"':
		return b, false
	}
	b = appendPicked(b, r.m, found[:4])
	return r.closeWithMeta(b, meta), true
}

// isSampled reports whether the content at s is a block of sampling, or an array of
// these.
func (r *replyReader) isSampled(s jsonrpc.Span) bool {
	c := messageCheck{m: r.m}
	return c.eachBlock(s, func(samplingBlock) bool { return true })
}

// closeWithMeta adds to the object at the end of b, which is not empty, what may go
// upstream of the front's _meta at s. In an answer that is vscode.* alone: trace
// context belongs to requests, and everything else the front keeps to itself (W10).
// Of what is no object nothing goes, nor of what is larger than the limit.
func (r *replyReader) closeWithMeta(b []byte, s jsonrpc.Span) []byte {
	if r.m.First(s) != '{' {
		return b
	}
	b = b[:len(b)-1]
	start := len(b)
	b = append(b, `,"_meta":{`...)
	open := len(b)
	b = appendExtraMeta(b, r.m, &frontMeta{span: s}, r.limit)
	if len(b) == open {
		return append(b[:start], '}')
	}
	copy(b[open:], b[open+1:]) // appendExtraMeta puts a comma before each
	return append(b[:len(b)-1], `}}`...)
}
