package mcpwire

import (
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// inputRequired takes a result that is not the last word (T70, T111): the upstream
// asks for input, which it may do only for some methods, and so many times (T112).
func (p *legacyOverModern) inputRequired(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	c := p.core
	switch {
	case !m.Is(m.Member(int(memResultType)).Value, "input_required") || !s.method.rounds:
		c.violate(now, s, "T70", out)
	case s.quiet: // cancelled, and the front answers nothing any more
		c.done(now, s, "", out)
	case s.rounds.count >= c.options.Limits.Rounds:
		c.end(now, s, CauseRoundsExhausted, out)
	default:
		c.untimed(s, out) // the result is here (T51)
		w := &inputWork{m: m, can: p.can, front: c.front, options: &c.options, notes: notes{method: s.method.name}}
		p.work(now, s, w, phaseAnswering, out)
	}
}

// inputRead takes a round that was read.
func (p *legacyOverModern) inputRead(now time.Time, s *slot, w *inputWork, out *Steps) {
	c, r, size := p.core, &s.rounds, w.m.Len()
	out.Log = append(out.Log, w.events...)
	switch {
	case w.violation != "":
		c.violate(now, s, w.violation, out)
		return
	case w.refusal != "":
		c.end(now, s, w.refusal, out, w.detail...)
		return
	case c.ending: // the front answers nothing any more
		c.end(now, s, CauseInputFailed, out)
		return
	case p.noModel && slices.ContainsFunc(w.questions, wantsModel):
		out.log(Event{Kind: EventDropped, Rule: "I15"})
		c.fails(now, s, &w.questions[slices.IndexFunc(w.questions, wantsModel)], CauseInputFailed, out)
		return
	}
	c.lastProgress(s, out)
	r.count++
	c.table.hold(s, -r.held)
	if !c.roomFor(size) {
		c.end(now, s, CauseInputLimit, out)
		return
	}
	c.table.hold(s, size)
	r.questions, r.state, r.pause = w.questions, w.state, 0
	out.log(Event{Kind: EventInput, Method: s.method.name, Round: r.count, Count: len(r.questions), Took: now.Sub(s.started)})
	s.phase = phaseToAsk // that exchange has ended
	r.complete(out)
	if q := r.repeatsRefused(); q != nil {
		p.refusedBefore(now, s, q, out)
		return
	}
	p.replaceOpened(r)
	p.ask(now, s, out)
}

func wantsModel(q question) bool { return q.kind == askSampling }

// refusedBefore ends the request of s, whose server asks once more what a person has
// refused to answer in it: nobody is asked the same again until the rounds are used up.
// To a tool that is one of the outcomes that its caller has to deal with, so a call
// gets a result, which the one who called the tool reads.
func (p *legacyOverModern) refusedBefore(now time.Time, s *slot, q *question, out *Steps) {
	c := p.core
	if s.method.name != methodCallTool {
		c.fails(now, s, q, CauseInputFailed, out)
		return
	}
	text := string(jsonrpc.AppendQuote(nil, CauseInputFailed.Text()))
	out.result(s.front, `{"content":[{"type":"text","text":`+text+`}],"isError":true}`)
	out.log(Event{Kind: EventRefused, Method: s.method.name, Cause: CauseInputFailed})
	c.done(now, s, CauseInputFailed, out)
}

// The pauses before a URL that was opened counts as finished, where there is no form
// to ask by (T125).
const (
	minBrowserPause = 2 * time.Second
	maxBrowserPause = 30 * time.Second
)

// replaceOpened implements T125: a URL that the person has opened is not opened again.
// A form asks to finish in the browser instead; a front without forms is given time.
func (p *legacyOverModern) replaceOpened(r *rounds) {
	again := false
	for i := range r.questions {
		q := &r.questions[i]
		switch {
		case q.kind != askURL || q.answer != nil || !r.hasOpened(q.subject):
		case p.can&canForm != 0:
			q.kind, q.params = askContinue, appendContinue(nil, continueMessage)
		default:
			q.answer, again = appendAction(nil, actionAccept), true
		}
	}
	if again {
		r.pause = doubled(minBrowserPause, maxBrowserPause, r.waits)
		r.waits++
	}
}

// ask sends the questions of s to the front, all at the same time (T119): once the
// front has said that it is initialized (T12), and within the rate (I13).
func (p *legacyOverModern) ask(now time.Time, s *slot, out *Steps) {
	switch limits := &p.core.options.Limits; {
	case s.rounds.unanswered() == 0:
		p.inputComplete(now, s, out)
	case !p.initialized:
		s.phase = phaseToAsk
		p.core.limit(now, s, limits.Initialized, out)
	default:
		p.askInTurn(now, s, out)
	}
}

// askInTurn sends the questions of s, or waits until they are within the rate.
func (p *legacyOverModern) askInTurn(now time.Time, s *slot, out *Steps) {
	turn := p.asks.ReserveN(now, s.rounds.unanswered())
	if d := turn.DelayFrom(now); d > 0 {
		s.phase, s.rounds.turn = phaseToAsk, turn
		p.core.limit(now, s, d, out)
		return
	}
	p.send(now, s, out)
}

// send writes the questions of s toward the front.
func (p *legacyOverModern) send(now time.Time, s *slot, out *Steps) {
	c := p.core
	questions := s.rounds.questions
	for i := range questions {
		if q := &questions[i]; q.kind == askURL && q.isOpen() && !c.identify(q) {
			c.fails(now, s, q, CauseInputFailed, out)
			return
		}
	}
	s.phase, s.rounds.turn = phaseAsking, nil
	for i := range questions {
		q := &questions[i]
		if !q.isOpen() {
			continue
		}
		c.questions.add(s, q)
		out.ToFront = append(out.ToFront, Frame{Exchange: Exchange(q.number), Lit: out.question(q)})
	}
	c.limit(now, s, c.options.Limits.Input, out)
}

// question appends the request that asks q.
func (s *Steps) question(q *question) []byte {
	start := len(s.buf)
	s.buf = appendQuestionID(append(s.buf, headID...), q.number)
	s.buf = append(append(append(s.buf, `,"method":"`...), q.method()...), '"')
	if len(q.params) > 0 {
		s.buf = append(append(s.buf, `,"params":`...), q.params...)
		if q.id != "" {
			s.buf = append(append(append(s.buf, `,"elicitationId":"`...), q.id...), '"')
		}
		s.buf = append(s.buf, '}')
	}
	s.buf = append(s.buf, '}')
	return s.literal(start)
}

// sendToAsk sends what waited for the front to be initialized (T12).
func (p *legacyOverModern) sendToAsk(now time.Time, out *Steps) {
	p.core.table.each(func(s *slot) {
		if s.phase == phaseToAsk {
			p.askInTurn(now, s, out)
		}
	})
}
