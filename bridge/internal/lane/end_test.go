package lane

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// isClosed reports whether c is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestNothingIsAppendedAfterEnd(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, Options{Go: start})
	l.Append(lit(0, "before"))
	ended := l.End()
	l.Append(lit(0, "after"))
	l.Flush()
	<-ended
	l.Close()
	if got, want := out.String(), "before\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

func TestEndWaitsForTheLineThatIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stuck{make(chan struct{}), make(chan struct{}, 1)}
		l := New(s, Options{Go: start})
		l.Append(lit(0, "text"))
		l.Flush()
		<-s.entered
		ended := l.End()
		synctest.Wait()
		if isClosed(ended) {
			t.Error("End says that a line is written which is not")
		}
		close(s.release)
		<-ended
		l.Close()
	})
}

func TestEndOfALaneWhoseLastLineIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(io.Discard, Options{Go: start})
		l.Append(lit(1, "text"))
		ended := l.End()
		if isClosed(ended) {
			t.Error("End says that a line is written which is not")
		}
		l.TakeBack(1)
		<-ended
		l.Close()
	})
}

func TestNoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		l := New(w, Options{Go: start})
		for l.Waiting() < Full {
			l.Append(lit(0, strings.Repeat("x", 1000)))
		}
		l.Flush()
		waited := start(func() { l.Wait() })
		synctest.Wait()
		if isClosed(waited) {
			t.Error("Wait returned though the lane is full")
		}
		l.NoWait()
		<-waited
		l.Wait()
		go io.Copy(io.Discard, r) // and nothing was dropped
		<-l.End()
		l.Close()
		w.Close()
	})
}

// A manual sink does what the test tells it.
type manual struct {
	fits  int           // bytes that try takes, in all
	ready chan struct{} // wait returns when it is closed
	got   bytes.Buffer
	puts  int
}

func (s *manual) try(p []byte) (int, error) {
	n := min(s.fits, len(p))
	s.fits -= n
	return s.got.Write(p[:n])
}

func (s *manual) wait() error {
	<-s.ready
	return nil
}

func (s *manual) put(p []byte) (int, error) {
	s.puts++
	return s.got.Write(p)
}

func (s *manual) most() int       { return 100 }
func (s *manual) interrupt() bool { return true }
func (s *manual) restore()        {}

// The goroutine of the lane waits until the peer takes something: it does not try
// again and again.
func TestWriterWaitsForThePeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &manual{fits: 2, ready: make(chan struct{})}
		l := newLane(s, new(atomic.Bool), Options{Go: start})
		l.Append(lit(1, "text"))
		l.Append(lit(2, "more"))
		l.Flush()
		synctest.Wait()
		if s.puts > 0 {
			t.Errorf("%d writes to a peer that takes nothing", s.puts)
		}
		if got, want := l.Waiting(), 8; got != want {
			t.Errorf("Waiting() = %d, want %d", got, want)
		}
		if l.TakeBack(1) {
			t.Error("TakeBack = true for a line that is begun")
		}
		if !l.TakeBack(2) {
			t.Error("TakeBack = false for a line that waits for the peer")
		}
		close(s.ready)
		<-l.End()
		l.Close()
		if got, want := s.got.String(), "text\n"; got != want {
			t.Errorf("wrote %q, want %q", got, want)
		}
	})
}

// Close leaves the writer as it was.
func TestCloseRestoresTheWriter(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	l := New(near, Options{Go: start})
	l.Append(lit(0, "to nobody"))
	l.Flush()
	far.Read(make([]byte, 1)) // so the write is under way
	l.Close()
	go io.WriteString(near, "later")
	b := make([]byte, 5)
	if _, err := io.ReadFull(far, b); err != nil || string(b) != "later" {
		t.Errorf("after Close the writer gives %q, %v, want %q", b, err, "later")
	}
}
