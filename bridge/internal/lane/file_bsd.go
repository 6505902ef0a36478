//go:build darwin || freebsd

package lane

import "golang.org/x/sys/unix"

const (
	pipeBuf   = 512 // PIPE_BUF of these systems, in bytes
	sendFlags = unix.MSG_DONTWAIT
)
