package app

import (
	"context"
	"errors"
	"log/slog"
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
	ctx, cancel := context.WithCancelCause(parent)
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
			os.Exit(exitFailure)
		case <-stopped:
		}
	}()
	return ctx, func() {
		signal.Stop(ends)
		signal.Stop(pipe)
		close(stopped)
		cancel(nil)
	}
}

// errSignal is why the context of [Signals] has ended.
var errSignal = errors.New("a signal came")

// sayOnSignal logs the signal that ends ctx. Stop waits for a line that is on its
// way.
func sayOnSignal(ctx context.Context, l *slog.Logger) (stop func()) {
	said := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		defer close(said)
		if errors.Is(context.Cause(ctx), errSignal) {
			l.Info("a signal ends the session; a second one ends it at once")
		}
	})
	return func() {
		if !unhook() {
			<-said
		}
	}
}
