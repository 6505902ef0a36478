package session

import (
	"errors"
	"log/slog"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/lane"
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
			e.do(func(now time.Time, out *mcpwire.Steps) { s.wire.FromFront(now, m, out) })
		case isLine:
			e.do(func(now time.Time, out *mcpwire.Steps) { s.wire.BadLine(now, mcpwire.Front, bad, out) })
		default:
			e.flush(false)
			s.inputDone.send()
			return
		}
		e.flush(s.Front.Buffered())
	}
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
		}
		if err != nil && (!isLine || s.tooMuch(&j, bad)) {
			s.Upstream.Over()
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
	if j.count < j.limit {
		return false
	}
	s.say(slog.LevelError, "the server writes no messages and is given up")
	return true
}

// checkFront ends the session of a client that goes on sending but does not read
// what it gets. What the upstream sends cannot gather like that: it is not read.
func (e *entrant) checkFront() {
	s := e.s
	if s.front.Waiting() <= s.Untaken || s.closing.Load() {
		return
	}
	if s.frontLost.send() {
		s.say(slog.LevelError, "the client does not read what it gets")
	}
}

// checkBacklog gives the server up if it does not read what is sent to it (U14). A
// server that waits for a slow client is not to blame.
func (e *entrant) checkBacklog() {
	s := e.s
	if s.up.Behind() <= s.Backlog || s.front.Waiting() >= lane.Full || s.closing.Load() {
		return
	}
	if s.stalled.send() {
		s.say(slog.LevelError, "the server does not read its input and is given up")
		e.lost(mcpwire.CauseUpstreamStalled)
	}
}
