package streamhttp

import (
	"cmp"
	"context"
	"time"
)

// A pause is the wait before a stream is opened again.
type pause struct {
	last time.Duration
	good bool          // the stream was worth it
	busy time.Duration // for which the server wants to be left alone this time
}

// wait says that the server wants to be left alone for d this time, if that is not zero.
func (p *pause) wait(d time.Duration) { p.busy = d }

// asked says that the server has said how long.
func (p *pause) asked() { p.good = true }

// next returns how long, where the server wants to be left alone for least, if it says so:
// longer each time that nothing came of it.
func (p *pause) next(least time.Duration) time.Duration {
	least = cmp.Or(least, firstPause)
	if p.good || p.last == 0 {
		p.last = least
	} else {
		p.last = max(least, min(2*p.last, maxPause))
	}
	d := max(p.last, p.busy)
	p.good, p.busy = false, 0
	return d
}

// sleep waits for d. It reports false if ctx is done.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
