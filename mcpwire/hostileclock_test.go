package mcpwire

import (
	"fmt"
	"slices"
	"time"
)

// pass lets time pass. Of the timers whose time has come, those that fire do so in
// any order, and some are late.
func (h *hostile) pass() {
	step := time.Duration(1+h.maker.IntN(1000)) * [...]time.Duration{time.Microsecond, time.Millisecond, time.Millisecond, 200 * time.Millisecond}[h.maker.IntN(4)]
	if next, ok := h.next(h.now.Add(ages)); ok && h.maker.in(12) {
		step = max(0, next.At.Sub(h.now))
	}
	h.now = h.now.Add(step)
	h.note("!", []byte("wait "+step.String()))
	for h.maker.in(85) {
		if next, ok := h.next(h.now); ok {
			h.fire(next.ID)
			continue
		}
		return
	}
}

// ages is longer than every timer runs.
const ages = 1000 * time.Hour

// next returns a timer that is due at a time, the earliest most of the time.
func (h *hostile) next(now time.Time) (Timer, bool) {
	var due []Timer
	for _, t := range h.timers {
		if !t.At.After(now) {
			due = append(due, t)
		}
	}
	if len(due) == 0 {
		return Timer{}, false
	}
	slices.SortFunc(due, func(a, b Timer) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return int(a.ID.Kind)<<20 + int(a.ID.N) - int(b.ID.Kind)<<20 - int(b.ID.N)
	})
	if now.After(h.now) || h.maker.in(70) {
		return due[0], true
	}
	return due[h.maker.IntN(len(due))], true
}

func (h *hostile) fire(id TimerID) {
	h.note("!", fmt.Appendf(nil, "fire %v", id))
	delete(h.timers, id)
	h.enter(0, func(now time.Time, out *Steps) { h.session.Fired(now, id, out) })
}

func (h *hostile) lose() {
	if h.lost {
		return
	}
	h.note("!", []byte("lost"))
	h.lost = true
	h.enter(0, func(now time.Time, out *Steps) { h.session.Lost(now, CauseUpstreamExited, out) })
	h.witness.nothingOpen(h, "after the upstream was lost")
}

func (h *hostile) end() {
	if h.ended {
		return
	}
	h.note("!", []byte("end"))
	h.ended = true
	h.enter(0, func(now time.Time, out *Steps) { h.session.End(now, out) })
}

// rest ends the session in one of three ways, after which nothing may be left: both
// sides fall silent, the upstream goes, or the front goes.
func (h *hostile) rest() {
	late := h.maker.in(50)
	if !late {
		h.commitAll()
	}
	switch h.maker.IntN(3) {
	case 0:
		h.lose()
	case 1:
		h.end()
	}
	h.fireAll()
	h.takeBack()
	if late {
		h.commitAll()
		h.fireAll()
	}
	if h.ended {
		h.witness.taken(h)
		h.lose()
	}
	h.checkRest()
}

// commitAll hands every shape back, and those that come of that.
func (h *hostile) commitAll() {
	for len(h.in[Front].held)+len(h.in[Upstream].held) > 0 && len(h.failures) == 0 {
		h.commit(Front)
		h.commit(Upstream)
	}
}

// fireAll lets so much time pass that every request has ended. Only the stream may be
// opened again and again.
func (h *hostile) fireAll() {
	for range 10_000 {
		next, ok := h.next(h.now.Add(ages))
		if !ok || len(h.failures) > 0 || len(h.timers) == 1 && next.ID.Kind == TimerListen && len(h.session.core.listen.changes) == 0 {
			break
		}
		if next.At.After(h.now) {
			h.now = next.At
		}
		h.fire(next.ID)
	}
}
