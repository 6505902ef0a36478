//go:build linux || darwin || freebsd

package lane

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// glance is how often a wait for a peer that takes nothing looks whether the lane
// was stopped.
const glance = 250 * time.Millisecond

// A fileKind says how a descriptor is written without blocking.
type fileKind uint8

const (
	kindSocket      fileKind = iota // by a flag of the call
	kindNonblocking                 // a pipe of our own, which is in that mode and stays so
	kindPipe                        // by poll, and at most PIPE_BUF bytes, which then fit
)

// A fileSink writes to a pipe or a socket. It never changes the flags of the
// descriptor: other processes may share them.
type fileSink struct {
	raw     syscall.RawConn
	kind    fileKind
	stopped *atomic.Bool

	// The functions below are made once, so that a call allocates nothing; these
	// are their arguments and results.
	p     []byte
	n     int
	err   error
	ready bool
	fds   [1]unix.PollFd

	write func(fd uintptr) bool
	poll  func(fd uintptr)
}

// newFileSink returns nil if f is of another kind: a terminal, a device, a file on
// a disk.
func newFileSink(f *os.File, own bool, stopped *atomic.Bool) sink {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	s := &fileSink{raw: raw, stopped: stopped}
	known := false
	if err := raw.Control(func(fd uintptr) { s.kind, known = kindOf(int(fd), own) }); err != nil || !known {
		return nil
	}
	s.write = func(fd uintptr) bool {
		s.n, s.err = s.writeNow(int(fd), s.p)
		return true // never wait in the poller: wait does it
	}
	s.poll = func(fd uintptr) { s.ready, s.err = s.pollFor(int(fd), glance) }
	return s
}

// kindOf looks at the mode of a pipe only if nobody else can change it.
func kindOf(fd int, own bool) (fileKind, bool) {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return 0, false
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFSOCK:
		t, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
		return kindSocket, err == nil && t == unix.SOCK_STREAM
	case unix.S_IFIFO:
		if !own {
			return kindPipe, true
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err == nil && flags&unix.O_NONBLOCK != 0 {
			return kindNonblocking, true
		}
		return kindPipe, err == nil
	}
	return 0, false
}

func (s *fileSink) try(p []byte) (int, error) {
	s.p = p
	err := s.raw.Write(s.write)
	s.p = nil
	if err != nil {
		return 0, err
	}
	return s.n, s.err
}

func (s *fileSink) put(p []byte) (int, error) { return s.try(p) }

func (s *fileSink) wait() error {
	for !s.stopped.Load() {
		if err := s.raw.Control(s.poll); err != nil {
			return err
		}
		if s.err != nil || s.ready {
			return s.err
		}
	}
	return errStopped
}

func (s *fileSink) most() int {
	if s.kind == kindPipe {
		return pipeBuf
	}
	return merged
}

func (s *fileSink) interrupt() bool { return true } // wait sees that the lane is stopped
func (s *fileSink) restore()        {}

// writeNow writes the part of p that fits. It returns zero without an error if
// nothing does.
func (s *fileSink) writeNow(fd int, p []byte) (n int, err error) {
	if s.kind == kindPipe {
		if ready, err := s.pollFor(fd, 0); !ready {
			return 0, err
		}
	}
	for {
		if s.kind == kindSocket {
			n, err = unix.SendmsgN(fd, p, nil, nil, sendFlags)
		} else {
			n, err = unix.Write(fd, p)
		}
		switch err {
		case nil:
			return n, nil
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return 0, nil
		}
		return 0, err
	}
}

// pollFor reports whether fd can be written, after at most d. A peer that is gone
// counts: the write then tells.
func (s *fileSink) pollFor(fd int, d time.Duration) (bool, error) {
	s.fds[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLOUT}
	n, err := unix.Poll(s.fds[:], int(d/time.Millisecond))
	if err == unix.EINTR {
		return false, nil
	}
	return n > 0, err
}
