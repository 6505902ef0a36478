package streamhttp

import (
	"context"
	"sync"
)

// Ears are the first stream of a session that belongs to no request, while it is being
// opened. Servers do not keep what nobody listens to: a question that belongs to the first
// call would be lost, so requests wait for the stream, but not for long.
type ears struct {
	open chan struct{} // closed when it is open, when there is none, or after a while
	once sync.Once
}

func (e *ears) opened() { e.once.Do(func() { close(e.open) }) }

// wait waits for that. It reports false if ctx is done.
func (e *ears) wait(ctx context.Context) bool {
	if e == nil {
		return true
	}
	select {
	case <-e.open:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}
