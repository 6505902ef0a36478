package halt

import (
	"os"
	"testing"
)

// A pipe has no deadlines here, and yet what blocks in it returns, whether it began
// before or after.
func TestPipeIsInterrupted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	reads := make(chan error)
	go func() {
		for range 3 {
			_, err := r.Read(make([]byte, 1))
			reads <- err
		}
	}()
	undo, ok := Reads(r)
	if !ok {
		t.Fatal("Reads = false for a pipe")
	}
	for range 2 {
		if err := <-reads; err == nil {
			t.Error("Read found something")
		}
	}
	undo()
	undo() // who ends twice undoes twice
	w.WriteString("x")
	if err := <-reads; err != nil {
		t.Logf("the Read that undo came too late for: %v", err)
		if _, err := r.Read(make([]byte, 1)); err != nil {
			t.Errorf("after undo Read gives %v", err)
		}
	}
}
