package tokenvault_test

import (
	"errors"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// An older file of a record that this process has seen is refused, and left alone.
// The next process cannot know: what it does then is written down in README.
//
// req: V06, V07
func TestThreat09OlderCopyPutBack(t *testing.T) {
	c := fileConfig(newDir(t))
	v := open(t, c)
	put(t, v, alice, "1")
	dir := v.Status().Dir
	old := filesIn(t, dir)
	put(t, v, alice, "2")
	restore(t, dir, old, "r-")
	now := filesIn(t, dir)

	_, getErr := v.Get(t.Context(), alice)
	_, putErr := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{})
	for op, err := range map[string]error{"Get": getErr, "Put": putErr} {
		if !errors.Is(err, tokenvault.ErrDamaged) || !strings.Contains(err.Error(), "older") {
			t.Errorf("%s: got %v, want ErrDamaged: older", op, err)
		}
	}
	if !maps.Equal(now, filesIn(t, dir)) {
		t.Error("the files were changed")
	}
	if e, err := open(t, c).Get(t.Context(), alice); err != nil || e.Value.Expose() != "1" {
		t.Errorf("another process: got %v; it cannot know", err)
	}
	if err := v.Delete(t.Context(), alice, tokenvault.Always); err != nil {
		t.Errorf("Delete, the way out: %v", err)
	}
	put(t, v, alice, "3")
}

// A file that was deleted here does not come back.
//
// req: V06, V07
func TestThreat10DeletedRecordPutBack(t *testing.T) {
	v := open(t, fileConfig(newDir(t)))
	put(t, v, alice, "1")
	dir := v.Status().Dir
	old := filesIn(t, dir)
	if err := v.Delete(t.Context(), alice, tokenvault.Always); err != nil {
		t.Fatal(err)
	}
	restore(t, dir, old, "r-")
	if _, err := v.Get(t.Context(), alice); !errors.Is(err, tokenvault.ErrDamaged) {
		t.Errorf("Get: got %v, want ErrDamaged", err)
	}
	for _, path := range recordsIn(t, dir) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	put(t, v, alice, "2")
	if e, err := v.Get(t.Context(), alice); err != nil || e.Value.Expose() != "2" {
		t.Errorf("a new record: %v", err)
	}
}

// What another process writes or deletes is never taken for an older copy, however
// reads and writes fall together.
//
// req: V07
func TestNewerRecordsOfOthersAreTaken(t *testing.T) {
	c := fileConfig(newDir(t))
	writer, reader := open(t, c), open(t, c)
	put(t, writer, alice, "1")
	done := make(chan struct{})
	for range 4 {
		go func() {
			for range 200 {
				if _, err := reader.Get(t.Context(), alice); err != nil && !errors.Is(err, tokenvault.ErrNotFound) {
					t.Errorf("Get: %v", err)
				}
			}
			done <- struct{}{}
		}()
	}
	for ended := 0; ended < 4; {
		select {
		case <-done:
			ended++
		default:
			put(t, writer, alice, "2")
			put(t, writer, alice, "3")
			if err := writer.Delete(t.Context(), alice, tokenvault.Always); err != nil {
				t.Fatal(err)
			}
			put(t, writer, alice, "4")
		}
	}
}
