package demo

import (
	"bytes"
	"context"
	"sync"
)

// A tap is a writer that keeps whole lines until they are taken. Writing to it
// never waits.
type tap struct {
	mu    sync.Mutex // guards the fields below
	rest  []byte     // a line that has not ended yet
	lines []string

	more chan struct{} // holds a token after a write
}

func newTap() *tap { return &tap{more: make(chan struct{}, 1)} }

func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rest = append(t.rest, p...)
	for {
		line, rest, ok := bytes.Cut(t.rest, []byte{'\n'})
		if !ok {
			break
		}
		t.lines = append(t.lines, string(line))
		t.rest = rest
	}
	select {
	case t.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

// next takes the oldest line. It waits for one until ctx is done.
func (t *tap) next(ctx context.Context) (string, error) {
	for {
		if line, ok := t.take(); ok {
			return line, nil
		}
		select {
		case <-t.more:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

func (t *tap) take() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == 0 {
		return "", false
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	return line, true
}
