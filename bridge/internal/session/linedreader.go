package session

import (
	"errors"
	"log/slog"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// read reads the server until its output ends. While the client takes nothing, it does
// not read on.
func (l *Lined) read() {
	e := l.s.NewEntrant()
	j := junk{limit: l.JunkBefore}
	for {
		e.Wait()
		m, err := l.stream.Read()
		bad, isLine := errors.AsType[*jsonrpc.LineError](err)
		switch {
		case err == nil:
			j = junk{limit: l.Junk, begun: true}
			e.Message(0, m)
		case isLine:
			e.BadLine(bad)
			if l.tooMuch(&j, bad) {
				e.GiveUp(mcpwire.CauseInvalidUpstreamMessage, "the server writes no messages and is given up")
				return
			}
		default:
			e.Lost(l.Gone)
			return
		}
		e.Flush(l.stream.Buffered())
	}
}

// junk counts the lines of a server in a row that are no message (U14).
type junk struct {
	count, limit int
	begun        bool // the server has sent a message
}

// tooMuch counts a bad line and reports whether the server is given up for it. A
// line with an id was meant as a message.
func (l *Lined) tooMuch(j *junk, bad *jsonrpc.LineError) bool {
	if bad.ID != nil {
		return false
	}
	if j.count == 0 && !j.begun {
		l.s.say(slog.LevelWarn, "the server's command writes text where messages belong; a launcher such as npx can be the reason")
	}
	j.count++
	return j.count >= j.limit
}
