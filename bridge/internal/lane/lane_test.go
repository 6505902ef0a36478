package lane

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// patience bounds waits for real descriptors; nothing takes that long.
const patience = 30 * time.Second

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func lit(ex mcpwire.Exchange, text string) *mcpwire.Frame {
	return &mcpwire.Frame{Exchange: ex, Lit: []byte(text)}
}

// A medium is a writer of some kind with the other end of it.
type medium struct {
	name string
	open func(t *testing.T) (io.Reader, io.WriteCloser)
}

// media are the kinds that every system has; others are added by their files.
var media = []medium{
	{"writer", func(*testing.T) (io.Reader, io.WriteCloser) { return io.Pipe() }},
	{"pipe of this process", func(t *testing.T) (io.Reader, io.WriteCloser) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r, w
	}},
}

func forMedia(t *testing.T, f func(t *testing.T, r io.Reader, w io.WriteCloser)) {
	for _, m := range media {
		t.Run(m.name, func(t *testing.T) {
			r, w := m.open(t)
			f(t, r, w)
		})
	}
}

func TestLinesKeepTheirOrder(t *testing.T) {
	forMedia(t, func(t *testing.T, r io.Reader, w io.WriteCloser) {
		l := New(w, Options{Go: start})
		const lines = 5000
		var door sync.Mutex // as the door of a session: it orders the appends
		next := 0
		var writers sync.WaitGroup
		for range 3 {
			writers.Go(func() {
				for {
					door.Lock()
					if next == lines {
						door.Unlock()
						return
					}
					l.Append(lit(0, fmt.Sprintf("%d %s", next, strings.Repeat("x", next%700))))
					next++
					door.Unlock()
					l.Flush()
				}
			})
		}
		in := bufio.NewScanner(r)
		for i := range lines {
			if !in.Scan() {
				t.Fatalf("line %d is missing: %v", i, in.Err())
			}
			if got, want := in.Text(), fmt.Sprintf("%d %s", i, strings.Repeat("x", i%700)); got != want {
				t.Fatalf("line %d = %.40q, want %.40q", i, got, want)
			}
		}
		writers.Wait()
		<-l.End()
		l.Close()
	})
}

// fill appends lines until the peer takes no more without being read.
func fill(t *testing.T, l *Lane) (lines int) {
	t.Helper()
	for lines < 1000 {
		l.Append(lit(0, strings.Repeat("f", 4000)))
		l.Flush()
		lines++
		if l.Waiting() > 100_000 {
			return lines
		}
	}
	t.Fatal("the peer takes everything without being read")
	return 0
}

// req: W01
func TestFlushDoesNotWaitForAPeer(t *testing.T) {
	forMedia(t, func(t *testing.T, r io.Reader, w io.WriteCloser) {
		l := New(w, Options{Go: start})
		n := fill(t, l) // returns although nobody reads
		all := make(chan int)
		go func() {
			b, _ := io.ReadAll(r)
			all <- bytes.Count(b, []byte{'\n'})
		}()
		select {
		case <-l.End():
		case <-time.After(patience):
			t.Fatal("what waited was not written")
		}
		l.Close()
		w.Close()
		if got := <-all; got != n {
			t.Errorf("read %d lines, want %d", got, n)
		}
	})
}

// req: W13
func TestTakeBack(t *testing.T) {
	forMedia(t, func(t *testing.T, r io.Reader, w io.WriteCloser) {
		l := New(w, Options{Go: start})
		l.Append(lit(1, "first"))
		l.Flush()
		fill(t, l)
		l.Append(lit(2, "second"))
		l.Append(lit(3, "third"))
		l.Flush()
		if !l.TakeBack(2) {
			t.Error("TakeBack(2) = false for a line that waits")
		}
		if l.TakeBack(2) {
			t.Error("TakeBack(2) = true the second time")
		}
		text := make(chan string)
		go func() {
			b, _ := io.ReadAll(r)
			text <- string(b)
		}()
		<-l.End()
		if l.TakeBack(3) || l.TakeBack(1) {
			t.Error("TakeBack = true for a line that is written")
		}
		l.Close()
		w.Close()
		got := <-text
		if strings.Contains(got, "second") || !strings.HasPrefix(got, "first\n") || !strings.HasSuffix(got, "f\nthird\n") {
			t.Errorf("wrote %.10q … %q", got, got[len(got)-20:])
		}
	})
}

func TestTakeBackBeforeFlush(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, Options{Go: start})
	for ex := range mcpwire.Exchange(4) {
		l.Append(lit(ex, fmt.Sprint(ex)))
	}
	for ex, want := range []bool{0: false, 1: true, 2: false, 3: true} {
		if got := ex != 2 && l.TakeBack(mcpwire.Exchange(ex)); got != want {
			t.Errorf("TakeBack(%d) = %v, want %v", ex, got, want)
		}
	}
	l.Flush()
	<-l.End()
	l.Close()
	if got, want := out.String(), "0\n2\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

func TestWaitReturnsOnceThePeerReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		l := New(w, Options{Go: start})
		l.Wait() // empty: at once
		for l.Waiting() < Full {
			l.Append(lit(0, strings.Repeat("x", 1000)))
		}
		l.Flush()
		waited := start(func() { l.Wait() })
		synctest.Wait()
		select {
		case <-waited:
			t.Error("Wait returned though the lane is full")
		default:
		}
		go io.Copy(io.Discard, r)
		<-waited
		<-l.End()
		l.Close()
		w.Close()
	})
}

func TestWaitReturnsOnceTheLaneIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := io.Pipe()
		l := New(w, Options{Go: start})
		for l.Waiting() < Full {
			l.Append(lit(0, strings.Repeat("x", 1000)))
		}
		l.Flush()
		waited := start(func() { l.Wait() })
		ended := l.End()
		synctest.Wait()
		l.Close() // nobody reads: it must interrupt the Write
		<-waited
		<-ended
		if got := l.Waiting(); got != 0 {
			t.Errorf("Waiting() = %d after Close, want 0", got)
		}
	})
}

func TestLostIsToldOnce(t *testing.T) {
	forMedia(t, func(t *testing.T, r io.Reader, w io.WriteCloser) {
		lost := make(chan error, 100)
		l := New(w, Options{Go: start, Lost: func(err error) { lost <- err }})
		r.(io.Closer).Close()
		for range 20 {
			l.Append(lit(0, "text"))
			l.Flush()
		}
		select {
		case <-lost:
		case <-time.After(patience):
			t.Fatal("Lost was not called")
		}
		l.Close()
		if len(lost) > 0 {
			t.Errorf("Lost was called %d times more", len(lost))
		}
		l.Append(lit(0, "text"))
		if got := l.Waiting(); got != 0 {
			t.Errorf("Waiting() = %d, want 0: everything is dropped", got)
		}
	})
}

func TestCloseEndsAWriteThatBlocks(t *testing.T) {
	forMedia(t, func(t *testing.T, r io.Reader, w io.WriteCloser) {
		l := New(w, Options{Go: start})
		fill(t, l)
		closed := start(l.Close)
		select {
		case <-closed:
		case <-time.After(patience):
			t.Fatal("Close waits for a peer that does not read")
		}
	})
}

// stuck is a writer that nothing can interrupt.
type stuck struct{ release, entered chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	s.entered <- struct{}{}
	<-s.release
	return len(p), nil
}

func TestCloseLeavesAWriterThatCannotBeInterrupted(t *testing.T) {
	s := stuck{make(chan struct{}), make(chan struct{})}
	l := New(s, Options{Go: start})
	l.Append(lit(0, "text"))
	l.Flush()
	<-s.entered
	l.Close()
	close(s.release)
	<-l.done
}

func TestBehindDoesNotCountTheLineThatIsWritten(t *testing.T) {
	s := stuck{make(chan struct{}), make(chan struct{}, 9)}
	l := New(s, Options{Go: start})
	l.Append(lit(0, strings.Repeat("x", 999)))
	if got := l.Behind(); got != 0 {
		t.Errorf("Behind() = %d with one line, want 0", got)
	}
	l.Flush()
	<-s.entered
	l.Append(lit(0, strings.Repeat("y", 99)))
	if got, want := l.Behind(), 100; got != want {
		t.Errorf("Behind() = %d, want %d", got, want)
	}
	close(s.release)
	<-l.End()
	l.Close()
}

// A reader that is never caught up with must not make the buffer grow.
func TestBufferDoesNotGrowWhileTheLaneIsNeverEmpty(t *testing.T) {
	var q queue
	line := lit(0, strings.Repeat("x", 999))
	q.copy(line)
	for range 100_000 {
		q.copy(line)
		q.wrote(len(q.take(1000)))
	}
	if got := cap(q.buf); got > 4*moveAfter {
		t.Errorf("the buffer has %d bytes for one line", got)
	}
	if got := cap(q.lines); got > 4*keptLines {
		t.Errorf("the list has room for %d lines for one line", got)
	}
}

func TestFullWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(io.Discard, Options{Go: start})
		defer l.Close()
		if l.FullWithin(time.Hour) {
			t.Error("a new lane was full")
		}
		f := mcpwire.Frame{Lit: bytes.Repeat([]byte("x"), Full)}
		l.Append(&f)
		if !l.FullWithin(1) {
			t.Error("the lane is not full")
		}
		l.Flush()
		synctest.Wait()
		time.Sleep(time.Second - 1)
		if !l.FullWithin(time.Second) {
			t.Error("the lane was not full within a second")
		}
		time.Sleep(time.Nanosecond)
		if l.FullWithin(time.Second) {
			t.Error("the lane was full within a second, a second later")
		}
	})
}
