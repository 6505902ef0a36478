package app

import (
	"context"
	"os"
	"sync/atomic"
)

// A lastResort ends the process without waiting for anything, but takes the server and
// what that has started along.
type lastResort struct {
	end  func(code int)
	kill atomic.Pointer[func()]
}

// arm takes the function that ends the server.
func (l *lastResort) arm(kill func()) { l.kill.Store(&kill) }

func (l *lastResort) exit(code int) {
	if kill := l.kill.Load(); kill != nil {
		(*kill)()
	}
	l.end(code)
}

type lastResortKey struct{}

// lastResortOf returns the one that belongs to a context of [Lifetime], or a new one.
func lastResortOf(ctx context.Context) *lastResort {
	if l, ok := ctx.Value(lastResortKey{}).(*lastResort); ok {
		return l
	}
	return &lastResort{end: os.Exit}
}
