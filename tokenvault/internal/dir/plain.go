package dir

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// Plain looks at a file without opening it. What is not there is fs.ErrNotExist;
// what is no plain file of one name, or not the user's alone, is ErrDamaged.
func (d *Dir) Plain(name string) (fs.FileInfo, error) {
	info, err := patient(func() (fs.FileInfo, error) { return d.root.Lstat(name) })
	if err != nil {
		return nil, unreadable(err)
	}
	if !isPlain(info) || !isPrivate(info) {
		return nil, insecure(nil)
	}
	return info, nil
}

// looks bounds how often a file is looked at again because another process put a
// newer one in its place between the look and the opening.
const looks = 100

// Read returns what is in a file. What is not there is fs.ErrNotExist. What is no
// plain file of the user alone, or is larger than MaxFile, is ErrDamaged, and is
// not read.
func (d *Dir) Read(name string) ([]byte, error) {
	for range looks {
		info, err := d.Plain(name)
		if err != nil {
			return nil, err
		}
		data, err := d.readSame(name, info)
		if !errors.Is(err, errReplaced) {
			return data, err
		}
	}
	return nil, insecure(nil)
}

var errReplaced = errors.New("another file is there now")

// readSame reads the file that was looked at.
func (d *Dir) readSame(name string, looked fs.FileInfo) ([]byte, error) {
	f, err := patient(func() (*os.File, error) { return d.root.OpenFile(name, os.O_RDONLY|noWait, 0) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errReplaced // removed: the next look says so
	}
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, unreadable(err)
	}
	if !os.SameFile(looked, opened) || !isPlain(opened) || !isPrivate(opened) {
		return nil, errReplaced
	}
	return readBounded(f, MaxFile)
}

// readBounded reads a file that is not larger than most bytes.
func readBounded(f *os.File, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(err)
	}
	if info.Size() > most {
		return nil, fault.New(fault.ErrDamaged, fault.Corrupt, nil)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, unreadable(err)
	}
	if int64(len(data)) > most { // it grew meanwhile
		return nil, fault.New(fault.ErrDamaged, fault.Corrupt, nil)
	}
	return data, nil
}
