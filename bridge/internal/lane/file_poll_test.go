//go:build linux || darwin || freebsd

package lane

import (
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func init() {
	media = append(media,
		medium{"blocking pipe", func(t *testing.T) (io.Reader, io.WriteCloser) { return blockingPipe(t) }},
		medium{"blocking socket", func(t *testing.T) (io.Reader, io.WriteCloser) { return blockingSocket(t) }},
	)
}

// blockingPipe returns a pipe as a parent gives it to a child.
func blockingPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	var p [2]int
	if err := unix.Pipe(p[:]); err != nil {
		t.Fatal(err)
	}
	return files(t, p)
}

// blockingSocket returns a pair of sockets as Node gives one to a child.
func blockingSocket(t *testing.T) (r, w *os.File) {
	t.Helper()
	p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	return files(t, p)
}

func files(t *testing.T, p [2]int) (r, w *os.File) {
	r, w = os.NewFile(uintptr(p[0]), "r"), os.NewFile(uintptr(p[1]), "w")
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

func flagsOf(t *testing.T, f *os.File) (flags int) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) { flags, err = unix.FcntlInt(fd, unix.F_GETFL, 0) })
	if err != nil {
		t.Fatal(err)
	}
	return flags
}

func TestFlagsOfTheDescriptorAreLeftAlone(t *testing.T) {
	for name, open := range map[string]func(*testing.T) (r, w *os.File){"pipe": blockingPipe, "socket": blockingSocket} {
		t.Run(name, func(t *testing.T) {
			r, w := open(t)
			before := flagsOf(t, w)
			if before&unix.O_NONBLOCK != 0 {
				t.Fatal("the test needs a blocking descriptor")
			}
			l := New(w, Options{Go: start})
			n := fill(t, l)
			if got := flagsOf(t, w); got != before {
				t.Errorf("flags = %#x, want %#x", got, before)
			}
			go io.CopyN(io.Discard, r, int64(n)*4001)
			<-l.End()
			l.Close()
			if got := flagsOf(t, w); got != before {
				t.Errorf("flags = %#x at the end, want %#x", got, before)
			}
		})
	}
}

func TestSinkOfAFile(t *testing.T) {
	disk, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if _, ok := newSink(disk, false, nil).(*writerSink); !ok {
		t.Error("a file on a disk is written without its goroutine")
	}
	_, blocking := blockingPipe(t)
	_, nonblocking, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer nonblocking.Close()
	for _, tt := range []struct {
		name string
		w    *os.File
		own  bool
		want fileKind
	}{
		{"a pipe", blocking, false, kindPipe},
		{"a pipe in a mode that another process may change", nonblocking, false, kindPipe},
		{"a pipe of our own", nonblocking, true, kindNonblocking},
		{"a pipe of our own that blocks", blocking, true, kindPipe},
	} {
		if s, ok := newSink(tt.w, tt.own, nil).(*fileSink); !ok || s.kind != tt.want {
			t.Errorf("%s is written as %+v, want kind %d", tt.name, s, tt.want)
		}
	}
}

// A line that goes out at once costs no memory and no other goroutine.
func TestAppendAndFlushAllocateNothing(t *testing.T) {
	for name, open := range map[string]func(*testing.T) (r, w *os.File){"pipe": blockingPipe, "socket": blockingSocket} {
		t.Run(name, func(t *testing.T) {
			r, w := open(t)
			l := New(w, Options{Go: start})
			defer l.Close()
			frame := lit(1, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			buf := make([]byte, 4096)
			got := testing.AllocsPerRun(100, func() {
				l.Append(frame)
				l.Flush()
				if l.Waiting() > 0 {
					t.Fatal("the line was not written at once")
				}
				r.Read(buf)
			})
			if got != 0 {
				t.Errorf("allocations for a line = %v, want 0", got)
			}
		})
	}
}
