package streamhttp

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// listenMethod is the request whose response is a stream of notifications.
const listenMethod = "subscriptions/listen"

// A silence ends a stream of notifications of which nothing is heard (U09). A stream that
// carries comments is expected to go on with them: from the first one on it may be silent
// for three times as long as it has been, and for two minutes in any case. The
// configuration can set another time, from the start.
type silence struct {
	x       *exchange
	stream  *jsonrpc.EventReader
	fixed   time.Duration
	timer   *time.Timer
	last    time.Time
	longest time.Duration
}

// silence returns the silence of a stream, or nil if it may be as silent as it likes.
func (x *exchange) silence(stream *jsonrpc.EventReader) *silence {
	if x.method() != listenMethod {
		return nil
	}
	s := &silence{x: x, stream: stream, fixed: x.c.o.Idle, last: time.Now()}
	if s.fixed > 0 {
		s.wait(s.fixed)
	}
	return s
}

// heard says that something came.
func (s *silence) heard() {
	now := time.Now()
	s.longest = max(s.longest, now.Sub(s.last))
	s.last = now
	switch {
	case s.fixed > 0:
		s.wait(s.fixed)
	case s.stream.Comments() > 0 || s.timer != nil:
		s.wait(max(idleFactor*s.longest, leastIdle))
	}
}

func (s *silence) wait(d time.Duration) {
	if s.timer == nil {
		s.timer = time.AfterFunc(d, func() { s.x.cancel(errIdle) })
		return
	}
	s.timer.Reset(d)
}

func (s *silence) stop() {
	if s != nil && s.timer != nil {
		s.timer.Stop()
	}
}
