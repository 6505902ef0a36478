package mcpwire

// A Shape is the part of the work on one message that reads no state of the session, so
// that it can run outside the caller's lock. It lives in the slot of its request.
type Shape struct {
	slot    *slot
	inquiry *inquiry // whose it is, if it is no slot's
	work    work
	answer  answerWork // its memory is kept for the next one
}

// A work is what a shape does, such as an [answerWork]. Its result is taken by the pair,
// or by the inquiries.
type work interface {
	run()
	// long reports whether that may be a lot of work, which is not done inside the
	// caller's lock.
	long() bool
}

// maxInside is the size of a message that is worked on inside the caller's lock, in
// bytes.
const maxInside = 4 << 10

// Run does the work. It must be called before the message becomes invalid that
// was given to the session.
func (h *Shape) Run() { h.work.run() }

// forget drops what the shape holds of a message and keeps its memory.
func (h *Shape) forget() {
	h.slot, h.work = nil, nil
	h.answer.forget()
}

// notes are events for the log, gathered while a shape runs.
type notes struct {
	method string
	events []Event
}

// note counts what a rule did to values or elements, one event for a rule.
func (n *notes) note(kind EventKind, rule string, count int) {
	for i := range n.events {
		if e := &n.events[i]; e.Kind == kind && e.Rule == rule {
			e.Count += count
			return
		}
	}
	n.events = append(n.events, Event{Kind: kind, Rule: rule, Method: n.method, Count: count})
}
