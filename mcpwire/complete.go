package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// completion implements T78: values are strings, and not too many.
func (h *answerWork) completion() {
	top := h.m.Member(int(memCompletion)).Value
	if h.m.First(top) != '{' {
		h.violation = "T78"
		return
	}
	lists, values := 0, 0
	var more jsonrpc.Span
	for w := h.m.Walk(top); w.Next(); {
		switch {
		case w.NameIs("values"):
			lists++
			if w.First() != '[' {
				h.violation = "T78"
				return
			}
			values = h.values(&w)
		case w.NameIs("hasMore"):
			more = w.Skip()
		}
	}
	switch {
	case lists != 1:
		h.violation = "T78"
	case values <= h.options.Limits.Completions:
	case more.IsZero():
		h.insert(top.End-1, `,"hasMore":true`)
	default:
		h.replace(more, `true`)
	}
}

// values cuts what is no string, and what is too much, out of the array that w is
// at. It returns how many strings there are.
func (h *answerWork) values(w *jsonrpc.Walk) int {
	n := 0
	c := cutter{r: &h.rewrite, lead: w.Start() + 1, done: w.Start() + 1}
	w.Enter()
	for w.Next() && !h.tooMany() {
		prev, text := w.Prev(), w.First() == '"'
		if text {
			n++
		}
		if end := w.Skip().End; !text || n > h.options.Limits.Completions {
			c.cut(prev, end)
			h.note(EventRepaired, "T78", 1)
		}
	}
	w.Leave()
	return n
}
