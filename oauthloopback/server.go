package oauthloopback

import (
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A server answers one request on each connection, and closes it. Connections
// that say nothing are normal: a browser opens some in advance.
type server struct {
	listener net.Listener
	heads    headLimits
	most     int // connections
	answer   func(*http.Request) reply
	run      func(f func())
	running  sync.WaitGroup
	closing  chan struct{} // closed by close
	freed    chan struct{} // a connection has ended, or may give way earlier

	mu     sync.Mutex // guards the fields below
	closed bool
	conns  []*conn // oldest first
	given  int     // how many gave way since half of the places were free
}

type conn struct {
	net.Conn
	since time.Time // of its acceptance or, once answered, of the answer
	stage stage
	gone  bool // was closed to make room
}

// A stage says what a connection is there for.
type stage uint8

const (
	asking    stage = iota // its head is not complete
	answering              // must not be cut off
	answered               // is only read to its end
)

// serve answers requests by answer. Run runs each of its goroutines.
func serve(l net.Listener, heads headLimits, most int, answer func(*http.Request) reply, run func(f func())) *server {
	s := &server{
		listener: l, heads: heads, most: most, answer: answer, run: run,
		closing: make(chan struct{}), freed: make(chan struct{}, 1),
	}
	s.running.Go(func() { s.run(s.accept) })
	return s
}

// close ends all connections and goroutines.
func (s *server) close() error {
	close(s.closing)
	err := s.listener.Close()
	s.mu.Lock()
	s.closed = true
	for _, c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
	return err
}

// accept takes connections while there is room. Others stay in the backlog of the
// system.
func (s *server) accept() {
	for s.room() {
		c, err := s.listener.Accept()
		switch {
		case err == nil:
			s.admit(&conn{Conn: c, since: time.Now()})
		case errors.Is(err, net.ErrClosed):
			return
		case !s.pause(time.After(acceptPause)):
			return
		}
	}
}

func (s *server) admit(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.Close()
		return
	}
	s.conns = append(s.conns, c)
	s.running.Go(func() {
		defer s.leave(c)
		s.run(func() { s.converse(c) })
	})
}

func (s *server) leave(c *conn) {
	c.Close()
	s.mu.Lock()
	s.conns = slices.DeleteFunc(s.conns, func(other *conn) bool { return other == c })
	s.mu.Unlock()
	s.tell()
}

// tell has room look again.
func (s *server) tell() {
	select {
	case s.freed <- struct{}{}:
	default:
	}
}

// room waits until there is room for a connection. It reports false at the end.
func (s *server) room() bool {
	for {
		wait, full := s.makeRoom()
		if !full {
			return true
		}
		var aged <-chan time.Time
		if wait > 0 {
			aged = time.After(wait)
		}
		if !s.pause(aged) {
			return false
		}
	}
}

// pause waits until c is ready or room has to look again. It reports false at the
// end of the server.
func (s *server) pause(c <-chan time.Time) bool {
	select {
	case <-s.closing:
		return false
	case <-c:
	case <-s.freed:
	}
	return true
}

// makeRoom closes a connection if all are taken: the one whose time is up first,
// unless it is being answered. If none is up yet it returns when to look again. A
// few silent connections so have their time, and many at once, or many that were
// answered and stay, do not hold up the one that has something to say.
func (s *server) makeRoom() (wait time.Duration, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) <= s.most/2 {
		s.given = 0
	}
	if len(s.conns) < s.most {
		return 0, false
	}
	c, left := s.first()
	if c == nil || left > 0 {
		return left, true
	}
	if !c.gone {
		c.gone = true
		c.Close()
		s.given++
	}
	return 0, true // its place is free in a moment
}

// first returns the connection that gives way first, and the time that it has left.
func (s *server) first() (first *conn, least time.Duration) {
	silent := max(idleAge>>min(s.given/s.most, 10), hurriedAge)
	for _, c := range s.conns {
		left := silent
		if c.stage == answered {
			left = hurriedAge
		}
		left -= time.Since(c.since)
		if c.stage != answering && (first == nil || left < least) {
			first, least = c, left
		}
	}
	return first, least
}

// claim marks a connection as one that is answered, unless it had to go: what it
// asked for must not change anything then, since its answer would be lost.
func (s *server) claim(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.stage = answering
	return !c.gone
}

// done marks a connection as answered.
func (s *server) done(c *conn) {
	s.mu.Lock()
	c.stage, c.since = answered, time.Now()
	s.mu.Unlock()
	s.tell()
}

// converse reads one head, answers it, and waits a little for the other side to
// read the answer.
func (s *server) converse(c *conn) {
	c.SetReadDeadline(c.since.Add(s.heads.time))
	head, err := readHead(c, s.heads)
	if errors.Is(err, errHeadAbsent) || !s.claim(c) {
		return // 2
	}
	method, out := "", reply{}
	switch {
	case err == nil:
		method, out = head.Method, s.answer(head)
	case errors.Is(err, errHeadSize):
		out = headTooLarge // 1
	default:
		out = badRequest // 3
	}
	c.SetWriteDeadline(time.Now().Add(writeTimeout))
	c.Write(out.appendTo(nil, method))
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
	if out.after != nil {
		out.after()
	}
	s.done(c)
	c.SetReadDeadline(time.Now().Add(drainTime))
	io.CopyN(io.Discard, c, drainBytes)
}
