//go:build unix

package dir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// Whatever the umask is, what is made is the user's alone.
func TestThreat01ModesUnderAnyUmask(t *testing.T) {
	for _, mask := range []int{0, 0o002, 0o022, 0o077} {
		t.Run(fmt.Sprintf("%03o", mask), func(t *testing.T) {
			base := t.TempDir()
			old := syscall.Umask(mask)
			defer syscall.Umask(old)
			path := filepath.Join(base, "a", "b", "vault")
			d, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if err := errors.Join(d.Write(record, older), d.Touch("l-00")); err != nil {
				t.Fatal(err)
			}
			room, err := d.Reserve(1)
			if err != nil {
				t.Fatal(err)
			}
			defer room.Drop()
			for _, dir := range []string{"a", "a/b", "a/b/vault"} {
				if got := mode(t, filepath.Join(base, dir)); got != 0o700 {
					t.Errorf("%s is %v", dir, got)
				}
			}
			names, err := d.Names()
			if err != nil || len(names) != 3 {
				t.Fatal(names, err)
			}
			for _, name := range names {
				if got := mode(t, filepath.Join(path, name)); got != 0o600 {
					t.Errorf("a file of %s is %v", name[:2], got)
				}
			}
		})
	}
}

// A directory or a file with any right of somebody else is not read.
func TestThreat01OtherModes(t *testing.T) {
	d := newDir(t)
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.path, record)
	for bit := range 6 {
		extra := os.FileMode(1) << bit
		t.Run(fmt.Sprintf("%03o", extra), func(t *testing.T) {
			chmod(t, d.path, 0o700|extra)
			_, err := Open(d.path)
			whatIs(t, "the directory", err, fault.ErrDamaged, fault.OpenDir)
			chmod(t, d.path, 0o700)
			chmod(t, file, 0o600|extra)
			_, err = d.Read(record)
			whatIs(t, "the file", err, fault.ErrDamaged, fault.Insecure)
			whatIs(t, "writing over it", d.Write(record, newer), fault.ErrDamaged, fault.Insecure)
			if got := mode(t, file); got != 0o600|extra {
				t.Errorf("the file is %v now", got)
			}
			chmod(t, file, 0o600)
		})
	}
	if got, err := d.Read(record); err != nil || string(got) != string(older) {
		t.Errorf("%q, %v, want the record as it was", got, err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func chown(t *testing.T, path string, uid int) {
	t.Helper()
	if err := os.Chown(path, uid, -1); err != nil {
		t.Skipf("no files can be given to another user: %v", err)
	}
}

// A directory or a file of another user is not read, nor one that is reached through
// such a directory or link.
func TestThreat01OtherOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const stranger = 65533
	d := newDir(t)
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	file, parent := filepath.Join(d.path, record), filepath.Dir(d.path)
	chown(t, file, stranger)
	_, err := d.Read(record)
	whatIs(t, "a file", err, fault.ErrDamaged, fault.Insecure)
	chown(t, file, 0)

	for path, want := range map[string]fault.Detail{d.path: fault.OpenDir, parent: fault.OpenAbove} {
		chown(t, path, stranger)
		_, err := Open(d.path)
		whatIs(t, "a directory", err, fault.ErrDamaged, want)
		chown(t, path, 0)
	}

	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(parent, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(link, stranger, -1); err != nil {
		t.Fatal(err)
	}
	_, err = Open(filepath.Join(link, "vault"))
	whatIs(t, "a link on the way", err, fault.ErrDamaged, fault.OpenAbove)
	if err := os.Lchown(link, 0, -1); err != nil {
		t.Fatal(err)
	}
	again, err := Open(filepath.Join(link, "vault"))
	if err != nil {
		t.Fatalf("through a link of the user: %v", err)
	}
	_ = again.Close()
}

// Who can write in a directory above can put another one in place. The sticky bit
// keeps what is ours there.
func TestThreat12DirectoriesAboveThatOthersCanChange(t *testing.T) {
	tests := []struct {
		mode os.FileMode
		good bool
	}{
		{0o755, true},
		{0o700, true},
		{0o775, false},
		{0o757, false},
		{0o777, false},
		{0o777 | os.ModeSticky, true},
	}
	for _, test := range tests {
		t.Run(test.mode.String(), func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "base")
			if err := os.Mkdir(base, 0o700); err != nil {
				t.Fatal(err)
			}
			chmod(t, base, test.mode)
			path := filepath.Join(base, "new", "vault")
			d, err := Open(path)
			if test.good {
				if err != nil {
					t.Fatal(err)
				}
				_ = d.Close()
				return
			}
			whatIs(t, "Open", err, fault.ErrDamaged, fault.OpenAbove)
			if _, err := os.Lstat(filepath.Join(base, "new")); err == nil {
				t.Error("something was made there")
			}
		})
	}
}

// A read-only directory is told before anything is spent, and nothing there changes.
func TestThreat19ReadOnlyDirectory(t *testing.T) {
	if !reexec.Nobody(t) {
		return
	}
	d := newDir(t)
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	room, err := d.Reserve(100)
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, d.path, 0o500)
	defer chmod(t, d.path, 0o700)
	_, err = d.Reserve(100)
	whatIs(t, "Reserve", err, fault.ErrNotWritable, fault.ReadOnly)
	whatIs(t, "Write", d.Write(record, newer), fault.ErrNotWritable, fault.ReadOnly)
	whatIs(t, "Remove", d.Remove(record), fault.ErrNotWritable, fault.ReadOnly)
	whatIs(t, "Touch", d.Touch("l-00"), fault.ErrNotWritable, fault.ReadOnly)
	whatIs(t, "Commit into room that was had before", room.Commit(record, newer), fault.ErrNotWritable, fault.ReadOnly)
	_, err = Open(filepath.Join(d.path, "new"))
	whatIs(t, "Open of a new one in it", err, fault.ErrNotWritable, fault.ReadOnly)
	again, err := Open(d.path)
	if err != nil {
		t.Fatalf("Open to read: %v", err)
	}
	defer again.Close()
	if got, err := again.Read(record); err != nil || string(got) != string(older) {
		t.Errorf("%q, %v, want the record as it was", got, err)
	}
}

// What the user may not read is told, too.
func TestUnreadable(t *testing.T) {
	if !reexec.Nobody(t) {
		return
	}
	d := newDir(t)
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	chmod(t, filepath.Join(d.path, record), 0)
	_, err := d.Read(record)
	whatIs(t, "Read", err, fault.ErrDamaged, fault.IOFailed)
	chmod(t, d.path, 0)
	defer chmod(t, d.path, 0o700)
	_, err = Open(d.path)
	whatIs(t, "Open", err, fault.ErrDamaged, fault.IOFailed)
}
