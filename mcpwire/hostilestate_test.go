package mcpwire

import (
	"slices"
	"testing"
)

// checkState holds the state of the session against itself: no request without an
// end in sight, no timer without a request, and every count right.
func (h *hostile) checkState() {
	table := h.session.core.table
	used, held, armed := 0, 0, 0
	for i := range table.slots {
		s := &table.slots[i]
		if s.phase == phaseFree {
			continue
		}
		used++
		held += s.request.size + s.rounds.held
		h.checkSlot(s)
		if s.timed {
			armed++
		}
		if len(s.progress.held) > 0 {
			armed++
		}
	}
	if used != table.used() || held != table.held {
		h.fail("%d slots in use and %d bytes held, counted as %d and %d", used, held, table.used(), table.held)
	}
	for id := range h.timers {
		s := table.ofUpstream(Exchange(id.N))
		if id.N != 0 && s == nil || id.Kind == TimerProgress && len(s.progress.held) == 0 || id.Kind == TimerRequest && !s.timed {
			h.fail("timer %v has nothing to bound", id)
		}
	}
	armed += count(h.runs(TimerID{Kind: TimerDrain})) + h.checkListener()
	if armed != len(h.timers) {
		h.fail("%d timers run, want %d: %v", len(h.timers), armed, h.timers)
	}
	h.checkAsked()
	h.checkIndex()
}

// checkIndex checks that a call waits for the list of tools only while another one reads
// it, or goes on at once.
func (h *hostile) checkIndex() {
	c := h.session.core
	if s := c.index.lister; s != nil && (s.listing == nil || s.phase != phaseWaiting && s.phase != phaseAnswering) {
		h.fail("slot %d reads the list of tools in phase %d", s.number, s.phase)
	}
	c.table.each(func(s *slot) {
		due := h.timers[TimerID{TimerRequest, uint32(s.upstream)}].At
		if s.phase == phaseIndexing && c.index.lister == nil && due.After(h.now) {
			h.fail("slot %d waits for a list that nobody reads", s.number)
		}
		if s.listing != nil && s != c.index.lister {
			h.fail("slot %d reads the list of tools beside another", s.number)
		}
	})
}

func (h *hostile) runs(id TimerID) bool {
	_, ok := h.timers[id]
	return ok
}

// checkListener checks that no change of the front waits for nothing. It returns how
// many timers the stream needs.
func (h *hostile) checkListener() (timers int) {
	l, changes := h.session.core.listen, 0
	h.session.core.table.each(func(s *slot) { changes += count(s.phase == phaseSubscribing) })
	if l == nil {
		return 0
	}
	if changes != len(l.changes) {
		h.fail("%d requests wait for a stream, the listener knows %d", changes, len(l.changes))
	}
	switch l.stage {
	case stageOpening, stageDraining:
		timers = 1
	case stageWaiting:
		timers = 1
		fallthrough
	default:
		if changes > 0 {
			h.fail("in stage %d, %d requests wait for a stream", l.stage, changes)
		}
	}
	if h.runs(TimerID{Kind: TimerListen}) != (timers == 1) {
		h.fail("in stage %d the timer of the stream runs: %v", l.stage, timers == 0)
	}
	return timers
}

func (h *hostile) checkSlot(s *slot) {
	table := h.session.core.table
	shaping := slices.Contains(h.in[Front].held, &s.shape) || slices.Contains(h.in[Upstream].held, &s.shape)
	if shaping != (s.phase == phaseAnswering || s.phase == phaseReplying || s.phase == phaseEnded) {
		h.fail("slot %d is in phase %d, its shape outside: %v", s.number, s.phase, shaping)
	}
	if s.phase == phaseEnded {
		return
	}
	if table.ofFront(s.front) != s || s.upstream != 0 && table.ofUpstream(s.upstream) != s {
		h.fail("slot %d is not found", s.number)
	}
	if !h.runs(TimerID{TimerRequest, uint32(s.upstream)}) && !shaping && !s.quiet && s.phase != phaseSubscribing {
		h.fail("nothing bounds how long slot %d (%s) stays in phase %d", s.number, s.method.name, s.phase)
	}
	if s.quiet && s.phase != phaseWaiting && !shaping {
		h.fail("slot %d goes on although the end has cancelled it", s.number)
	}
	waits := 0
	for i := range s.rounds.questions {
		if q := &s.rounds.questions[i]; q.number != 0 && h.session.core.questions.slots[q.number] == s {
			waits++
		}
	}
	if (waits > 0) != (s.phase == phaseAsking) && !shaping {
		h.fail("slot %d is in phase %d with %d questions at the front", s.number, s.phase, waits)
	}
}

// checkAsked checks the table of questions against what went in and out.
func (h *hostile) checkAsked() {
	asked := &h.session.core.questions
	waits := 0
	for i, q := range h.witness.questions {
		open := !q.answered && !q.withdrawn
		if open {
			waits++
		}
		known := asked.slots[uint32(i+1)] != nil
		if q.signIn {
			known = slices.ContainsFunc(asked.own, func(a *Asked) bool { return a.number == uint32(i+1) })
		}
		if open != known {
			h.fail("question b-%d is open: %v; the session thinks otherwise", i+1, open)
		}
	}
	if known := len(asked.slots) + len(asked.own); waits != known {
		h.fail("%d questions wait, the session knows of %d", waits, known)
	}
}

// checkRest checks that nothing is left.
func (h *hostile) checkRest() {
	c := h.session.core
	if !h.lost {
		delete(h.timers, TimerID{Kind: TimerListen}) // it may be opened again and again
	}
	if c.table.used() != 0 || c.table.held != 0 || len(c.questions.slots)+len(c.questions.own) != 0 || len(h.timers) != 0 {
		h.fail("at the end %d slots are in use, %d bytes are held, %d questions wait, timers %v run",
			c.table.used(), c.table.held, len(c.questions.slots)+len(c.questions.own), h.timers)
	}
	h.witness.nothingOpen(h, "at the end")
}

// A tally counts what the sessions reached, so that they cannot become harmless
// without anybody noticing.
type tally struct {
	opened, questions, pages, accepted, complete, withdrawn, rounds, cancelled, progress, answered, ended int
	streams, events, subscribed, params                                                                   int
}

func (t *tally) add(h *hostile) {
	w := &h.witness
	for _, q := range w.questions {
		t.questions++
		t.pages += count(q.page)
		t.accepted += count(q.accepted)
		t.complete += count(q.complete)
		t.withdrawn += count(q.withdrawn)
	}
	requests := map[*seenRequest]bool{}
	for _, x := range w.exchanges {
		t.cancelled += count(x.cancelled)
		t.answered += count(x.answered)
		t.streams += count(x.method == methodListen)
		t.rounds += count(requests[x.owner] && x.owner != nil)
		requests[x.owner] = true
	}
	for _, r := range w.made {
		t.progress += count(r.any)
	}
	t.opened += count(len(w.exchanges) > 1)
	t.ended += count(h.ended)
	t.events += w.events
	t.subscribed += w.subscribed
	t.params += w.params
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// check wants each thing to have happened once in a few sessions at least.
func (t *tally) check(test *testing.T, sessions int) {
	test.Logf("%d sessions: %+v", sessions, *t)
	if least := min(t.opened, t.questions, t.pages, t.accepted, t.withdrawn, t.rounds, t.cancelled, t.progress, t.answered, t.streams, t.events, t.subscribed); sessions >= 100 && least < sessions/10 || sessions >= 1000 && t.complete == 0 {
		test.Errorf("the sessions reach too little: %+v", *t)
	}
}
