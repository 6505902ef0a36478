package lane

import "golang.org/x/sys/unix"

const (
	pipeBuf   = 4096 // PIPE_BUF of this system, in bytes
	sendFlags = unix.MSG_DONTWAIT | unix.MSG_NOSIGNAL
)
