package mcpwire

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// signInHost begins each question of the caller's.
const signInHost = "sign-in.example"

// signIn has the caller ask, or say what has become of one of its questions.
func (h *hostile) signIn() {
	g := h.maker
	known := slices.SortedFunc(maps.Keys(h.asked), func(a, b *Asked) int { return int(a.number) - int(b.number) })
	if len(known) == 0 || g.in(40) {
		h.note("!", []byte("ask"))
		h.enter(0, func(now time.Time, out *Steps) {
			if a := h.session.Ask(now, Question{URL: signInPage, Host: signInHost}, out); a != nil {
				h.asked[a] = true
			}
		})
		return
	}
	a := known[g.IntN(len(known))]
	h.asked[a] = false
	if g.in(50) {
		h.note("!", fmt.Appendf(nil, "withdraw b-%d", a.number))
		h.enter(0, func(_ time.Time, out *Steps) { h.session.Withdraw(a, out) })
		return
	}
	h.note("!", fmt.Appendf(nil, "complete b-%d", a.number))
	h.enter(0, func(_ time.Time, out *Steps) { h.session.Complete(a, out) })
}

// consented takes what the caller is told of its questions.
func (h *hostile) consented(out *Steps) {
	for _, c := range out.Consents {
		q := h.witness.question(fmt.Sprintf(`"b-%d"`, c.Asked.number))
		switch {
		case !h.asked[c.Asked]:
			h.fail("the answer to b-%d, for which nobody waits", c.Asked.number)
		case q.answered != (c.Answer != Abandoned), q.withdrawn != (c.Answer == Abandoned),
			c.Answer != Unanswered && q.accepted != (c.Answer == Accepted): // a bad answer is none
			h.fail("answer %d to %+v", c.Answer, q)
		}
		h.asked[c.Asked] = false
	}
}

// takeBack has the caller wait for no answer any more.
func (h *hostile) takeBack() {
	for a, waits := range h.asked {
		if waits {
			h.asked[a] = false
			h.enter(0, func(_ time.Time, out *Steps) { h.session.Withdraw(a, out) })
		}
	}
}

// mayComplete reports whether the front may be told that it is done with a page: it has
// opened it, or may show it still after the caller took the question back.
func (q *seenQuestion) mayComplete() bool { return q.accepted || q.signIn && q.withdrawn }
