package mcpwire

import (
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// emptySchema is the input schema of a tool that has none (W06).
const emptySchema = `{"type":"object","properties":{}}`

// tool implements T79 for the tool that w is at.
func (h *answerWork) tool(w *jsonrpc.Walk) (end int, broken string) {
	if h.options.Transport == HTTP && !h.same { // T199
		t := readTool(h.m, *w, &h.options.Limits)
		h.tools.note(&t, &h.options.Limits)
		if t.invalid {
			return w.Skip().End, "T199"
		}
	}
	var name onlyString
	inputs, outputs := 0, 0
	c := h.cutterAt(w)
	w.Enter()
	for w.Next() && broken == "" {
		switch {
		case w.NameIs("name"):
			name.see(w)
		case h.cutNewer(w, &c, newInTool):
		case w.NameIs("icons"):
			h.icons(w, &c)
		case !h.same && w.NameIs("execution"):
			prev := w.Prev()
			c.cut(prev, w.Skip().End)
		case w.NameIs("inputSchema"):
			inputs++
			broken = h.inputSchema(w)
		case w.NameIs("outputSchema"):
			outputs++
			broken = h.outputSchema(w, &c)
		}
	}
	s := w.Leave()
	switch {
	case broken != "":
		return s.End, broken
	case !name.ok() || inputs > 1 || outputs > 1: // W11: what a rule reads stands once
		return s.End, "T73"
	case inputs == 0:
		h.insert(s.End-1, `,"inputSchema":`+emptySchema)
		h.note(EventRepaired, "T79", 1)
	}
	return s.End, ""
}

// inputSchema mends the input schema that w is at. A root of another type than
// object cannot take arguments, so the tool must go (T81).
func (h *answerWork) inputSchema(w *jsonrpc.Walk) (broken string) {
	if w.First() != '{' {
		h.replace(w.Skip(), emptySchema)
		h.note(EventRepaired, "T79", 1)
		return ""
	}
	fix := schemaFix{h: h}
	root := fix.schema(w, 1)
	switch {
	case fix.tooLarge:
		return "T80"
	case root.typeAt.IsZero():
		sep := `,`
		if root.bare {
			sep = ``
		}
		h.insert(root.span.Off+1, `"type":"object"`+sep)
		fix.mended++
	case !h.m.Is(root.typeAt, "object"):
		return "T81"
	}
	fix.report()
	return ""
}

// outputSchema mends the output schema that w is at. 2025-11-25 cannot say a root
// of another type than object: the strict profile leaves the schema out (T79).
func (h *answerWork) outputSchema(w *jsonrpc.Walk, c *cutter) (broken string) {
	prev, mark := w.Prev(), len(h.list)
	if w.First() != '{' {
		c.cut(prev, w.Skip().End)
		return ""
	}
	fix := schemaFix{h: h}
	root := fix.schema(w, 1)
	switch {
	case fix.tooLarge:
		return "T80"
	case !h.m.Is(root.typeAt, "object") && !h.options.Profile.LooseResults:
		h.list = h.list[:mark]
		c.cut(prev, root.span.End)
	default:
		fix.report()
	}
	return ""
}
