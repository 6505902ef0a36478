//go:build unix

package stdio

import (
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// counted counts the calls of Read.
type counted struct {
	*os.File
	reads chan error
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	c.reads <- err
	return n, err
}

// Another process that has the same input can make it nonblocking at any time.
func TestInputThatAnotherProcessMadeNonblocking(t *testing.T) {
	var fds [2]int
	if err := unix.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	in := counted{os.NewFile(uintptr(fds[0]), "in"), make(chan error, 100)} // blocks, as a standard input does
	w := os.NewFile(uintptr(fds[1]), "w")
	defer in.Close()
	defer w.Close()
	if err := in.SetReadDeadline(time.Time{}); err == nil {
		t.Fatal("the test needs a file that is not polled")
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		t.Fatal(err)
	}

	f := New(in, 1000, 64)
	lines := make(chan error)
	go func() {
		defer close(lines)
		for {
			_, err := f.Read()
			lines <- err
			if err != nil {
				return
			}
		}
	}()
	if err := <-in.reads; err == nil {
		t.Fatal("the first Read found something")
	}
	for range 3 {
		io.WriteString(w, `{"jsonrpc":"2.0","method":"m"}`+"\n")
		if err := <-lines; err != nil {
			t.Fatalf("Read = %v, want a message", err)
		}
	}
	w.Close()
	if err := <-lines; err != io.EOF {
		t.Errorf("Read = %v, want %v", err, io.EOF)
	}
	// One try before each message, at most one that finds nothing after it.
	if n := len(in.reads); n > 8 {
		t.Errorf("%d reads for three messages and the end: it does not wait", n)
	}
}
