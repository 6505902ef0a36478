package mcpwire

import (
	"strconv"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A newer is a member of an object that older revisions do not have.
type newer struct {
	name  string
	since revision
}

// O1: what the objects of a result have got since the first revision. Members that a
// front does not know are legal in all of them, so only fronts before 2025-06-18 lose
// these: programs that were written when little was ever added.
var (
	newInTool = []newer{
		{"annotations", revision20250326}, {"title", revision20250618}, {"outputSchema", revision20250618},
		{"_meta", revision20250618}, {"icons", revision20251125},
	}
	newInItem        = []newer{{"title", revision20250618}, {"_meta", revision20250618}, {"icons", revision20251125}}
	newInArgument    = []newer{{"title", revision20250618}}
	newInContents    = []newer{{"_meta", revision20250618}}
	newInAnnotations = []newer{{"lastModified", revision20250618}}
)

// cutsNewer reports whether results lose what the front does not know (O1).
func (r revision) cutsNewer() bool { return r < revision20250618 }

// cutNewer implements O1 for the member that w is at: it is cut if it is one of these and
// the front does not know it.
func (h *answerWork) cutNewer(w *jsonrpc.Walk, c *cutter, of []newer) bool {
	if !h.front.cutsNewer() {
		return false
	}
	for _, n := range of {
		if h.front < n.since && w.NameIs(n.name) {
			prev := w.Prev()
			c.cut(prev, w.Skip().End)
			return true
		}
	}
	return false
}

// cutNewerIn implements O1 for the members of the object that w is at.
func (h *answerWork) cutNewerIn(w *jsonrpc.Walk, of []newer) {
	if !h.front.cutsNewer() || w.First() != '{' {
		return
	}
	c := h.cutterAt(w)
	for w.Enter(); w.Next(); {
		h.cutNewer(w, &c, of)
	}
	w.Leave()
}

// cutNewerInEach implements O1 for the elements of the array that w is at.
func (h *answerWork) cutNewerInEach(w *jsonrpc.Walk, of []newer) {
	if !h.front.cutsNewer() || w.First() != '[' {
		return
	}
	for w.Enter(); w.Next(); {
		h.cutNewerIn(w, of)
	}
	w.Leave()
}

// cutterAt returns a cutter for the container that w is about to enter.
func (r *rewrite) cutterAt(w *jsonrpc.Walk) cutter {
	return cutter{r: r, lead: w.Start() + 1, done: w.Start() + 1}
}

// A newBlock is what is read of a block of content that the front may not know.
type newBlock struct {
	name, title, uri, mime, data jsonrpc.Span
}

// see reads the member that w is at, and reports whether it is one of these.
func (b *newBlock) see(w *jsonrpc.Walk) bool {
	for _, at := range [...]struct {
		name string
		span *jsonrpc.Span
	}{{"name", &b.name}, {"title", &b.title}, {"uri", &b.uri}, {"mimeType", &b.mime}, {"data", &b.data}} {
		if w.NameIs(at.name) {
			*at.span = w.Skip()
			return true
		}
	}
	return false
}

// maxShownName is the longest name, type or URI that stands in a text in the place of a
// block, in bytes.
const maxShownName = 8 << 10

// text implements O3: what a front gets in the place of a block of this type, if it does
// not know that.
func (b *newBlock) text(m *jsonrpc.Message, kind string, front revision) (string, bool) {
	switch {
	case kind == "resource_link" && front < revision20250618:
		title := shownName(m, b.title)
		if title == "" {
			title = shownName(m, b.name)
		}
		return title + ": " + shownName(m, b.uri), true
	case kind == "audio" && front < revision20250326:
		return "[audio: " + shownName(m, b.mime) + ", " + strconv.Itoa(decodedLen(m, b.data)) + " bytes]", true
	}
	return "", false
}

func shownName(m *jsonrpc.Message, s jsonrpc.Span) string {
	if s.Len() > maxShownName {
		return ""
	}
	text, _ := m.String(s)
	return text
}

// decodedLen returns how many bytes the base64 string at s holds.
func decodedLen(m *jsonrpc.Message, s jsonrpc.Span) int {
	n := max(s.Len()-2, 0)
	for n > 0 && m.Byte(s.Off+n) == '=' {
		n--
	}
	return n * 3 / 4
}
