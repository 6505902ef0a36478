package mcpwire

import (
	"cmp"
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An answerWork rewrites an answer of the upstream for the front: a complete result, or
// an error. Of its slot it reads the front's id, the method and the URIs, which stay as
// they are until the shape is back (see table.release).
type answerWork struct {
	rewrite
	notes
	slot      *slot
	options   *Options
	front     revision     // of the front (O9)
	same      bool         // the upstream speaks it, too (L3)
	top       jsonrpc.Span // the result
	cuts      []jsonrpc.Member
	noContent bool    // content must be put in (T74)
	uris      listing // that were listed (W21)
	tools     listedTools
	violation string   // the rule that the answer broke; then nothing else counts
	refusal   refusal  // what an error asks for
	task      bool     // a call has become a task (L7)
	pages     []string // ids of pages that an error names (L8)
}

// maxKeptShape is the largest memory of edits that a free slot keeps, in bytes.
const maxKeptShape = 64 << 10

// answerTo returns the work on m, which answers the request of s.
func (c *core) answerTo(s *slot, m *jsonrpc.Message) *answerWork {
	h := &s.shape.answer
	h.forget()
	h.slot, h.m, h.options, h.front = s, m, &c.options, c.front
	h.top, h.method = m.Result, s.method.name
	if h.same = c.legacy; h.same { // nothing is left out that the front would have got without a bridge
		h.front = newestLegacy
	}
	return h
}

func (h *answerWork) forget() {
	*h = answerWork{
		rewrite: rewrite{list: h.list[:0], buf: h.buf[:0]},
		cuts:    h.cuts[:0],
		notes:   notes{events: h.events[:0]},
	}
	if cap(h.buf) > maxKeptShape || cap(h.list) > maxKeptShape/64 {
		h.rewrite = rewrite{}
	}
}

// long: a list, or a large answer.
func (h *answerWork) long() bool {
	return h.m.Len() > maxInside || h.m.Error.IsZero() && h.slot.method.element != nil
}

func (h *answerWork) run() {
	if h.m.Error.IsZero() {
		h.rewriteResult()
	} else {
		h.rewriteError()
	}
}

// readsContent reports whether the blocks of content are read (T74, T75, T84).
func (h *answerWork) readsContent() bool {
	return h.options.Remote || !h.options.Profile.LooseContent || !h.options.Profile.LooseResults || h.front.cutsNewer()
}

// rewriteResult gathers the edits that make a result one for the front.
func (h *answerWork) rewriteResult() {
	h.envelope()
	for _, mem := range [...]member{memResultType, memTTL, memCacheScope, memInputRequests, memRequestState} { // T71
		h.drop(mem)
	}
	h.resultMeta()
	if shape := h.slot.method.shape; shape != nil {
		shape(h)
	}
	if h.violation == "" {
		h.cutTop()
		h.sort()
	}
}

// envelope gives the answer the id of the front (T5).
func (h *answerWork) envelope() {
	start := len(h.buf)
	h.buf = append(h.buf, h.slot.front...)
	h.inserted(h.m.ID, start)
}

// drop cuts a member of the result.
func (h *answerWork) drop(mem member) {
	if v := h.m.Member(int(mem)); !v.IsZero() {
		h.cuts = append(h.cuts, v)
	}
}

// cutTop turns the dropped members into edits. What must be there goes in first:
// it may be the only member that is left.
func (h *answerWork) cutTop() {
	slices.SortFunc(h.cuts, func(a, b jsonrpc.Member) int { return cmp.Compare(a.Name.Off, b.Name.Off) })
	c := h.cutterOf(h.top)
	for _, v := range h.cuts {
		c.cut(v.Prev, v.Value.End)
	}
	if h.noContent {
		h.addContent(c.all())
	}
}

// resultMeta implements T44 on the result.
func (h *answerWork) resultMeta() {
	meta := h.m.Member(int(memMeta))
	if meta.IsZero() {
		return
	}
	if h.m.First(meta.Value) != '{' {
		h.drop(memMeta)
		return
	}
	mark := len(h.list)
	c := h.cutterOf(meta.Value)
	for w := h.m.Walk(meta.Value); w.Next(); {
		if isHopKey(&w) {
			prev := w.Prev()
			c.cut(prev, w.Skip().End)
		}
	}
	if c.all() {
		h.list = h.list[:mark]
		h.drop(memMeta)
	}
}

// array implements T73 for the array that the result must have, and the rules of
// its elements.
func (h *answerWork) array() {
	md := h.slot.method
	array := h.m.Member(int(md.array)).Value
	if h.m.First(array) != '[' {
		h.violation = "T73"
		return
	}
	c := h.cutterOf(array)
	w := h.m.Walk(array) // one for all elements: what a call through method is given is on the heap
	for w.Next() && !h.tooMany() {
		prev, mark, fill := w.Prev(), len(h.list), len(h.buf)
		end, broken := h.element(&w)
		if broken == "" {
			continue
		}
		h.list, h.buf = h.list[:mark], h.buf[:fill]
		c.cut(prev, end)
		h.note(EventDropped, broken, 1)
	}
}

// element applies the rules of one element of the array. It returns the end of the
// element, and the rule that it broke if it must not reach the front.
func (h *answerWork) element(w *jsonrpc.Walk) (end int, broken string) {
	if w.First() != '{' {
		return w.Skip().End, "T73"
	}
	return h.slot.method.element(h, w)
}

// keyed checks an element that needs nothing but its key, mends its icons, and leaves out
// what the front does not know.
func (h *answerWork) keyed(w *jsonrpc.Walk) (end int, broken string) {
	c := h.cutterAt(w)
	w.Enter()
	var key onlyString
	for w.Next() {
		switch {
		case w.NameIs(h.slot.method.key):
			key.see(w)
		case h.cutNewer(w, &c, newInItem):
		case w.NameIs("icons"):
			h.icons(w, &c)
		case w.NameIs("annotations"):
			h.cutNewerIn(w, newInAnnotations)
		case w.NameIs("arguments"): // of a prompt
			h.cutNewerInEach(w, newInArgument)
		}
	}
	return w.Leave().End, unless(key.ok(), "T73")
}

// An onlyString follows a member that must be a string and stand once: what a
// rule reads may not stand twice, since readers differ in which one they take
// (W11).
type onlyString struct {
	seen  int
	other bool // it was no string
}

func (o *onlyString) see(w *jsonrpc.Walk) {
	o.seen++
	o.other = o.other || w.First() != '"'
}

func (o *onlyString) ok() bool { return o.seen == 1 && !o.other }

// contents checks an element of what was read (T77).
func (h *answerWork) contents(w *jsonrpc.Walk) (end int, broken string) {
	c := h.cutterAt(w)
	w.Enter()
	var uri, text, blob onlyString
	var at jsonrpc.Span
	for w.Next() {
		switch {
		case w.NameIs("uri"):
			uri.see(w)
			at = w.Skip()
		case w.NameIs("text"):
			text.see(w)
		case w.NameIs("blob"):
			blob.see(w)
		default:
			h.cutNewer(w, &c, newInContents)
		}
	}
	whole := uri.ok() && (text.ok() || text.seen == 0) && (blob.ok() || blob.seen == 0) && text.seen+blob.seen > 0
	if whole {
		h.restoreURI(at)
	}
	return w.Leave().End, unless(whole, "T77")
}

// unless returns the rule unless it is kept.
func unless(kept bool, rule string) string {
	if kept {
		return ""
	}
	return rule
}
