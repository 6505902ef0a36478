package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// readPrivateFile reads a file of at most limit bytes that holds a secret. It opens no
// link, and it judges what it has opened, so nobody can put another file there between
// look and use. Its errors say what is wrong with the file and do not name it.
func readPrivateFile(path string, limit int) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|privateFileFlags, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such file")
	case err != nil:
		return "", errors.New("cannot be opened; it takes a file that is yours and no link")
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", errors.New("takes a regular file")
	case !isPrivate(info):
		return "", errors.New("others may use the file; make it private with chmod 600")
	}
	text, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	switch {
	case err != nil:
		return "", errors.New("cannot be read")
	case len(text) > limit:
		return "", errors.New("the file is too long")
	}
	return string(text), nil
}
