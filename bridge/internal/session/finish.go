package session

import (
	"log/slog"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// lastWords is what is always left, once the server has ended, to read what it
// wrote and to write the rest toward the client.
const lastWords = 500 * time.Millisecond

// endInput closes the upstream's input once what waits for it is written.
func (s *Session) endInput() {
	s.endOnce.Do(func() {
		written := s.up.End()
		if s.Upstream == nil {
			return
		}
		s.closers.Add(1)
		s.Go(func() {
			defer s.closers.Done()
			<-written
			s.Upstream.CloseInput()
		})
	})
}

// finish ends the session: after the end of the front's input (T21), or for err.
func (s *Session) finish(err error) {
	begun := time.Now()
	s.closing.Store(true)
	if err == nil {
		e := s.newEntrant()
		e.do(func(now time.Time, out *mcpwire.Steps) { s.wire.End(now, out) })
		e.flush(false)
	} else {
		s.endInput()
		s.up.Close() // what waits there has nobody to go to
	}
	if s.Upstream != nil {
		s.stopUpstream(err)
	}
	s.lastToFront(begun)
	s.up.Close()
	s.endInput()
	s.closers.Wait()
	if s.Upstream != nil {
		s.Upstream.Close()
	}
	s.over.send()
	<-s.clock
	s.leaveFront()
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

// stopUpstream ends the server and reads what it still writes. A client that takes
// nothing is not waited for any longer then.
func (s *Session) stopUpstream(err error) {
	s.Upstream.Stop(s.Grace)
	s.sayExit(err)
	if !within(s.reader, lastWords) {
		s.front.Close()
		s.Upstream.Interrupt()
		<-s.reader
	}
}

// lastToFront writes what waits for the client, which has the grace to take it.
func (s *Session) lastToFront(begun time.Time) {
	left := s.Grace - time.Since(begun)
	within(s.front.End(), max(left, lastWords))
	s.front.Close()
}

// sayExit writes how the server has ended.
func (s *Session) sayExit(err error) {
	level, text := slog.LevelDebug, "the server has ended"
	if err != nil {
		level, text = slog.LevelError, "the server has ended before the session"
	}
	s.say(level, text, s.Exit()...)
}

// within reports whether done is closed within d.
func within(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
