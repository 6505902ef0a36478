package mcpwire

import (
	"bytes"
	"crypto/sha256"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// T72: the cursors of lists. An editor asks for another page as long as it is
// given a cursor, so a cursor must be a string that is not empty, and a server
// must not be able to lead the editor in a circle, or on for ever.

// cursorMark stands before a cursor that would be empty, or that starts with the
// mark itself, on its way to the front.
const cursorMark = "b-"

// A pageKey is the digest of a cursor as the front sees it; the zero pageKey is
// the first page.
type pageKey [sha256.Size]byte

// keyOf is the key of the page with the cursor at s. A cursor with a lone
// surrogate has no value as text; it is kept as its bytes.
func keyOf(m *jsonrpc.Message, s jsonrpc.Span, mark string) pageKey {
	text, ok := m.AppendString([]byte(mark), s)
	if !ok {
		text = m.AppendSpan(text, s)
	}
	return sha256.Sum256(text)
}

// walks are the walks through the lists that the front is on, one for each list.
type walks map[member]*listWalk

// A listWalk is one walk from the first page on.
type listWalk struct {
	pages int                 // answered
	from  map[pageKey]pageKey // cursor → the page that gave it first
}

// request takes note of a request for a page and returns the key of that page. A
// request without cursor begins a new walk.
func (w *walks) request(list member, m *jsonrpc.Message) pageKey {
	if cursor := m.Member(int(memCursor)).Value; m.First(cursor) == '"' {
		return keyOf(m, cursor, "")
	}
	delete(*w, list)
	return pageKey{}
}

// given reports whether the cursor of a request for a page, if there is one, may be one
// that the front was given: it is no longer than the front can have made it.
func (l *Limits) given(m *jsonrpc.Message) bool {
	return !isLonger(m.Member(int(memCursor)).Value.Len(), l.Cursor+len(cursorMark))
}

// answer decides on the nextCursor of the page that h answers: what is not a
// string is removed, a cursor that an editor would misread gets the mark, and a
// walk that goes in a circle or has become too long ends, as it does at a cursor that
// is too long. This is done inside the caller's lock.
func (w *walks) answer(h *answerWork, limits *Limits) {
	next := h.m.Member(int(memNextCursor))
	switch {
	case next.IsZero():
		return
	case h.m.First(next.Value) != '"':
		h.drop(memNextCursor)
		return
	case next.Value.Len() > limits.Cursor:
		h.note(EventRepaired, "T72", 1)
		h.drop(memNextCursor)
		return
	}
	mark := ""
	if text, ok := h.m.AppendString(nil, next.Value); ok && (len(text) == 0 || bytes.HasPrefix(text, []byte(cursorMark))) {
		mark = cursorMark
	}
	switch {
	case !w.of(h.slot.method.array).page(h.slot.page, keyOf(h.m, next.Value, mark), limits.Pages):
		h.note(EventRepaired, "T72", 1)
		h.drop(memNextCursor)
	case mark != "":
		h.insert(next.Value.Off+1, mark)
	}
}

// of returns the walk through list.
func (w *walks) of(list member) *listWalk {
	if *w == nil {
		*w = make(walks)
	}
	walk := (*w)[list]
	if walk == nil {
		walk = &listWalk{from: make(map[pageKey]pageKey)}
		(*w)[list] = walk
	}
	return walk
}

// page takes note that page gave the cursor next, and reports whether the walk
// may go on: not if page names itself, not if another page gave the same cursor,
// and not after limit pages. A page that is asked for again may give the same
// cursor again.
func (w *listWalk) page(page, next pageKey, limit int) bool {
	w.pages++
	giver, seen := w.from[next]
	if w.pages >= limit || next == page || seen && giver != page {
		return false
	}
	w.from[next] = page
	return true
}

// unmark takes the mark off the front's cursor at c again.
func (e *lineEdit) unmark(c jsonrpc.Span) {
	text, _ := e.m.AppendString(nil, c)
	if rest, ok := bytes.CutPrefix(text, []byte(cursorMark)); ok {
		start := len(e.out.buf)
		e.out.buf = jsonrpc.AppendQuote(e.out.buf, string(rest))
		e.since(c, start)
	}
}

// unmark takes the mark off the front's cursor at c, which e has kept, again.
func (s *Steps) unmark(e *envelope, c jsonrpc.Span) {
	text, _ := e.m.AppendString(nil, c)
	if rest, ok := bytes.CutPrefix(text, []byte(cursorMark)); ok {
		start := len(s.buf)
		s.buf = jsonrpc.AppendQuote(s.buf, string(rest))
		e.replace(c, start)
	}
}
