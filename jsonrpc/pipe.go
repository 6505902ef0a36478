package jsonrpc

import (
	"io"
	"sync"
)

// pipeSize is how many bytes wait in one direction of a pipe.
const pipeSize = 64 << 10

// Pipe returns the two ends of a connection in memory: what is written to one
// end is read from the other. Up to 64 KiB wait in each direction; then Write
// blocks until they are read.
//
// Close ends both directions: the other end reads what was written and then
// [io.EOF], its writes fail with [io.ErrClosedPipe], and so do all calls at the
// closed end, those that block included. The ends may be used by several
// goroutines at once. In a bubble of testing/synctest a call that waits blocks
// durably.
func Pipe() (a, b io.ReadWriteCloser) {
	x, y := newStream(), newStream()
	return &pipeEnd{in: x, out: y}, &pipeEnd{in: y, out: x}
}

type pipeEnd struct{ in, out *stream }

func (p *pipeEnd) Read(b []byte) (int, error) { return p.in.read(b) }

func (p *pipeEnd) Write(b []byte) (int, error) { return p.out.write(b) }

func (p *pipeEnd) Close() error {
	p.in.close(true)
	p.out.close(false)
	return nil
}

// A stream is one direction of a pipe.
type stream struct {
	mu      sync.Mutex // guards the fields below
	changed *sync.Cond
	buf     []byte // ring
	at, n   int    // n bytes wait from buf[at] on
	closed  bool   // no more writes
	deaf    bool   // no more reads
}

func newStream() *stream {
	s := &stream{}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.n == 0 && !s.closed && len(b) > 0 {
		s.changed.Wait()
	}
	switch {
	case s.deaf:
		return 0, io.ErrClosedPipe
	case len(b) == 0:
		return 0, nil
	case s.n == 0:
		return 0, io.EOF
	}
	n := copy(b, s.buf[s.at:min(s.at+s.n, len(s.buf))])
	n += copy(b[n:], s.buf[:s.n-n])
	s.at = (s.at + n) % len(s.buf)
	s.n -= n
	s.changed.Broadcast()
	return n, nil
}

func (s *stream) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.buf == nil {
		s.buf = make([]byte, pipeSize)
	}
	for done := 0; ; {
		for s.n == len(s.buf) && !s.closed {
			s.changed.Wait()
		}
		if s.closed {
			return done, io.ErrClosedPipe
		}
		n := s.put(b[done:])
		s.changed.Broadcast()
		if done += n; done == len(b) {
			return done, nil
		}
	}
}

// put copies as much of b as fits.
func (s *stream) put(b []byte) int {
	end := (s.at + s.n) % len(s.buf)
	b = b[:min(len(b), len(s.buf)-s.n)]
	n := copy(s.buf[end:], b)
	copy(s.buf, b[n:])
	s.n += len(b)
	return len(b)
}

// close ends the stream. A deaf one loses what was not read.
func (s *stream) close(deaf bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if deaf {
		s.deaf = true
		s.n = 0
	}
	s.changed.Broadcast()
}
