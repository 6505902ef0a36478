package streamhttp

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A room bounds the big messages that are on their way at a time, so that responses that
// come together do not fill the memory. Each of them has a limit of its own. One that does
// not go on while others wait is ended, or a few of them would stop all the others.
type room struct {
	places chan struct{} // an element for each that is taken

	mu    sync.Mutex // guards taken, and since of each
	taken []*place
}

func newRoom() *room { return &room{places: make(chan struct{}, bigResponses)} }

// A place is the part of a room that one response has, if its message is a big one.
type place struct {
	room  *room
	end   func() // ends the response
	taken bool
	since time.Time // when the wait for the server began; zero: nobody waits for it
}

// take waits for room.
func (p *place) take(ctx context.Context) error {
	for !p.taken {
		p.room.endStalled()
		select {
		case p.room.places <- struct{}{}:
			p.taken = true
			p.room.mu.Lock()
			p.room.taken = append(p.room.taken, p)
			p.room.mu.Unlock()
		case <-time.After(stalled):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// endStalled ends the responses of which nothing has come for too long. Those whose
// messages wait for the client go on.
func (r *room) endStalled() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.taken) < bigResponses {
		return
	}
	for _, p := range r.taken {
		if !p.since.IsZero() && time.Since(p.since) >= stalled {
			p.end()
		}
	}
}

// wait says that from now on the server is waited for, and came that something came.
func (p *place) wait() { p.note(time.Now()) }
func (p *place) came() { p.note(time.Time{}) }

func (p *place) note(since time.Time) {
	if !p.taken {
		return
	}
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	p.since = since
}

// leave makes room for another message.
func (p *place) leave() {
	if !p.taken {
		return
	}
	p.taken = false
	p.room.mu.Lock()
	p.room.taken = slices.DeleteFunc(p.room.taken, func(other *place) bool { return other == p })
	p.room.mu.Unlock()
	<-p.room.places
}
