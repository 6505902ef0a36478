package mcpwire

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A paramReader reads the arguments of one call that become headers (T200).
type paramReader struct {
	m       *jsonrpc.Message
	limit   int // of all headers, in bytes: see [Limits.Headers]
	size    int
	found   []paramHeader
	invalid bool // there is a value that no header can say
}

// A paramHeader is one header, and its place among those of the tool.
type paramHeader struct {
	Header
	order int
}

// paramHeaders implements T200: it returns the headers for the arguments of the call m,
// in the order in which the tool has them. It reports false if there is a value that must
// go with a header and cannot.
func paramHeaders(m *jsonrpc.Message, t *paramTree, limit int) (Headers, bool) {
	r := paramReader{m: m, limit: limit}
	if arguments := m.Member(int(memArguments)).Value; m.First(arguments) == '{' && t != nil {
		w := m.Walk(arguments)
		r.object(&w, t)
	}
	if r.invalid {
		return nil, false
	}
	slices.SortFunc(r.found, func(a, b paramHeader) int { return cmp.Compare(a.order, b.order) })
	var h Headers
	for i := range r.found {
		h = append(h, r.found[i].Header)
	}
	return h, true
}

// object reads the members of an object that w is in. One that leads to a header must
// not stand twice: who checks the header could read another one than who runs the tool
// (W11).
func (r *paramReader) object(w *jsonrpc.Walk, t *paramTree) {
	var seen []*paramTree
	var name []byte
	for w.Next() && !r.invalid {
		var ok bool
		name, ok = r.m.AppendString(name[:0], w.Name())
		sub := t.below[string(name)]
		if !ok || sub == nil {
			continue
		}
		if slices.Contains(seen, sub) {
			r.invalid = true
			return
		}
		seen = append(seen, sub)
		r.value(w, sub)
	}
}

// value reads the value that w is at.
func (r *paramReader) value(w *jsonrpc.Walk, t *paramTree) {
	if w.First() == '{' && len(t.below) > 0 {
		w.Enter()
		r.object(w, t)
		w.Leave()
		return
	}
	if t.header == "" {
		return
	}
	s := w.Skip()
	text, ok := r.text(s, t.kind)
	if !ok {
		return
	}
	r.size += len(t.header) + len(text)
	r.invalid = r.invalid || r.size > r.limit
	r.found = append(r.found, paramHeader{Header{t.header, headerValue(text)}, t.order})
}

// text returns the value at s as a header says it; it reports false if there is none for
// it, since it is of another type.
func (r *paramReader) text(s jsonrpc.Span, kind paramKind) (string, bool) {
	switch first := r.m.First(s); {
	case (first == '"' || isNumber(r.m, s)) && isLonger(s.Len(), r.limit+1):
		r.invalid = (kind == paramString) == (first == '"') && kind != paramBoolean
	case kind == paramString && first == '"':
		return r.m.String(s)
	case kind == paramBoolean && (first == 't' || first == 'f'):
		return strconv.FormatBool(first == 't'), true
	case kind == paramInteger && isNumber(r.m, s):
		d := parseDecimal(r.m.AppendSpan(nil, s))
		if !d.integral() {
			return "", false
		}
		text, ok := d.safeInteger()
		r.invalid = r.invalid || !ok
		return text, ok
	}
	return "", false
}

// maxSafeInteger is the largest integer that every reader of JSON has exactly.
const maxSafeInteger = 1<<53 - 1

// safeInteger returns d, which is integral, in decimal. It reports false if some reader of
// JSON could have another number.
func (d decimal) safeInteger() (string, bool) {
	if d.exp > int64(len("9007199254740991")) {
		return "", false
	}
	var n int64
	for i := range d.exp {
		n *= 10
		if i < int64(len(d.digits)) {
			n += int64(d.digits[i] - '0')
		}
	}
	if n > maxSafeInteger {
		return "", false
	}
	if d.negative {
		n = -n
	}
	return strconv.FormatInt(n, 10), true
}
