package halt

import (
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadlineIsTakenAwayAgain(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	undoReads, ok := Reads(near)
	if _, err := near.Read(make([]byte, 1)); !ok || err == nil {
		t.Errorf("Reads = %v, and Read then gives %v", ok, err)
	}
	undoWrites, ok := Writes(near)
	if _, err := near.Write([]byte("x")); !ok || err == nil {
		t.Errorf("Writes = %v, and Write then gives %v", ok, err)
	}
	undoReads()
	undoWrites()
	go io.Copy(far, far) // an echo
	if _, err := near.Write([]byte("x")); err != nil {
		t.Errorf("after undo Write gives %v", err)
	}
	if _, err := near.Read(make([]byte, 1)); err != nil {
		t.Errorf("after undo Read gives %v", err)
	}
}

// A file without deadlines stays as it is: its Close would not end a blocked call.
func TestFileIsNotClosed(t *testing.T) {
	disk, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if _, ok := Reads(disk); ok {
		t.Error("Reads = true for a file on a disk")
	}
	if _, ok := Writes(disk); ok {
		t.Error("Writes = true for a file on a disk")
	}
	if _, err := disk.WriteString("text"); err != nil {
		t.Errorf("the file does not work any more: %v", err)
	}
}

func TestStreamWithoutDeadlinesIsClosed(t *testing.T) {
	r, w := io.Pipe()
	if undo, ok := Reads(r); !ok {
		t.Error("Reads = false for a pipe in memory")
	} else {
		undo()
	}
	if _, err := w.Write([]byte("x")); err != io.ErrClosedPipe {
		t.Errorf("Write = %v, want %v", err, io.ErrClosedPipe)
	}
	if _, ok := Writes(io.Discard); ok {
		t.Error("Writes = true for a writer that nothing can interrupt")
	}
}

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		start := time.Now()
		if got := Within(done, time.Minute); got || time.Since(start) != time.Minute {
			t.Errorf("Within = %v after %v, want false after a minute", got, time.Since(start))
		}
		time.AfterFunc(time.Second, func() { close(done) })
		start = time.Now()
		if got := Within(done, time.Minute); !got || time.Since(start) != time.Second {
			t.Errorf("Within = %v after %v, want true after a second", got, time.Since(start))
		}
	})
}
