package lock

import (
	"context"
	"sync"
)

// A gate is one lock within this process, and holds the kernel's lock for all who
// are through it. Asking the kernel is dear, and some network file systems lock for a
// process as a whole.
type gate struct {
	kernel locker
	name   string
	turn   chan struct{} // who has the token may enter; who is alone keeps it

	mu      sync.Mutex
	readers int
	release func()        // of the kernel's lock that the readers share
	empty   chan struct{} // closed when the last reader has left
}

func newGate(k locker, name string) *gate {
	g := &gate{kernel: k, name: name, turn: make(chan struct{}, 1), empty: make(chan struct{})}
	g.turn <- struct{}{}
	close(g.empty)
	return g
}

// enter waits for the turn.
func (g *gate) enter(ctx context.Context) error {
	if ctx.Err() != nil {
		return ended(ctx)
	}
	select {
	case <-g.turn:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

func (g *gate) leave() { g.turn <- struct{}{} }

// alone enters when all readers have left, and keeps the turn.
func (g *gate) alone(ctx context.Context) (func(), error) {
	if err := g.enter(ctx); err != nil {
		return nil, err
	}
	g.mu.Lock()
	empty := g.empty
	g.mu.Unlock()
	select {
	case <-empty:
	case <-ctx.Done():
		g.leave()
		return nil, ended(ctx)
	}
	release, err := take(ctx, g.kernel, g.name, true)
	if err != nil {
		g.leave()
		return nil, err
	}
	return sync.OnceFunc(func() {
		release()
		g.leave()
	}), nil
}

// shared enters beside other readers. The first of them takes the kernel's lock and
// the last one gives it back.
func (g *gate) shared(ctx context.Context) (func(), error) {
	if err := g.enter(ctx); err != nil {
		return nil, err
	}
	defer g.leave()
	if g.join() {
		return sync.OnceFunc(g.part), nil
	}
	release, err := take(ctx, g.kernel, g.name, false)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	g.readers, g.release, g.empty = 1, release, make(chan struct{})
	g.mu.Unlock()
	return sync.OnceFunc(g.part), nil
}

// join adds a reader to the ones that are there.
func (g *gate) join() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.readers == 0 {
		return false
	}
	g.readers++
	return true
}

// part takes a reader away.
func (g *gate) part() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.readers--; g.readers == 0 {
		g.release()
		close(g.empty)
	}
}
