//go:build darwin || freebsd

package lane

import (
	"os"

	"golang.org/x/sys/unix"
)

// A watch waits until nobody can read what a descriptor is written. It is a queue of
// its own, so that the flags of the descriptor stay as they are. A peer that reads
// wakes it; while nothing moves it sleeps.
type watch struct {
	queue int
}

// newWatch returns nil if the system does not tell of f.
func newWatch(f *os.File) *watch {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	queue, err := unix.Kqueue()
	if err != nil {
		return nil
	}
	unix.CloseOnExec(queue)
	var changes [2]unix.Kevent_t
	unix.SetKevent(&changes[1], 0, unix.EVFILT_USER, unix.EV_ADD|unix.EV_CLEAR)
	var added error
	err = raw.Control(func(out uintptr) {
		unix.SetKevent(&changes[0], int(out), unix.EVFILT_WRITE, unix.EV_ADD|unix.EV_CLEAR)
		_, added = unix.Kevent(queue, changes[:], nil, nil)
	})
	if err != nil || added != nil {
		unix.Close(queue)
		return nil
	}
	return &watch{queue}
}

// wait reports true once nobody reads any more, and false after stop.
func (w *watch) wait() (gone bool) {
	var events [2]unix.Kevent_t
	for {
		n, err := unix.Kevent(w.queue, nil, events[:], nil)
		if err != nil && err != unix.EINTR {
			return false
		}
		for _, e := range events[:max(n, 0)] {
			switch {
			case e.Filter == unix.EVFILT_USER:
				return false
			case e.Flags&unix.EV_EOF != 0:
				return true
			}
		}
	}
}

// stop makes wait return, if it has not.
func (w *watch) stop() {
	var wake [1]unix.Kevent_t
	unix.SetKevent(&wake[0], 0, unix.EVFILT_USER, 0)
	wake[0].Fflags = unix.NOTE_TRIGGER
	unix.Kevent(w.queue, wake[:], nil, nil)
}

// close gives the watch back. Nobody may be in wait.
func (w *watch) close() { unix.Close(w.queue) }
