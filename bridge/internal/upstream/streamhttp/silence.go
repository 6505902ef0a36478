package streamhttp

import (
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A silence ends a stream of notifications of which nothing is heard (U09). A stream that
// carries comments is expected to go on with them: from the first one on it may be silent
// for three times as long as it has been, and for two minutes in any case. The
// configuration can set another time, from the start.
type silence struct {
	fixed    time.Duration // by the configuration; zero: not
	comments func() int64  // of the stream
	end      func()

	stop    func() // ends the wait
	last    time.Time
	longest time.Duration
}

// silence returns the silence of a stream, or nil if it may be as silent as it likes.
func (x *exchange) silence(res *response, stream *jsonrpc.EventReader) *silence {
	if x.method() != methodListen && (x.older == nil || !x.older.isStream()) {
		return nil
	}
	return newSilence(x.c.o.Idle, stream.Comments, x.breakOff(res))
}

func newSilence(fixed time.Duration, comments func() int64, end func()) *silence {
	s := &silence{fixed: fixed, comments: comments, end: end, stop: func() {}, last: time.Now()}
	if fixed > 0 {
		s.wait(fixed)
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
	case s.comments() > 0:
		s.wait(max(idleFactor*s.longest, leastIdle))
	}
}

func (s *silence) wait(d time.Duration) {
	s.stop()
	s.stop = halt.After(d, s.end)
}

// over says that the stream has ended.
func (s *silence) over() {
	if s != nil {
		s.stop()
	}
}
