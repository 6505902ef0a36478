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
	e := s.NewEntrant()
	for {
		m, err := s.Front.Read()
		if s.closing.Load() {
			e.Flush(false)
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
			e.Flush(false)
			return
		}
		e.Flush(s.Front.Buffered())
		if s.Upstream == nil && err == nil && m.Kind == jsonrpc.KindRequest && m.Is(m.Method, "initialize") {
			e.Flush(false)
			s.refused.send()
		}
	}
}

// fromFront enters with something of the front, unless its end went in meanwhile.
func (e *Entrant) fromFront(call func(now time.Time, out *mcpwire.Steps)) {
	e.do(func(now time.Time, out *mcpwire.Steps) {
		if !e.s.frontEnded {
			e.s.wire.Waiting(e.s.front.Waiting() + e.s.up.Waiting())
			call(now, out)
		}
	})
}
