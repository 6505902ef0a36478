// Package dir holds one directory of sealed files: what is opened there is looked
// at first, and what is written there is there whole or not at all.
//
// All access goes through a handle of the directory, so that a directory which
// somebody puts in its place later is never read and never written.
package dir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// MaxFile is the size in bytes of the largest file that is read.
const MaxFile = 1 << 20

// A Dir is a directory that only its user can read. Its methods may be called at
// the same time; what keeps writers apart are the locks of package lock.
type Dir struct {
	path  string
	root  *os.Root
	steps steps
}

// Open opens the directory, and makes it and its missing parents if need be.
//
// A directory that others can change, or that is reached through one, is
// ErrDamaged. One that cannot be made is ErrNotWritable.
func Open(path string) (*Dir, error) {
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.ErrDamaged, fault.Relative, nil)
	}
	path = filepath.Clean(path)
	if err := checkWay(path); err != nil {
		return nil, err
	}
	if err := makeAll(path); err != nil {
		return nil, notWritable(err)
	}
	d, err := OpenExisting(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notWritable(err) // made, and gone
	}
	return d, err
}

// OpenExisting is Open for a look: a directory that is not there is fs.ErrNotExist,
// and nothing is made.
func OpenExisting(path string) (*Dir, error) {
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.ErrDamaged, fault.Relative, nil)
	}
	path = filepath.Clean(path)
	if err := checkWay(path); err != nil {
		return nil, err
	}
	there, err := os.Lstat(path)
	if err != nil {
		return nil, unreadable(err)
	}
	if !there.IsDir() {
		return nil, insecure(nil)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, unreadable(err)
	}
	d := &Dir{path: path, root: root, steps: disk{root}}
	if err := d.check(there); err != nil {
		_ = root.Close()
		return nil, err
	}
	return d, nil
}

// check tells whether the handle is of the directory that was looked at, and
// whether it is the user's alone.
func (d *Dir) check(there fs.FileInfo) error {
	held, err := d.root.Stat(".")
	if err != nil {
		return unreadable(err)
	}
	if !os.SameFile(there, held) {
		return fault.New(fault.ErrDamaged, fault.Moved, nil)
	}
	return checkPrivateDir(d.path, held)
}

// makeAll makes the directory and its missing parents, all for the user alone.
func makeAll(path string) error {
	err := makeDir(path)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
		if err := makeAll(filepath.Dir(path)); err != nil {
			return err
		}
		err = makeDir(path)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil // or something else is there: the look that follows says so
	}
	if err != nil {
		if info, lookErr := os.Lstat(path); lookErr == nil && info.IsDir() {
			return nil // the root of a drive, or a read-only parent
		}
	}
	return err
}

// Moved reports whether the path no longer leads to this directory.
func (d *Dir) Moved() bool {
	there, err := os.Lstat(d.path)
	if err != nil {
		return true
	}
	held, err := d.root.Stat(".")
	return err != nil || !os.SameFile(there, held)
}

// Path returns the path of a file in the directory as it was opened. Who opens it
// has to compare what they got with Plain.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Names returns the names of all that is in the directory, in no order.
func (d *Dir) Names() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, unreadable(err)
	}
	return names, nil
}

// NetworkFS reports whether the directory is, or may be, on a file system that
// other machines write too, or that a program of a user serves.
func (d *Dir) NetworkFS() bool { return networkFS(d) }

// Close gives the handle back. The files stay as they are.
func (d *Dir) Close() error { return d.root.Close() }
