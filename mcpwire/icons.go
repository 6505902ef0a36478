package mcpwire

import (
	"bytes"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// T84: an editor trusts the icons of a local server as it trusts a local process,
// and loads them from files and the network. So of a remote server only icons that
// hold their own data reach the front.

// appendIcons appends the array of icons at s without those that are no data URI,
// and reports how many were kept and how many were not. What is no array has none.
func appendIcons(b []byte, m *jsonrpc.Message, s jsonrpc.Span) (icons []byte, kept, cut int) {
	if m.First(s) != '[' {
		return b, 0, 1
	}
	b = append(b, '[')
	for w := m.Walk(s); w.Next(); {
		data := hasData(m, w)
		at := w.Skip()
		if !data {
			cut++
			continue
		}
		if kept > 0 {
			b = append(b, ',')
		}
		kept++
		b = m.AppendSpan(b, at)
	}
	return append(b, ']'), kept, cut
}

// hasData reports whether the icon that w is at has a data URI for its source, and
// no other source. The scheme counts only if it is written without escapes. w is a
// copy: the cursor of the caller stays.
func hasData(m *jsonrpc.Message, w jsonrpc.Walk) bool {
	const scheme = "data:"
	if w.First() != '{' {
		return false
	}
	sources, data := 0, false
	w.Enter()
	for w.Next() {
		if !w.NameIs("src") {
			continue
		}
		sources++
		s := w.Skip()
		if m.First(s) == '"' && s.Len() > len(scheme)+1 {
			head := m.AppendSpan(nil, jsonrpc.Span{Off: s.Off + 1, End: s.Off + 1 + len(scheme)})
			data = bytes.EqualFold(head, []byte(scheme))
		}
	}
	return sources == 1 && data
}

// icons applies T84 to the member icons that w is at.
func (h *answerWork) icons(w *jsonrpc.Walk, c *cutter) {
	prev, s := w.Prev(), w.Skip()
	if !h.options.Remote {
		return
	}
	start := len(h.buf)
	kept, cut := 0, 0
	h.buf, kept, cut = appendIcons(h.buf, h.m, s)
	switch {
	case kept == 0:
		h.buf = h.buf[:start]
		c.cut(prev, s.End)
	case cut == 0:
		h.buf = h.buf[:start]
		return
	default:
		h.inserted(s, start)
	}
	h.note(EventRepaired, "T84", max(cut, 1))
}
