package streamhttp

import "context"

// A room bounds the big messages that are on their way at a time, so that responses that
// come together do not fill the memory. Each of them has a limit of its own.
type room chan struct{}

func newRoom() room { return make(room, bigResponses) }

// A place is the part of a room that one response has, if its message is a big one.
type place struct {
	room  room
	taken bool
}

// take waits for room.
func (p *place) take(ctx context.Context) error {
	if p.taken {
		return nil
	}
	select {
	case p.room <- struct{}{}:
		p.taken = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave makes room for another message.
func (p *place) leave() {
	if p.taken {
		p.taken = false
		<-p.room
	}
}
