//go:build unix

package stdio

import (
	"errors"
	"io"
	"syscall"

	"golang.org/x/sys/unix"
)

// patient returns in, whose Read waits where that of in finds nothing: of a file that
// blocks when it is opened, and that another process makes nonblocking, which shares
// its description. The flags of the file stay as they are.
func patient(in io.Reader) io.Reader {
	c, ok := in.(syscall.Conn)
	if !ok {
		return in
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return in
	}
	return &patientReader{in, raw}
}

type patientReader struct {
	in  io.Reader
	raw syscall.RawConn
}

func (r *patientReader) Read(p []byte) (int, error) {
	for {
		n, err := r.in.Read(p)
		if n > 0 || !errors.Is(err, unix.EAGAIN) {
			return n, err
		}
		if err := r.wait(); err != nil {
			return 0, err
		}
	}
}

// wait returns when there is something to read, or the input has ended.
func (r *patientReader) wait() error {
	var err error
	outside := r.raw.Control(func(fd uintptr) {
		fds := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for {
			if _, err = unix.Poll(fds[:], -1); err != unix.EINTR {
				return
			}
		}
	})
	if outside != nil {
		return outside
	}
	return err
}
