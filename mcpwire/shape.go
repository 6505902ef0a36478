package mcpwire

import (
	"cmp"
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A Shape is the part of the work on one answer that reads no state of the
// session, so that it can run outside the caller's lock. It lives in the slot of
// its request; of that it reads the front's id, the method and the URIs, which stay as
// they are until the shape is back (see table.release).
type Shape struct {
	rewrite
	work      work
	slot      *slot
	options   *Options
	size      int          // of the message, in bytes
	top       jsonrpc.Span // the result
	cuts      []jsonrpc.Member
	noContent bool // content must be put in (T74)
	events    []Event
	uris      listing // that were listed (W21)
	violation string  // the rule that the answer broke; then nothing else counts

	can   capability // of the front, for workInput
	input input      // what workInput has read

	question *question // that workReply answers
	reply    []byte    // its value in inputResponses
	action   string    // of that, if it has one
	valid    bool      // the upstream may have it
}

// A work is what a shape does.
type work uint8

const (
	workAnswer work = iota // rewrite a complete result of the upstream for the front
	workInput              // read a result that asks for input (T111)
	workReply              // read the front's answer to a question (T121)
)

// maxKeptShape is the largest memory of edits that a free slot keeps, in bytes.
const maxKeptShape = 64 << 10

// begin prepares the shape for work on m, a response that is about the request of s.
func (h *Shape) begin(s *slot, m *jsonrpc.Message, o *Options, w work) {
	h.forget()
	h.work, h.slot, h.m, h.options, h.top, h.size = w, s, m, o, m.Result, m.Len()
}

// forget drops what the shape holds of a message and keeps its memory.
func (h *Shape) forget() {
	*h = Shape{
		rewrite: rewrite{list: h.list[:0], buf: h.buf[:0]},
		cuts:    h.cuts[:0],
		events:  h.events[:0],
	}
	if cap(h.buf) > maxKeptShape || cap(h.list) > maxKeptShape/64 {
		h.rewrite = rewrite{}
	}
}

// maxInside is the size of an answer that is worked on inside the caller's lock, in
// bytes.
const maxInside = 4 << 10

// outside reports whether Run may be a lot of work, which is not done inside the
// caller's lock: for a list, or a large answer.
func (h *Shape) outside() bool {
	return h.size > maxInside || h.work == workAnswer && h.slot.method.element != nil
}

// readsContent reports whether the blocks of content are read (T74, T75, T84).
func (h *Shape) readsContent() bool {
	return h.options.Remote || !h.options.Profile.LooseContent || !h.options.Profile.LooseResults
}

// Run does the work. It must be called before the message becomes invalid that
// was given to the session.
func (h *Shape) Run() {
	switch h.work {
	case workAnswer:
		h.rewriteAnswer()
	case workInput:
		h.readInput()
	case workReply:
		h.readReply()
	}
}

// rewriteAnswer gathers the edits that make the answer one for the front.
func (h *Shape) rewriteAnswer() {
	h.envelope()
	for _, mem := range [...]member{memResultType, memTTL, memCacheScope, memInputRequests, memRequestState} { // T71
		h.drop(mem)
	}
	h.resultMeta()
	h.slot.method.shape(h)
	if h.violation == "" {
		h.cutTop()
		h.sort()
	}
}

// envelope gives the answer the id of the front (T5).
func (h *Shape) envelope() {
	start := len(h.buf)
	h.buf = append(h.buf, h.slot.front...)
	h.inserted(h.m.ID, start)
}

// drop cuts a member of the result.
func (h *Shape) drop(mem member) {
	if v := h.m.Member(int(mem)); !v.IsZero() {
		h.cuts = append(h.cuts, v)
	}
}

// cutTop turns the dropped members into edits. What must be there goes in first:
// it may be the only member that is left.
func (h *Shape) cutTop() {
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
func (h *Shape) resultMeta() {
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
func (h *Shape) array() {
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

// note counts what a rule did to values or elements, one event for a rule.
func (h *Shape) note(kind EventKind, rule string, n int) {
	for i := range h.events {
		if e := &h.events[i]; e.Kind == kind && e.Rule == rule {
			e.Count += n
			return
		}
	}
	h.events = append(h.events, Event{Kind: kind, Rule: rule, Method: h.slot.method.name, Count: n})
}

// element applies the rules of one element of the array. It returns the end of the
// element, and the rule that it broke if it must not reach the front.
func (h *Shape) element(w *jsonrpc.Walk) (end int, broken string) {
	if w.First() != '{' {
		return w.Skip().End, "T73"
	}
	return h.slot.method.element(h, w)
}

// keyed checks an element that needs nothing but its key, and mends its icons.
func (h *Shape) keyed(w *jsonrpc.Walk) (end int, broken string) {
	c := cutter{r: &h.rewrite, lead: w.Start() + 1, done: w.Start() + 1}
	w.Enter()
	var key onlyString
	for w.Next() {
		switch {
		case w.NameIs(h.slot.method.key):
			key.see(w)
		case w.NameIs("icons"):
			h.icons(w, &c)
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
func (h *Shape) contents(w *jsonrpc.Walk) (end int, broken string) {
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
