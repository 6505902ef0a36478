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
	running  sync.WaitGroup
	closing  chan struct{} // closed by close
	freed    chan struct{} // a connection has ended

	mu     sync.Mutex // guards the fields below
	closed bool
	conns  []*conn // oldest first
	given  int     // how many gave way since the last complete head
}

type conn struct {
	net.Conn
	since   time.Time
	claimed bool // is answered, and then soon at its end: not to be cut off
	gone    bool // was closed to make room
}

func serve(l net.Listener, heads headLimits, most int, answer func(*http.Request) reply) *server {
	s := &server{
		listener: l, heads: heads, most: most, answer: answer,
		closing: make(chan struct{}), freed: make(chan struct{}, 1),
	}
	s.running.Go(s.accept)
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
		s.converse(c)
		s.leave(c)
	})
}

func (s *server) leave(c *conn) {
	c.Close()
	s.mu.Lock()
	s.conns = slices.DeleteFunc(s.conns, func(other *conn) bool { return other == c })
	s.mu.Unlock()
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

// pause waits until c is ready or a connection has ended. It reports false at the
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

// makeRoom closes the oldest connection if all are taken, unless it is being
// answered or is young: then it returns when to look again. A few silent
// connections so have their time, and many at once do not hold up the one that
// has something to say.
func (s *server) makeRoom() (wait time.Duration, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) < s.most {
		return 0, false
	}
	age := max(idleAge>>min(s.given/s.most, 10), hurriedAge)
	for _, c := range s.conns {
		if c.claimed {
			continue
		}
		if left := age - time.Since(c.since); left > 0 {
			return left, true
		}
		if !c.gone {
			c.gone = true
			c.Close()
			s.given++
		}
		break // its place is free in a moment
	}
	return 0, true
}

// claim marks a connection as one that is answered, unless it had to go: what it
// asked for must not change anything then, since its answer would be lost.
func (s *server) claim(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given = 0
	c.claimed = true
	return !c.gone
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
	c.SetReadDeadline(time.Now().Add(drainTime))
	io.CopyN(io.Discard, c, drainBytes)
}
