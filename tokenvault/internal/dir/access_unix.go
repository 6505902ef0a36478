//go:build unix

package dir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// makeDir makes one directory for the user alone.
func makeDir(path string) error { return os.Mkdir(path, 0o700) }

// checkPrivateDir refuses a directory that is another user's, or that others can
// read or change.
func checkPrivateDir(_ string, info fs.FileInfo) error {
	if !isPrivate(info) {
		return fault.New(fault.ErrDamaged, fault.OpenDir, nil)
	}
	return nil
}

// isPlain reports whether it is a regular file that has no second name. One that is
// being replaced has none at all.
func isPlain(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && st.Nlink <= 1
}

// isPrivate reports whether it is the user's and nobody else can read or change it.
func isPrivate(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}

// isPrivateKey is isPrivate for a key file, which may be root's as well.
func isPrivateKey(_ string, info fs.FileInfo) bool {
	return isTrusted(info) && info.Mode().Perm()&0o077 == 0
}

// isTrusted reports whether it is the user's or root's.
func isTrusted(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}

// mostLinks bounds the symbolic links on the way to one directory.
const mostLinks = 40

// checkWay refuses a path on whose way somebody else could put something in place of
// a directory: all of them, and all links, are the user's or root's, and others
// cannot write there, or only what is their own. A way that ends early is fine so far.
func checkWay(path string) error {
	at, links := "/", 0
	if err := checkDirOnWay(at); err != nil {
		return err
	}
	todo := parts(filepath.Dir(path))
	for len(todo) > 0 {
		next := filepath.Join(at, todo[0])
		todo = todo[1:]
		info, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return unreadable(err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if err := checkDirOnWay(next); err != nil {
				return err
			}
			at = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > mostLinks || !isTrusted(info) {
			return openAbove(err)
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		todo = append(parts(target), todo...)
	}
	return nil
}

// openAbove is for a way on which others could put something else in its place.
func openAbove(err error) error {
	return fault.New(fault.ErrDamaged, fault.OpenAbove, Cause(err))
}

func checkDirOnWay(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return unreadable(err)
	}
	others := info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0
	if !info.IsDir() || !isTrusted(info) || others {
		return openAbove(nil)
	}
	return nil
}

// parts returns the names in a path. What is before a ".." was resolved when the
// walk comes to it, so the walk can go back by the text.
func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// createPrivate makes a file outside of a Dir for the user alone.
func createPrivate(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
}
