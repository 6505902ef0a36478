//go:build unix

package dir

import (
	"errors"
	"os"
	"syscall"
)

// noWait keeps an open from waiting for the other end of a pipe.
const noWait = syscall.O_NONBLOCK

// noFollow is for an open that does not go through a Root.
const noFollow = syscall.O_NOFOLLOW

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// inTheWay is for systems on which who reads a file keeps others from replacing it.
func inTheWay(error) bool { return false }

// syncDir makes the names in the directory outlive a crash, where its file system
// can.
func syncDir(root *os.Root) error {
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
