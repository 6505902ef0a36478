package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signals returns a context that ends at the first SIGINT, SIGTERM or SIGHUP (on
// Windows: Ctrl-C and the closing of the console). A second signal ends the
// process at once with code 1. Stop gives the signals back and waits for nothing.
//
// SIGPIPE is taken too and does nothing: a write to a closed stdout then fails
// with an error, after which the session can end in order.
func Signals(parent context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	ends := make(chan os.Signal, 2)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)

	stopped := make(chan struct{})
	go func() {
		select {
		case <-ends:
			cancel()
		case <-stopped:
			return
		}
		select {
		case <-ends:
			os.Exit(exitFailure)
		case <-stopped:
		}
	}()
	return ctx, func() {
		signal.Stop(ends)
		signal.Stop(pipe)
		close(stopped)
		cancel()
	}
}
