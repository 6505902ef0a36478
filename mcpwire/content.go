package mcpwire

import (
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// toolResult implements T74.
func (h *answerWork) toolResult() {
	content := h.m.Member(int(memContent)).Value
	first := h.m.First(content)
	if first != 0 && first != 'n' && first != '[' {
		h.violation = "T74"
		return
	}
	if v := h.m.Member(int(memIsError)).Value; !v.IsZero() && h.m.First(v) != 't' && h.m.First(v) != 'f' {
		h.drop(memIsError)
	}
	text := false
	if first == '[' && h.readsContent() {
		text = h.blocks(content)
	}
	data := h.m.Member(int(memStructuredContent)).Value
	switch {
	case first == 0:
		h.noContent = true
	case first == 'n':
		h.replaceContent(content, h.needsText(data, false))
	case first == '[' && h.needsText(data, text):
		h.appendText(content, data)
	}
	if h.isOtherData(data) && !h.passesData() {
		h.drop(memStructuredContent)
	}
}

// passesData reports whether structured content reaches the front whatever it is. One
// that knows none gets none (O1).
func (h *answerWork) passesData() bool {
	return h.options.Profile.LooseResults && !h.front.cutsNewer()
}

// needsText reports whether structured content that the front's revision cannot express
// must be told as text: in the strict profile unless the content has text, else
// where there is no content at all.
func (h *answerWork) needsText(data jsonrpc.Span, text bool) bool {
	switch {
	case !h.isOtherData(data):
		return false
	case h.passesData():
		return h.emptyContent()
	}
	return !text
}

// isOtherData reports whether there is structured content that the front's revision
// cannot express: none before 2025-06-18 (O1), and then only objects.
func (h *answerWork) isOtherData(data jsonrpc.Span) bool {
	return !data.IsZero() && (h.front.cutsNewer() || h.m.First(data) != '{')
}

// emptyContent reports whether the content has no block.
func (h *answerWork) emptyContent() bool {
	content := h.m.Member(int(memContent)).Value
	if h.m.First(content) != '[' {
		return true
	}
	w := h.m.Walk(content)
	return !w.Next()
}

// addContent puts content in front of the members that are left.
func (h *answerWork) addContent(only bool) {
	start := len(h.buf)
	h.buf = append(h.buf, `"content":`...)
	h.buf = h.appendContent(h.buf, h.needsText(h.m.Member(int(memStructuredContent)).Value, false))
	if !only {
		h.buf = append(h.buf, ',')
	}
	at := h.top.Off + 1
	h.inserted(jsonrpc.Span{Off: at, End: at}, start)
}

// replaceContent puts an array in the place of a content that is null.
func (h *answerWork) replaceContent(content jsonrpc.Span, text bool) {
	start := len(h.buf)
	h.buf = h.appendContent(h.buf, text)
	h.inserted(content, start)
}

func (h *answerWork) appendContent(b []byte, text bool) []byte {
	b = append(b, '[')
	if text {
		b = h.appendTextBlock(b, h.m.Member(int(memStructuredContent)).Value)
	}
	return append(b, ']')
}

// appendText adds a text block with the structured content to the content.
func (h *answerWork) appendText(content, data jsonrpc.Span) {
	start := len(h.buf)
	if !h.emptyContent() {
		h.buf = append(h.buf, ',')
	}
	h.buf = h.appendTextBlock(h.buf, data)
	at := content.End - 1
	h.inserted(jsonrpc.Span{Off: at, End: at}, start)
}

// maxTextCopy is the longest structured content that is written once more as text
// (T74), in bytes: quoted, it may be several times as long.
const maxTextCopy = 8 << 20

func (h *answerWork) appendTextBlock(b []byte, data jsonrpc.Span) []byte {
	if data.Len() > maxTextCopy {
		h.over = true
		return b
	}
	b = append(b, `{"type":"text","text":`...)
	b = jsonrpc.AppendQuote(b, string(h.m.AppendSpan(nil, data)))
	return append(b, '}')
}

// blocks checks each block of the content at s (T75) and reports whether one of
// them is text.
func (h *answerWork) blocks(s jsonrpc.Span) (text bool) {
	for w := h.m.Walk(s); w.Next() && !h.tooMany(); {
		if kind := h.block(&w); kind == "text" {
			text = true
		}
	}
	return text
}

// blockTypes are the types of content that both revisions have.
var blockTypes = [...]string{"text", "image", "audio", "resource_link", "resource"}

// block implements T75: in the strict profile a block of an unknown type, or one
// that is no object, becomes a text that names the type. It returns the type of
// the block, if it is a known one.
func (h *answerWork) block(w *jsonrpc.Walk) string {
	if w.First() != '{' {
		h.unsupported(w.Skip(), jsonrpc.Span{})
		return ""
	}
	mark, fill := len(h.list), len(h.buf)
	name, newer, s := h.blockMembers(w)
	for _, t := range blockTypes {
		if name.twice || !h.m.Is(name.Value, t) {
			continue
		}
		text, older := newer.text(h.m, t, h.front)
		if !older {
			return t
		}
		h.list, h.buf = h.list[:mark], h.buf[:fill] // nothing of the block is left
		h.textBlock(s, text, "O3")
		return "text"
	}
	if !h.options.Profile.LooseContent {
		h.list, h.buf = h.list[:mark], h.buf[:fill]
		h.unsupported(s, name.Value)
	}
	return ""
}

// blockMembers reads the members of the block that w is at, and mends them. name is that
// of its type.
func (h *answerWork) blockMembers(w *jsonrpc.Walk) (name picked, newer newBlock, s jsonrpc.Span) {
	c := h.cutterAt(w)
	w.Enter()
	for w.Next() {
		switch {
		case w.NameIs("type"):
			name.twice = !name.IsZero()
			name.Value = w.Skip()
			name.Name = name.Value
		case h.cutNewer(w, &c, newInContents):
		case w.NameIs("icons"): // of a resource link
			h.icons(w, &c)
		case !h.front.cutsNewer():
		case w.NameIs("annotations"):
			h.cutNewerIn(w, newInAnnotations)
		case w.NameIs("resource"):
			h.cutNewerIn(w, newInContents)
		default:
			newer.see(w)
		}
	}
	return name, newer, w.Leave()
}

// maxTypeName is the longest type name that a text repeats, in bytes.
const maxTypeName = 64

// unsupported replaces the block at s, whose type has this name.
func (h *answerWork) unsupported(s, name jsonrpc.Span) {
	if h.options.Profile.LooseContent {
		return
	}
	kind := "unknown"
	if v, ok := h.m.String(name); ok && len(v) <= maxTypeName {
		kind = v
	}
	h.textBlock(s, "[unsupported content: "+kind+"]", "T75")
}

// textBlock puts a block of text in the place of the one at s.
func (h *answerWork) textBlock(s jsonrpc.Span, text, rule string) {
	start := len(h.buf)
	h.buf = append(h.buf, `{"type":"text","text":`...)
	h.buf = jsonrpc.AppendQuote(h.buf, text)
	h.buf = append(h.buf, '}')
	h.inserted(s, start)
	h.note(EventRepaired, rule, 1)
}

// message checks a message of a prompt, whose content is one block (T76).
func (h *answerWork) message(w *jsonrpc.Walk) (end int, broken string) {
	w.Enter()
	for w.Next() {
		if w.NameIs("content") && h.readsContent() {
			h.block(w)
		}
	}
	return w.Leave().End, ""
}
