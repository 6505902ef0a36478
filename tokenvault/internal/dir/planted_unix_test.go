//go:build unix

package dir

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

// plantings are what somebody can put in place of a file. A base is a directory of
// theirs on the same disk.
var plantings = []struct {
	name  string
	plant func(path, base string) error
}{
	{"a link to a file in the vault", func(path, _ string) error {
		return os.Symlink("real", path)
	}},
	{"a link to a file outside", func(path, base string) error { return os.Symlink(filepath.Join(base, "theirs"), path) }},
	{"a link to nothing", func(path, _ string) error { return os.Symlink("nothing", path) }},
	{"a link to itself", func(path, _ string) error { return os.Symlink(filepath.Base(path), path) }},
	{"a second name", func(path, base string) error { return os.Link(filepath.Join(base, "theirs"), path) }},
	{"a pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o600) }},
	{"a directory", func(path, _ string) error { return os.Mkdir(path, 0o700) }},
	{"a socket", func(path, _ string) error { return mksocket(path) }},
	{"an endless device", func(path, _ string) error { return mkdevice(path, 1, 5) }}, // as /dev/zero
	{"a terminal", func(path, _ string) error { return mkdevice(path, 5, 0) }},
}

// mksocket leaves a socket that nobody listens on. Its path has to be short, so it is
// made elsewhere.
func mksocket(path string) error {
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(short)
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	at := filepath.Join(short, "s")
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: at}); err != nil {
		return err
	}
	return os.Rename(at, path)
}

// plant puts it into the vault, or skips the test where that is not allowed.
func plant(t *testing.T, d *Dir, name string, how func(path, base string) error) {
	t.Helper()
	base := filepath.Dir(d.path)
	for _, at := range []string{filepath.Join(base, "theirs"), filepath.Join(d.path, "real")} {
		if err := os.WriteFile(at, []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := how(filepath.Join(d.path, name), base); err != nil {
		t.Skipf("it cannot be made here: %v", err)
	}
}

// What is no plain file is not read, not written, not replaced and not waited for.
func TestThreat11PlantedFiles(t *testing.T) {
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			d := newDir(t)
			plant(t, d, record, p.plant)
			before, err := d.root.Lstat(record)
			if err != nil {
				t.Fatal(err)
			}
			room, err := d.Reserve(100)
			if err != nil {
				t.Fatal(err)
			}
			reexec.Within(t, func() {
				_, err := d.Read(record)
				whatIs(t, "Read", err, fault.ErrDamaged, fault.Insecure)
				whatIs(t, "Write", d.Write(record, newer), fault.ErrDamaged, fault.Insecure)
				whatIs(t, "Commit", room.Commit(record, newer), fault.ErrDamaged, fault.Insecure)
				_, err = d.Plain(record)
				whatIs(t, "Plain", err, fault.ErrDamaged, fault.Insecure)
				d.Note(record, bytes.Repeat([]byte("x"), 64))
				if err := d.Touch(record); err != nil {
					t.Errorf("Touch: %v, want that it is there", err)
				}
			})
			after, err := d.root.Lstat(record)
			if err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
				t.Errorf("it was %v and is %v, %v", before.Mode(), after.Mode(), err)
			}
			for _, at := range []string{filepath.Join(filepath.Dir(d.path), "theirs"), filepath.Join(d.path, "real")} {
				if got, err := os.ReadFile(at); err != nil || string(got) != "theirs" {
					t.Errorf("what it leads to is %q, %v", got, err)
				}
			}
			if left := temps(t, d); len(left) > 0 {
				t.Errorf("%q is left", left)
			}
		})
	}
}

// What is put in place between the look and the opening is not read either, and not
// waited for.
func TestThreat11PlantedAfterTheLook(t *testing.T) {
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			d := newDir(t)
			if err := d.Touch(record); err != nil {
				t.Fatal(err)
			}
			looked, err := d.Plain(record)
			if err != nil {
				t.Fatal(err)
			}
			// It is moved, not removed: what is planted could have its number otherwise, and be
			// the same file for the system.
			if err := os.Rename(filepath.Join(d.path, record), filepath.Join(d.path, "looked-at")); err != nil {
				t.Fatal(err)
			}
			plant(t, d, record, p.plant)
			reexec.Within(t, func() {
				if got, err := d.readSame(record, looked); err == nil {
					t.Errorf("read %q", got)
				}
				if got, err := readKeyFile(filepath.Join(d.path, record), looked); err == nil {
					t.Errorf("read the key %q", got)
				}
			})
		})
	}
	t.Run("another file", func(t *testing.T) {
		d := newDir(t)
		if err := d.Write(record, older); err != nil {
			t.Fatal(err)
		}
		looked, err := d.Plain(record)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Write(record, newer); err != nil {
			t.Fatal(err)
		}
		if got, err := d.readSame(record, looked); !errors.Is(err, errReplaced) {
			t.Errorf("%q, %v, want that it was replaced", got, err)
		}
		_, err = readKeyFile(filepath.Join(d.path, record), looked)
		whatIs(t, "a key", err, fault.ErrKey, fault.KeyFileInsecure)
		whatIs(t, "a directory", newDir(t).check(looked), fault.ErrDamaged, fault.Moved)
	})
}

// A planted temp is never written, and stays when the sweep comes.
func TestThreat11PlantedTemps(t *testing.T) {
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			d := newDir(t)
			name := newTempName()
			plant(t, d, name, p.plant)
			reexec.Within(t, func() {
				if _, err := d.steps.create(name); err == nil {
					t.Error("it was opened as a new file")
				}
				if err := d.Sweep(longAfter()); err != nil {
					t.Error(err)
				}
			})
			if _, err := d.root.Lstat(name); err != nil {
				t.Errorf("after the sweep: %v", err)
			}
		})
	}
}

// Removing takes away a name, and never a directory.
func TestThreat11RemovalOfPlantedFiles(t *testing.T) {
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			d := newDir(t)
			plant(t, d, record, p.plant)
			err := d.Remove(record)
			_, lookErr := d.root.Lstat(record)
			if p.name == "a directory" {
				whatIs(t, "Remove", err, fault.ErrDamaged, fault.Insecure)
				if lookErr != nil {
					t.Error("it is gone")
				}
				return
			}
			if err != nil || !errors.Is(lookErr, fs.ErrNotExist) {
				t.Errorf("Remove: %v, then %v", err, lookErr)
			}
			for _, at := range []string{filepath.Join(filepath.Dir(d.path), "theirs"), filepath.Join(d.path, "real")} {
				if got, err := os.ReadFile(at); err != nil || string(got) != "theirs" {
					t.Errorf("what it leads to is %q, %v", got, err)
				}
			}
		})
	}
}

// In place of the directory nothing but a directory is taken, and not by way of a
// link that is its last name.
func TestThreat11PlantedDirectory(t *testing.T) {
	for _, p := range plantings {
		if p.name == "a directory" {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			d := newDir(t)
			plant(t, d, "inner", p.plant)
			reexec.Within(t, func() {
				_, err := Open(filepath.Join(d.path, "inner"))
				whatIs(t, "Open", err, fault.ErrDamaged, fault.Insecure)
				_, err = OpenExisting(filepath.Join(d.path, "inner"))
				whatIs(t, "OpenExisting", err, fault.ErrDamaged, fault.Insecure)
				if below, err := Open(filepath.Join(d.path, "inner", "deeper")); err == nil {
					t.Errorf("Open below: %s was made", below.path)
				}
			})
		})
	}
	t.Run("a link to a directory", func(t *testing.T) {
		d := newDir(t)
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(d.path, link); err != nil {
			t.Fatal(err)
		}
		_, err := Open(link)
		whatIs(t, "Open", err, fault.ErrDamaged, fault.Insecure)
	})
}

// Who puts another directory in place gets nothing: the handle stays with the old
// one, and whoever opens it next is told if it is not the user's.
func TestThreat12SwappedDirectory(t *testing.T) {
	d := newDir(t)
	aside := d.path + ".aside"
	if d.Moved() {
		t.Error("Moved before anything happened")
	}
	if err := os.Rename(d.path, aside); err != nil {
		t.Fatal(err)
	}
	if !d.Moved() {
		t.Error("not Moved, and there is nothing")
	}
	if err := os.Mkdir(d.path, 0o777); err != nil {
		t.Fatal(err)
	}
	chmod(t, d.path, 0o777)
	if !d.Moved() {
		t.Error("not Moved, and another directory is there")
	}
	if err := d.Write(record, newer); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(d.path); err != nil || len(entries) > 0 {
		t.Errorf("the new directory has %v, %v", entries, err)
	}
	if got, err := os.ReadFile(filepath.Join(aside, record)); err != nil || !bytes.Equal(got, newer) {
		t.Errorf("the old directory has %q, %v", got, err)
	}
	_, err := Open(d.path)
	whatIs(t, "Open", err, fault.ErrDamaged, fault.OpenDir)
}
