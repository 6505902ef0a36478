package lane

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A watch waits until nobody can read what a descriptor is written. It is an epoll of
// its own, so that the flags of the descriptor stay as they are, and it waits in the
// poller of the runtime: no thread sleeps in it, and nothing wakes it earlier, a peer
// that reads included.
type watch struct {
	epoll *os.File
}

// newWatch returns nil if the system does not tell of f.
func newWatch(f *os.File) *watch {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	// It is told of errors and hangups, which need not be asked for.
	var added error
	err = raw.Control(func(out uintptr) {
		added = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, int(out), &unix.EpollEvent{})
	})
	if err == nil && added == nil {
		err = unix.SetNonblock(fd, true)
	}
	epoll := os.NewFile(uintptr(fd), "epoll")
	if err != nil || added != nil || epoll.SetReadDeadline(time.Time{}) != nil {
		epoll.Close()
		return nil
	}
	return &watch{epoll}
}

// wait reports true once nobody reads any more, and false after stop.
func (w *watch) wait() (gone bool) {
	raw, err := w.epoll.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Read(func(fd uintptr) bool {
		var events [1]unix.EpollEvent
		n, _ := unix.EpollWait(int(fd), events[:], 0)
		gone = n > 0
		return gone
	})
	return err == nil && gone
}

// stop makes wait return, if it has not.
func (w *watch) stop() { w.epoll.SetReadDeadline(time.Unix(1, 0)) }

// close gives the watch back. Nobody may be in wait.
func (w *watch) close() { w.epoll.Close() }
