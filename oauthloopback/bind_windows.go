package oauthloopback

import (
	"errors"
	"syscall"
)

const (
	// soExclusiveAddrUse is SO_EXCLUSIVEADDRUSE, which the system defines as the
	// complement of SO_REUSEADDR.
	soExclusiveAddrUse = ^syscall.SO_REUSEADDR

	wsaeAddrInUse = syscall.Errno(10048)
)

// exclusive keeps other programs from listening on the same port, which they
// could otherwise by asking for it.
func exclusive(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(syscall.Handle(fd), syscall.SOL_SOCKET, soExclusiveAddrUse, 1)
	})
	return errors.Join(err, failed)
}

// addressInUse knows the error of a port that another program has to itself, too.
func addressInUse(err error) bool {
	return errors.Is(err, wsaeAddrInUse) || errors.Is(err, syscall.WSAEACCES)
}
