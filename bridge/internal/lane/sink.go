package lane

import (
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
)

// A sink is how bytes leave a lane. One goroutine at a time calls try, wait and
// put.
type sink interface {
	// try writes the part of p that fits without blocking.
	try(p []byte) (int, error)
	// wait returns when put makes progress, or an error once the lane is stopped.
	wait() error
	// put writes at least a part of p, but for a race with another writer.
	put(p []byte) (int, error)
	// most is the most bytes that try and put are given.
	most() int
	// interrupt makes a call of put that blocks return. It reports false if it
	// cannot.
	interrupt() bool
	// restore undoes what interrupt did to the writer.
	restore()
}

var errStopped = errors.New("lane: stopped")

// newSink returns the sink for w: one that never blocks where the system and the
// kind of w allow it. own says that no other process has the descriptor of w.
func newSink(w io.Writer, own bool, stopped *atomic.Bool) sink {
	if f, ok := w.(*os.File); ok {
		if s := newFileSink(f, own, stopped); s != nil {
			return s
		}
	}
	return &writerSink{w: w, stopped: stopped}
}

// merged is the most bytes of one write to a writer of unknown kind.
const merged = 64 << 10

// A writerSink writes to a writer whose Write may block, so only the goroutine of
// the lane does.
type writerSink struct {
	w       io.Writer
	stopped *atomic.Bool
	undo    func()
}

func (s *writerSink) try([]byte) (int, error)   { return 0, nil }
func (s *writerSink) put(p []byte) (int, error) { return s.w.Write(p) }
func (s *writerSink) most() int                 { return merged }

func (s *writerSink) wait() error {
	if s.stopped.Load() {
		return errStopped
	}
	return nil
}

func (s *writerSink) interrupt() (ok bool) {
	s.undo, ok = halt.Writes(s.w)
	return ok
}

func (s *writerSink) restore() {
	if s.undo != nil {
		s.undo()
	}
}
