package session

import (
	"log/slog"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// lastWords is what is always left, once the server has ended, to read what it
// wrote and to write the rest toward the client.
const lastWords = 500 * time.Millisecond

// finish ends the session: after the end of the front's input (T21), or for err. Each
// step has a goroutine that recovers, so that a panic in one of them, in a method of
// the caller's streams, does not keep the others from giving back what they hold.
func (s *Session) finish(err error) {
	begun := time.Now()
	s.closing.Store(true)
	for _, step := range []func(){
		func() { s.endFront(err) },
		func() { s.stopUpstream(begun, err) },
		func() { s.lastToFront(begun) },
		s.up.Close,
		s.leaveFront,
	} {
		<-s.Go(step)
	}
	s.over.send()
	<-s.clock
}

// endFront says that nothing more comes from the front.
func (s *Session) endFront(err error) {
	if err != nil {
		s.up.End()
		s.up.Drop() // what waits there has nobody to go to
		return
	}
	e := s.NewEntrant()
	e.do(func(now time.Time, out *mcpwire.Steps) {
		s.frontEnded = true
		s.wire.End(now, out)
	})
	e.Flush(false)
}

// leaveFront waits for the front reader, unless it is in a Read that nothing can
// interrupt.
func (s *Session) leaveFront() {
	select {
	case <-s.client:
		return
	default:
	}
	if s.Front.Interrupt() {
		<-s.client
		s.Front.Restore()
	}
}

// stopUpstream ends the server and reads what it still writes, for which the client
// has the grace.
func (s *Session) stopUpstream(begun time.Time, err error) {
	s.up.Stop(s.Grace)
	if s.Exit != nil {
		s.sayExit(err)
	}
	if done := s.up.Done(); !halt.Within(done, s.left(begun)) {
		s.up.Interrupt()
		s.front.NoWait()
		<-done
	}
}

// left is the time that the client has to take the last answers.
func (s *Session) left(begun time.Time) time.Duration {
	return max(s.Grace-time.Since(begun), lastWords)
}

// lastToFront writes what waits for the client.
func (s *Session) lastToFront(begun time.Time) {
	s.front.Flush()
	halt.Within(s.front.End(), s.left(begun))
	s.front.Close()
}

// sayExit writes how the server has ended.
func (s *Session) sayExit(err error) {
	exit := s.Exit()
	level, text := slog.LevelDebug, "the server has ended"
	switch {
	case s.givenUp.Load(): // what there is to say was said
	case s.bothEnded: // with the session (see endedTogether)
		level = slog.LevelInfo
	case err != ErrLost:
	case exit.Forced:
		level, text = slog.LevelError, "the server has closed its input or output before the session, and was stopped"
	default:
		level, text = slog.LevelError, "the server has ended before the session"
	}
	s.say(level, text, exit.Attrs...)
}
