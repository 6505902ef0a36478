package dir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// maxKeyFile is the size in bytes of the longest key file: 64 digits and the end
// of a line.
const maxKeyFile = 66

// ReadKey returns the text of a key file, which is not looked into.
//
// Every error is ErrKey: the file is not there, or others can read or change it, or
// reach it, or it is no plain file, or it is in the directory notInside (which may
// be missing).
func ReadKey(path, notInside string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.ErrKey, fault.Relative, nil)
	}
	path = filepath.Clean(path)
	looked, err := os.Lstat(path)
	if err != nil {
		return nil, keyError(err)
	}
	if err := checkKeyFile(path, looked); err != nil {
		return nil, err
	}
	if isInside(path, notInside) {
		return nil, fault.New(fault.ErrKey, fault.KeyFileInside, nil)
	}
	return readKeyFile(path, looked)
}

// checkKeyFile refuses a key file that others can read or change, or put another
// in place of.
func checkKeyFile(path string, looked fs.FileInfo) error {
	if !isPlain(looked) || !isPrivateKey(path, looked) || checkWay(path) != nil {
		return fault.New(fault.ErrKey, fault.KeyFileInsecure, nil)
	}
	return nil
}

// readKeyFile reads the file that was looked at.
func readKeyFile(path string, looked fs.FileInfo) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return nil, keyError(err)
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, keyError(err)
	}
	if !os.SameFile(looked, opened) || !isPlain(opened) {
		return nil, fault.New(fault.ErrKey, fault.KeyFileInsecure, nil)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return nil, keyError(err)
	}
	if len(text) > maxKeyFile {
		clear(text)
		return nil, fault.New(fault.ErrKey, fault.KeyFileFormat, nil)
	}
	return text, nil
}

func keyError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.ErrKey, fault.KeyFileMissing, Cause(err))
	case errors.Is(err, fs.ErrPermission):
		return fault.New(fault.ErrKey, fault.KeyFileUnreadable, Cause(err))
	}
	return fault.New(fault.ErrKey, fault.IOFailed, Cause(err))
}

// isInside reports whether the directory is one of those above the file, by
// whatever name: links are resolved, and what is compared are the directories and
// not their names, which mounts and file systems without case can give twice.
func isInside(file, dir string) bool {
	inner, err := os.Stat(dir)
	if err != nil {
		return false // what is not there has no files
	}
	at, err := filepath.EvalSymlinks(file)
	if err != nil {
		return true
	}
	for {
		above := filepath.Dir(at)
		info, err := os.Stat(above)
		if err != nil || os.SameFile(info, inner) {
			return true
		}
		if above == at {
			return false
		}
		at = above
	}
}

// CreateKey makes a key file for the user alone. One that is there stays as it is:
// ErrKey. A place that others can change is ErrKey too; one that cannot be written
// is ErrNotWritable, and nothing is left there.
func CreateKey(path string, text []byte) error {
	if !filepath.IsAbs(path) {
		return fault.New(fault.ErrKey, fault.Relative, nil)
	}
	path = filepath.Clean(path)
	if err := checkWay(path); err != nil {
		return fault.New(fault.ErrKey, fault.KeyFileInsecure, nil)
	}
	f, err := createPrivate(path)
	if errors.Is(err, fs.ErrExist) {
		return fault.New(fault.ErrKey, fault.KeyFileExists, Cause(err))
	}
	if err != nil {
		return notWritable(err)
	}
	if err := writeKey(f, text); err != nil {
		_ = os.Remove(path)
		return notWritable(err)
	}
	return nil
}

// writeKey writes and closes the new file, and keeps its name.
func writeKey(f *os.File, text []byte) error {
	_, err := f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = syncParent(f.Name())
	}
	return err
}

func syncParent(path string) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return syncDir(root)
}
