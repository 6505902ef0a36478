package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"syscall"
	"time"
)

// watchdogTime is how long a session may take to end after the end of its input.
// The bridge keeps shorter limits itself; this one holds whatever hangs.
const watchdogTime = 8 * time.Second

// biteTime bounds the wait for the last line of the log.
const biteTime = time.Second

// bite ends the process, also if what hangs is the log.
func bite(l *slog.Logger, exit func(code int)) {
	time.AfterFunc(biteTime, func() { exit(exitFailure) })
	l.Error("the session did not end in time")
	exit(exitFailure)
}

// A watchdog calls bite once the time since the end of the input is over.
type watchdog struct {
	bite func()

	mu      sync.Mutex // guards the fields below
	timer   *time.Timer
	stopped bool
}

// watch returns in, whose end starts the time, as does the end of ctx. Stop ends
// the watch.
func (w *watchdog) watch(ctx context.Context, in io.Reader) (_ io.Reader, stop func()) {
	unhook := context.AfterFunc(ctx, w.start)
	return watchedReader{in, w}, func() {
		unhook()
		w.stop()
	}
}

func (w *watchdog) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil && !w.stopped {
		w.timer = time.AfterFunc(watchdogTime, w.bite)
	}
}

func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

type watchedReader struct {
	in io.Reader
	w  *watchdog
}

func (r watchedReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil && !errors.Is(err, syscall.EAGAIN) { // which only says that nothing is there yet
		r.w.start()
	}
	return n, err
}

// SyscallConn gives what the bridge needs to wait for input that is not there yet.
func (r watchedReader) SyscallConn() (syscall.RawConn, error) {
	if c, ok := r.in.(syscall.Conn); ok {
		return c.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
