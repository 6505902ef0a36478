package session

import (
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// readFront reads the client until its input ends. It waits for nothing else.
func (s *Session) readFront() {
	e := s.newEntrant()
	for {
		m, err := s.Front.Read()
		if s.closing.Load() {
			e.flush(false)
			return
		}
		bad, isLine := errors.AsType[*jsonrpc.LineError](err)
		switch {
		case err == nil:
			e.fromFront(func(now time.Time, out *mcpwire.Steps) { s.wire.FromFront(now, m, out) })
		case isLine:
			e.fromFront(func(now time.Time, out *mcpwire.Steps) { s.wire.BadLine(now, mcpwire.Front, bad, out) })
		default:
			if err != io.EOF {
				s.say(slog.LevelError, "the client's input cannot be read, which ends the session as its end would")
			}
			e.flush(false)
			return
		}
		e.flush(s.Front.Buffered())
		if s.Upstream == nil && err == nil && m.Kind == jsonrpc.KindRequest && m.Is(m.Method, "initialize") {
			e.flush(false)
			s.refused.send()
		}
	}
}

// fromFront enters with something of the front, unless its end went in meanwhile.
func (e *entrant) fromFront(call func(now time.Time, out *mcpwire.Steps)) {
	e.do(func(now time.Time, out *mcpwire.Steps) {
		if !e.s.frontEnded {
			e.s.wire.Waiting(e.s.front.Waiting() + e.s.up.Waiting())
			call(now, out)
		}
	})
}

// readUpstream reads the server until its output ends. While the client takes
// nothing, it does not read on.
func (s *Session) readUpstream() {
	e := s.newEntrant()
	j := junk{limit: s.JunkBefore}
	for {
		s.front.Wait()
		m, err := s.Upstream.Read()
		bad, isLine := errors.AsType[*jsonrpc.LineError](err)
		switch {
		case err == nil:
			j = junk{limit: s.Junk, begun: true}
			e.do(func(now time.Time, out *mcpwire.Steps) { s.wire.FromUpstream(now, 0, m, out) })
		case isLine:
			e.do(func(now time.Time, out *mcpwire.Steps) { s.wire.BadLine(now, mcpwire.Upstream, bad, out) })
			if s.tooMuch(&j, bad) {
				e.giveUp(mcpwire.CauseInvalidUpstreamMessage, "the server writes no messages and is given up")
				return
			}
		default:
			e.lost(s.Gone)
			return
		}
		e.flush(s.Upstream.Buffered())
	}
}

// junk counts the lines of a server in a row that are no message (U14).
type junk struct {
	count, limit int
	begun        bool // the server has sent a message
}

// tooMuch counts a bad line and reports whether the server is given up for it. A
// line with an id was meant as a message.
func (s *Session) tooMuch(j *junk, bad *jsonrpc.LineError) bool {
	if bad.ID != nil {
		return false
	}
	if j.count == 0 && !j.begun {
		s.say(slog.LevelWarn, "the server's command writes text where messages belong; a launcher such as npx can be the reason")
	}
	j.count++
	return j.count >= j.limit
}

// checkFront ends the session of a client that goes on sending but does not read
// what it gets. What the upstream sends cannot gather like that: it is not read.
func (e *entrant) checkFront() {
	if s := e.s; s.front.Waiting() > s.Untaken {
		s.leaveClient()
	}
}

func (s *Session) leaveClient() {
	if !s.closing.Load() && s.frontLost.send() {
		s.say(slog.LevelError, "the client does not read what it gets")
	}
}

// checkBacklog gives the server up if it does not read what is sent to it (U14). A
// server that waits for a slow client, or did so just now, is not to blame: then the
// client is, if it goes on sending.
func (e *entrant) checkBacklog() {
	s := e.s
	behind := s.up.Behind()
	switch {
	case behind <= s.Backlog || s.closing.Load():
	case !s.clientIsSlow():
		e.giveUp(mcpwire.CauseUpstreamStalled, "the server does not read its input and is given up")
	case behind > s.Untaken:
		s.leaveClient()
	}
}

// clientIsSlow reports whether the server waits for the client, or has done so within
// the last grace.
func (s *Session) clientIsSlow() bool { return s.front.FullWithin(s.Grace) }

// giveUp says that the server is lost because of what it does.
func (e *entrant) giveUp(c mcpwire.Cause, text string) {
	s := e.s
	if s.givenUp.Swap(true) {
		return
	}
	s.say(slog.LevelError, text)
	e.lost(c)
}
