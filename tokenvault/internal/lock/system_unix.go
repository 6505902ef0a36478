//go:build unix

package lock

import (
	"errors"
	"syscall"
)

// openFlags keep an open from following a link, and from waiting at a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func isNoLocks(err error) bool {
	return errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported)
}

// isLink reports whether a link, a socket, a directory or a device without a driver was in the
// place of a file.
func isLink(err error) bool {
	return errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) ||
		errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENXIO)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
