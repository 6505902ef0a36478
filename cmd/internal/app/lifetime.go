package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Lifetime returns a context for [Run] that ends when the session should, in order:
// at the first SIGINT, SIGTERM or SIGHUP, on Windows at Ctrl-C, Ctrl-Break and the
// closing of the console, and on Linux at the end of the parent process. A second
// signal ends the server, if there is one, and this process at once, with code 1.
// Stop gives the signals back and waits for nothing.
//
// SIGPIPE is taken too and does nothing: a write to a closed stdout then fails
// with an error, after which the session can end in order.
func Lifetime(parent context.Context) (_ context.Context, stop func()) {
	last := &lastResort{end: os.Exit}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, lastResortKey{}, last))
	// Windows tells of the closing of its console by SIGTERM, and ends the process
	// 5 s later whatever it does.
	ends := make(chan os.Signal, 2)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)

	stopped := make(chan struct{})
	go func() {
		select {
		case <-ends:
			cancel(errSignal)
		case <-stopped:
			return
		}
		select {
		case <-ends:
			last.exit(exitFailure)
		case <-stopped:
		}
	}()
	unwatch := watchParent(os.Getppid, func() { cancel(errParent) })
	return ctx, func() {
		unwatch()
		signal.Stop(ends)
		signal.Stop(pipe)
		close(stopped)
		cancel(nil)
	}
}

// Why the context of [Lifetime] has ended.
var (
	errSignal = errors.New("a signal came")
	errParent = errors.New("the parent process has ended")
)

// lastLine is how long the end of a session waits for a line of the log that nobody
// reads.
const lastLine = 250 * time.Millisecond

// sayEnding logs why ctx has ended. Stop waits for a line that is on its way, if it is
// read.
func sayEnding(ctx context.Context, l *slog.Logger) (stop func()) {
	said := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		defer close(said)
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errSignal):
			l.Info("a signal ends the session; a second one ends it at once")
		case errors.Is(cause, errParent):
			l.Info("the process that started the bridge has ended, which ends the session")
		}
	})
	return func() {
		if unhook() {
			return
		}
		select {
		case <-said:
		case <-time.After(lastLine):
		}
	}
}
