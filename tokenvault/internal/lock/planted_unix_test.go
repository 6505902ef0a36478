//go:build unix

package lock

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

// What is no plain file is no lock: it is not opened, not waited for, and stays.
func TestThreat11PlantedLocks(t *testing.T) {
	plantings := []struct {
		name  string
		plant func(path, theirs string) error
	}{
		{"a link", func(path, theirs string) error { return os.Symlink(theirs, path) }},
		{"a link to nothing", func(path, _ string) error { return os.Symlink("nothing", path) }},
		{"a second name", func(path, theirs string) error { return os.Link(theirs, path) }},
		{"a pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o600) }},
		{"a directory", func(path, _ string) error { return os.Mkdir(path, 0o700) }},
		{"a file for all", func(path, _ string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o666))
		}},
	}
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			d, l, _ := newPair(t)
			theirs := filepath.Join(t.TempDir(), "theirs")
			if err := os.WriteFile(theirs, []byte("theirs"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{vaultFile, keyFile, stripeFile(7)} {
				if err := errors.Join(os.Remove(d.Path(name)), p.plant(d.Path(name), theirs)); err != nil {
					t.Fatal(err)
				}
			}
			reexec.Within(t, func() {
				_, aloneErr := l.Vault(patient(t), true)
				_, sharedErr := l.Vault(patient(t), false)
				_, keyErr := l.Key(patient(t))
				_, stripeErr := l.Stripe(patient(t), 7)
				for _, err := range []error{aloneErr, sharedErr, keyErr, stripeErr} {
					if e, ok := errors.AsType[*fault.Error](err); !ok || e.Sentinel != fault.ErrDamaged || e.Detail != fault.Insecure {
						t.Errorf("%v, want ErrDamaged: insecure", err)
					}
				}
				if _, err := New(d); err != nil {
					t.Errorf("New: %v, want that the names are there", err)
				}
			})
			if got, err := os.ReadFile(theirs); err != nil || string(got) != "theirs" {
				t.Errorf("what it leads to is %q, %v", got, err)
			}
		})
	}
}

// A lock in a directory that was put in place of the one that is held is none.
func TestThreat12SwappedDirectory(t *testing.T) {
	d, l, _ := newPair(t)
	held := strings.TrimSuffix(path(d), "/")
	if err := os.Rename(held, held+".aside"); err != nil {
		t.Fatal(err)
	}
	moved := func(what string) {
		t.Helper()
		_, err := l.Stripe(patient(t), 7)
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Sentinel != fault.ErrDamaged || e.Detail != fault.Moved {
			t.Errorf("%s: %v, want ErrDamaged: moved", what, err)
		}
	}
	moved("no directory")
	other, err := dir.Open(held)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	moved("an empty directory")
	if names, err := other.Names(); err != nil || len(names) > 0 {
		t.Errorf("the other directory has %q, %v", names, err)
	}
	open(t, other)
	moved("a directory with locks")
	if err := errors.Join(os.RemoveAll(held), os.Rename(held+".aside", held)); err != nil {
		t.Fatal(err)
	}
	must(t)(l.Stripe(patient(t), 7))()
}

// A lock file that somebody has removed comes back.
func TestRemovedLockFile(t *testing.T) {
	d, l, other := newPair(t)
	if err := os.Remove(d.Path(stripeFile(7))); err != nil {
		t.Fatal(err)
	}
	release := must(t)(l.Stripe(patient(t), 7))
	if _, err := other.Stripe(soon(t), 7); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("the new file: %v, want ErrBusy", err)
	}
	release()
}

// A lock file says to people who has it.
func TestHolderIsWrittenDown(t *testing.T) {
	d, l, _ := newPair(t)
	release := must(t)(l.Stripe(patient(t), 7))
	text, err := os.ReadFile(d.Path(stripeFile(7)))
	want := "pid " + strconv.Itoa(os.Getpid()) + ", started 2"
	if err != nil || !strings.Contains(string(text), want) || len(text) != signBytes {
		t.Errorf("%q, %v, want a line with %q", text, err, want)
	}
	release()
	must(t)(l.Vault(patient(t), false))()
	if text, err := os.ReadFile(d.Path(vaultFile)); err != nil || len(text) > 0 {
		t.Errorf("a shared lock says %q, %v", text, err)
	}
}

// A directory that cannot be written has the locks that were made before.
func TestThreat19LocksInAReadOnlyDirectory(t *testing.T) {
	if !reexec.Nobody(t) {
		return
	}
	d, l, _ := newPair(t)
	at := path(d)
	if err := os.Chmod(at, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(at, 0o700)
	must(t)(l.Stripe(patient(t), 7))()
	if err := errors.Join(os.Chmod(at, 0o700), os.Remove(d.Path(vaultFile)), os.Chmod(at, 0o500)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Vault(patient(t), false); !errors.Is(err, fault.ErrNotWritable) {
		t.Errorf("a lock file that cannot be made: %v, want ErrNotWritable", err)
	}
	if _, err := New(d); !errors.Is(err, fault.ErrNotWritable) {
		t.Errorf("New: %v, want ErrNotWritable", err)
	}
}
