//go:build linux || darwin || freebsd

package lane

import (
	"bufio"
	"io"
	"os"
	"testing"
	"time"
)

// pipeOfThisProcess returns a pipe in the mode in which Go opens it.
func pipeOfThisProcess(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

// watchable are the files of which the system tells that nobody reads them.
var watchable = map[string]func(*testing.T) (r, w *os.File){
	"blocking pipe": blockingPipe, "blocking socket": blockingSocket, "pipe of this process": pipeOfThisProcess,
}

// Nothing is written, and yet the lane is lost when its reader goes.
//
// req: P19
func TestReaderThatGoesWhileIdle(t *testing.T) {
	for name, open := range watchable {
		t.Run(name, func(t *testing.T) {
			r, w := open(t)
			before := flagsOf(t, w)
			lost := make(chan error, 2)
			l := New(w, Options{Go: start, Watched: true, Lost: func(err error) { lost <- err }})
			in := bufio.NewReader(r)
			for range 3 { // a reader that reads is not one that goes
				l.Append(lit(0, "text"))
				l.Flush()
				if got, err := in.ReadString('\n'); got != "text\n" || err != nil {
					t.Fatalf("read %q, %v", got, err)
				}
			}
			select {
			case err := <-lost:
				t.Fatalf("Lost(%v) though somebody reads", err)
			default:
			}
			r.Close()
			select {
			case err := <-lost:
				if err != errGone {
					t.Errorf("Lost(%v), want %v", err, errGone)
				}
			case <-time.After(patience):
				t.Error("Lost is not called")
			}
			if got := flagsOf(t, w); got != before {
				t.Errorf("flags = %#x, want %#x", got, before)
			}
			l.Append(lit(0, "late"))
			l.Flush()
			l.Close()
			if n := len(lost); n > 0 {
				t.Errorf("Lost was called %d more times", n)
			}
		})
	}
}

// A lane whose reader stays ends without a word.
func TestCloseOfAWatchedLane(t *testing.T) {
	for name, open := range watchable {
		t.Run(name, func(t *testing.T) {
			r, w := open(t)
			l := New(w, Options{Go: start, Watched: true, Lost: func(err error) { t.Errorf("Lost(%v)", err) }})
			if l.unwatch == nil {
				t.Fatal("nobody watches")
			}
			l.Append(lit(0, "text"))
			l.Flush()
			<-l.End()
			l.Close()
			l.Close() // a session closes a lane again that it gave up
			w.Close()
			if got, err := io.ReadAll(r); string(got) != "text\n" || err != nil {
				t.Errorf("read %q, %v", got, err)
			}
		})
	}
}

// Nobody can go from behind a file on a disk or a writer in memory.
func TestNothingToWatch(t *testing.T) {
	disk, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	for _, w := range []io.Writer{disk, io.Discard} {
		l := New(w, Options{Go: start, Watched: true})
		if l.unwatch != nil {
			t.Errorf("%T is watched", w)
		}
		l.Close()
	}
}
