// Package lane brings lines to one writer in the order in which they were appended.
//
// Append never blocks, so that it can be called under a lock. Flush writes outside
// of it: whoever finds the lane idle writes what fits without blocking, and hands
// the rest to the goroutine of the lane. So a line that can go out at once needs no
// hand-off, and no caller ever waits for a slow peer.
package lane

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Full is the number of waiting bytes at which Wait begins to wait.
const Full = 1 << 20 // bytes

// eager is the most writes that one Flush does before it leaves the rest to the
// goroutine of the lane, so that others who keep appending cannot keep it there.
const eager = 16

// Options configure a Lane.
type Options struct {
	// Go starts a goroutine and returns a channel that is closed when it ends.
	Go func(f func()) <-chan struct{}

	// Lost is called once if a write goes wrong, on the goroutine that wrote. The
	// lane drops everything from then on.
	Lost func(error)

	// Watched says that Lost is also called once nobody can read any more, though
	// nothing is written: of a file that is a pipe or a socket, on Linux, macOS and
	// FreeBSD. Else a write has to find out.
	Watched bool

	// Own says that the writer is a file whose descriptor no other process has, so
	// that its mode stays what it is.
	Own bool
}

// A Lane is an ordered queue of lines to one writer. Its methods may be called by
// several goroutines.
type Lane struct {
	out  sink
	lost func(error)
	wake chan struct{}   // one hand-off to the goroutine
	stop chan struct{}   // closed when the lane is dead
	done <-chan struct{} // closed when the goroutine has ended

	unwatch func() // ends the watch of the reader; nil if there is none

	stopped *atomic.Bool // no write may begin any more

	mu      sync.Mutex // guards the fields below
	room    sync.Cond  // broadcast when fewer than Full bytes wait, or nobody is to wait any more
	queue   queue
	busy    bool          // somebody writes, or the goroutine was told to
	ended   bool          // End was called
	drained chan struct{} // closed once ended and nothing is left
	dead    bool          // closed, or a write went wrong: everything is dropped
	hasty   bool          // NoWait was called
	roomAt  time.Time     // when fewer than Full bytes waited again
}

// New returns a Lane to w and starts its goroutine.
func New(w io.Writer, o Options) *Lane {
	stopped := new(atomic.Bool)
	l := newLane(newSink(w, o.Own, stopped), stopped, o)
	if o.Watched {
		l.watchReader(w, o.Go)
	}
	return l
}

func newLane(out sink, stopped *atomic.Bool, o Options) *Lane {
	l := &Lane{
		out:     out,
		stopped: stopped,
		lost:    o.Lost,
		wake:    make(chan struct{}, 1),
		stop:    make(chan struct{}),
		drained: make(chan struct{}),
	}
	l.room.L = &l.mu
	l.done = o.Go(l.serve)
	return l
}

// Append puts the line of f at the end. It copies a small frame; of a big one it
// holds the chunks until they are written.
func (l *Lane) Append(f *mcpwire.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.dead {
		return
	}
	if f.Msg != nil && f.Msg.Big() {
		l.queue.hold(f)
	} else {
		l.queue.copy(f)
	}
}

// TakeBack removes the line that was appended with the exchange ex, which is not
// zero. It reports false, and removes nothing, if a write of that line has begun or
// is done.
func (l *Lane) TakeBack(ex mcpwire.Exchange) bool {
	if ex == 0 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	removed := l.queue.remove(ex)
	l.settle()
	return removed
}

// Waiting returns the number of bytes that are not yet written.
func (l *Lane) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queue.size
}

// Behind returns the number of bytes that wait behind the line that is being
// written.
func (l *Lane) Behind() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queue.behind()
}

// Flush writes what fits without blocking. The goroutine of the lane writes the
// rest.
func (l *Lane) Flush() {
	l.mu.Lock()
	if l.busy || l.queue.empty() {
		l.mu.Unlock()
		return
	}
	l.busy = true
	for range eager {
		if !l.write() {
			break
		}
	}
	if l.queue.empty() {
		l.rest()
	} else {
		l.wake <- struct{}{} // never blocks: there is one hand-off for each busy
	}
	l.mu.Unlock()
}

// write writes what fits of the first lines. It reports whether it may be called
// again. The caller holds the lock, which it gives up meanwhile, and busy.
func (l *Lane) write() bool {
	p := l.queue.take(l.out.most())
	if len(p) == 0 {
		return false
	}
	l.mu.Unlock()
	n, err := l.out.try(p)
	l.mu.Lock()
	l.wrote(n, err)
	return n > 0 && err == nil
}

// wrote takes note of a write. The caller holds the lock.
func (l *Lane) wrote(n int, err error) {
	full := l.queue.size >= Full
	l.queue.wrote(n)
	if full && l.queue.size < Full {
		l.roomAt = time.Now()
		l.room.Broadcast()
	}
	if l.dead {
		l.queue.drop()
		return
	}
	if err == nil {
		return
	}
	l.die()
	if l.lost != nil {
		l.mu.Unlock()
		l.lost(err)
		l.mu.Lock()
	}
}

// lose drops everything from now on, and says so, unless that is so already.
func (l *Lane) lose(err error) {
	l.mu.Lock()
	already := l.dead
	if !already {
		l.die()
	}
	l.mu.Unlock()
	if !already && l.lost != nil {
		l.lost(err)
	}
}

// rest marks the lane as idle. The caller holds the lock.
func (l *Lane) rest() {
	l.busy = false
	l.settle()
}

// settle says that nothing is left after the end. The caller holds the lock.
func (l *Lane) settle() {
	if l.ended && l.queue.empty() {
		l.close()
	}
}

// die drops what waits, and from now on everything. The caller holds the lock.
func (l *Lane) die() {
	l.dead = true
	l.stopped.Store(true)
	close(l.stop)
	l.queue.drop()
	l.close()
	l.room.Broadcast()
}

// close closes drained. The caller holds the lock.
func (l *Lane) close() {
	select {
	case <-l.drained:
	default:
		close(l.drained)
	}
}

// Wait returns at once if fewer than Full bytes wait, else when that is so again. It
// also returns once the lane drops what it is given, and after NoWait.
func (l *Lane) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.queue.size >= Full && !l.dead && !l.hasty {
		l.room.Wait()
	}
}

// FullWithin reports whether Full bytes wait, or did so at some time within the last
// d.
func (l *Lane) FullWithin(d time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queue.size >= Full || !l.roomAt.IsZero() && time.Since(l.roomAt) < d
}

// NoWait makes Wait return at once from now on.
func (l *Lane) NoWait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hasty = true
	l.room.Broadcast()
}

// End drops what is appended from now on. The channel is closed once everything
// before it is written or dropped.
func (l *Lane) End() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.settle()
	return l.drained
}

// Close drops what waits, and everything from now on, and returns when the
// goroutines of the lane have ended. It does not wait for a goroutine that is blocked
// in a Write which nothing can interrupt.
func (l *Lane) Close() {
	l.mu.Lock()
	if !l.dead {
		l.die()
	}
	writing := l.busy
	l.mu.Unlock()
	if l.unwatch != nil {
		l.unwatch()
	}

	if writing && !l.out.interrupt() {
		return
	}
	<-l.done
	l.out.restore()
}
