package dir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// whatIs fails the test unless the error is of this kind and says this.
func whatIs(t *testing.T, what string, err, sentinel error, detail fault.Detail) {
	t.Helper()
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || !errors.Is(err, sentinel) || e.Detail != detail {
		t.Errorf("%s: %v, want %v: %s", what, err, sentinel, detail)
	}
}

// newDir opens a new vault directory.
func newDir(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "a", "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	d := newDir(t)
	if err := d.Write("r-1", []byte("one")); err != nil {
		t.Fatal(err)
	}
	room, err := d.Reserve(8192)
	if err != nil {
		t.Fatal(err)
	}
	if err := room.Commit("r-1", []byte("two")); err != nil {
		t.Fatal(err)
	}
	room.Drop()
	got, err := d.Read("r-1")
	if err != nil || string(got) != "two" {
		t.Errorf("Read: %q, %v, want what was committed", got, err)
	}
	if names, err := d.Names(); err != nil || len(names) != 1 {
		t.Errorf("Names: %q, %v, want the record alone", names, err)
	}
	if err := d.Remove("r-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read("r-1"); !os.IsNotExist(err) {
		t.Errorf("Read of a removed file: %v, want that it does not exist", err)
	}
}
