package mcpwire

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// rounds is what a slot knows of the input that the upstream has asked for (T110):
// one request of the front becomes several upstream, each with the answers to what
// the one before asked for.
type rounds struct {
	count     int        // results that asked (T112)
	questions []question // of the newest one, in its order (T128)
	state     secret     // of the newest one (T127)
	accepted  []accepted // URLs that the person has opened
	refused   []subject  // of questions that a person did not answer
	turn      *rate.Reservation
	shed      int           // in a row that asked nothing (T129)
	waits     int           // that asked again for a URL that was opened, without a form to wait with (T125)
	pause     time.Duration // before the retry, for that
	held      int           // bytes of the answers
}

// An accepted is a URL that the front has opened for a person. It is remembered longer
// than the question is held.
type accepted struct {
	url      subject
	id       string
	complete bool // that was said to the front (T124)
}

// unanswered returns the number of questions that the front has to answer.
func (r *rounds) unanswered() int {
	n := 0
	for i := range r.questions {
		if r.questions[i].isOpen() {
			n++
		}
	}
	return n
}

// answer gives a question its answer, and those that repeat it.
func (r *rounds) answer(q *question, value []byte) {
	q.answer = value
	for i := range r.questions {
		if o := &r.questions[i]; o.repeats && o.subject == q.subject {
			o.answer = value
		}
	}
}

// asksFor reports whether a question is about the URL.
func (r *rounds) asksFor(url subject) bool { return anyAsksFor(r.questions, url) }

func anyAsksFor(questions []question, url subject) bool {
	return slices.ContainsFunc(questions, func(q question) bool { return q.kind == askURL && q.subject == url })
}

// hasOpened reports whether the front has opened the URL.
func (r *rounds) hasOpened(url subject) bool {
	return slices.ContainsFunc(r.accepted, func(a accepted) bool { return a.url == url })
}

// repeatsRefused returns a question that a person has refused in an earlier round, or nil.
func (r *rounds) repeatsRefused() *question {
	for i := range r.questions {
		if q := &r.questions[i]; slices.Contains(r.refused, q.subject) {
			return q
		}
	}
	return nil
}

// complete implements T124: it tells the front, once, that the server is done with
// a URL, which it is unless it asks for it again. questions are those of the result
// that has come.
func (r *rounds) complete(out *Steps) {
	for i := range r.accepted {
		a := &r.accepted[i]
		if a.complete || r.asksFor(a.url) {
			continue
		}
		a.complete = true
		out.complete(a.id)
	}
}

// complete tells the front that a URL is done with.
func (s *Steps) complete(id string) {
	start := len(s.buf)
	s.buf = append(appendNotification(s.buf, methodElicitComplete), `"elicitationId":"`...)
	s.buf = append(append(s.buf, id...), `"}}`...)
	s.ToFront = append(s.ToFront, Frame{Lit: s.literal(start)})
}

// appendTo appends the members of a retry that carry the input, each with a comma
// after it: every key of the newest result (T128), and its state, byte for byte.
func (r *rounds) appendTo(b []byte) []byte {
	if len(r.questions) > 0 {
		b = append(b, `"inputResponses":{`...)
		for i := range r.questions {
			if i > 0 {
				b = append(b, ',')
			}
			q := &r.questions[i]
			b = append(append(append(b, q.key...), ':'), q.answer...)
		}
		b = append(b, `},`...)
	}
	if !r.state.isZero() {
		b = append(r.state.appendTo(append(b, `"requestState":`...)), ',')
	}
	return b
}

// A questionIndex finds the slots whose questions wait for the front, by the number of
// their ids. A number is never used twice, so an answer that comes late finds
// nothing (T131).
type questionIndex struct {
	last  uint32
	slots map[uint32]*slot
	own   []*Asked // of the caller (T134), oldest first
}

// add gives a question its number.
func (t *questionIndex) add(s *slot, q *question) {
	if t.slots == nil {
		t.slots = make(map[uint32]*slot)
	}
	q.number = t.next()
	t.slots[q.number] = s
}

// take finds the question with this id and forgets it: it is answered.
func (t *questionIndex) take(id []byte) (*slot, *question) {
	n := questionNumber(id)
	s := t.slots[n]
	if s == nil {
		return nil, nil
	}
	delete(t.slots, n)
	questions := s.rounds.questions
	return s, &questions[slices.IndexFunc(questions, func(q question) bool { return q.number == n })]
}

// questionNumber reads an id of ours, as it was written; it is zero for any other.
func questionNumber(id []byte) uint32 {
	digits, ok := bytes.CutPrefix(id, []byte(questionPrefix))
	if !ok || len(digits) < 2 || digits[0] == '0' {
		return 0
	}
	n, err := strconv.ParseUint(string(digits[:len(digits)-1]), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// withdraw takes back the questions of s that the front has not answered (T131,
// T132), and its place in the row of those that wait to ask.
func (t *questionIndex) withdraw(now time.Time, s *slot, out *Steps) {
	r := &s.rounds
	if r.turn != nil {
		r.turn.CancelAt(now)
		r.turn = nil
	}
	for i := range r.questions {
		q := &r.questions[i]
		if q.number == 0 || t.slots[q.number] != s {
			continue
		}
		delete(t.slots, q.number)
		out.withdraw(q.number, `"The request that needed this has ended."`)
	}
}

// withdraw takes a request toward the front back. reason is JSON.
func (s *Steps) withdraw(number uint32, reason string) {
	start := len(s.buf)
	s.buf = appendCancelled(s.buf, appendQuestionID(nil, number), []byte(reason))
	s.Withdraw = append(s.Withdraw, Frame{Exchange: Exchange(number), Lit: s.literal(start)})
}
