package session

import (
	"context"
	"errors"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// The errors of Ask.
var (
	ErrDeclined = errors.New("bridge: the person at the client has declined")
	ErrNotAsked = errors.New("bridge: the client has not asked the person")
	ErrGone     = errors.New("bridge: the session ends")
)

// consents are the questions of sign-ins. The door guards them.
type consents struct {
	waiting map[*mcpwire.Asked]chan<- mcpwire.Answer // by those that nobody has answered
	newest  *mcpwire.Asked                           // nil if there is none
}

// answered tells those who wait.
func (w *consents) answered(ended []mcpwire.Consent) {
	for _, c := range ended {
		if answer := w.waiting[c.Asked]; answer != nil {
			delete(w.waiting, c.Asked)
			answer <- c.Answer // has room for it
		}
	}
}

// Ask asks the person at the client to open a page, for one sign-in at a time. It returns nil
// if the person does so, ErrDeclined if not, ErrNotAsked if the client cannot ask, and ErrGone
// if the session ends while it waits. When ctx is done first, it takes the question back and
// returns the error of ctx. Like Over it enters the door, so it is not called by what is called inside.
func (s *Session) Ask(ctx context.Context, q mcpwire.Question) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answer := make(chan mcpwire.Answer, 1)
	asked := s.ask(q, answer)
	if asked == nil {
		return ErrNotAsked
	}
	select {
	case a := <-answer:
		return errOf(a)
	case <-s.over.c: // after a defect, of which nobody else may have been told
		return ErrGone
	case <-ctx.Done():
		s.step(func(_ time.Time, out *mcpwire.Steps) {
			delete(s.consents.waiting, asked)
			s.wire.Withdraw(asked, out)
		})
		return ctx.Err()
	}
}

// ask puts the question, whose answer goes to a channel with room for it. It returns nil if
// it cannot.
func (s *Session) ask(q mcpwire.Question, answer chan<- mcpwire.Answer) (asked *mcpwire.Asked) {
	s.step(func(now time.Time, out *mcpwire.Steps) {
		asked = s.wire.Ask(now, q, out)
		s.consents.newest = asked
		if asked != nil {
			s.consents.waiting[asked] = answer
		}
	})
	return asked
}

func errOf(a mcpwire.Answer) error {
	switch a {
	case mcpwire.Accepted:
		return nil
	case mcpwire.Declined:
		return ErrDeclined
	case mcpwire.Abandoned:
		return ErrGone
	default:
		return ErrNotAsked
	}
}

// Over says that the sign-in has succeeded which the newest question was for. The client is
// told that the page is done with.
func (s *Session) Over() {
	s.step(func(_ time.Time, out *mcpwire.Steps) {
		if asked := s.consents.newest; asked != nil {
			s.wire.Complete(asked, out)
		}
	})
}

// step enters once, and returns when what came of it was written as far as that goes without
// waiting. The caller's goroutine need not be one that recovers.
func (s *Session) step(call func(now time.Time, out *mcpwire.Steps)) {
	<-s.Go(func() {
		e := s.NewEntrant()
		e.do(call)
		e.Flush(false)
	})
}
