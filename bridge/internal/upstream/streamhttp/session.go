package streamhttp

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// The headers of a session with an older server.
const (
	methodHeader    = "Mcp-Method" // which only requests of 2026-07-28 have
	sessionHeader   = "Mcp-Session-Id"
	lastEventHeader = "Last-Event-Id"
)

// A session is one with an older server, from the request that opens it to the one that
// opens the next (L10).
type session struct {
	sse         *sse            // nil: it is over Streamable HTTP
	version     mcpwire.Headers // of each message; guarded by Client.mu, and so are the next three
	initialized bool            // something but the request that opens it was sent
	last        *message        // of those that no response answers
	ears        *ears           // nil until the client listens outside of responses

	mu sync.Mutex    // guards the field below
	id func() string // a secret; nil: the server has named none
}

// named returns the id of the session, or nil.
func (s *session) named() func() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// adopt takes the id that the server names in the response to the request that opens the
// session, if it names one. It reports false for one that is none (U17).
func (s *session) adopt(h http.Header) bool {
	ids := h[sessionHeader]
	if len(ids) == 0 {
		return true
	}
	if len(ids) > 1 || !mcpwire.ValidSession(ids[0]) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id = func() string { return ids[0] }
	return true
}

// newSession ends what belongs to the session before, for another one. The caller holds
// the lock.
func (c *Client) newSession() {
	before := c.session
	for x := range c.streams {
		x.finish()
	}
	c.session = &session{}
	if c.oldNext || before != nil && before.sse != nil && before.initialized {
		c.openSSE()
	}
	c.oldNext = false
}

// OldTransport says that the next session is to be over what 2024-11-05 has for that (L2).
func (c *Client) OldTransport() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.oldNext = true
}

// Stream asks for what an older server says outside of responses (L10), from the next
// Flush on.
func (c *Client) Stream() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != nil && c.session.sse == nil && !c.ended {
		c.session.ears = &ears{open: make(chan struct{})}
		c.addStream()
	}
}

// addStream adds a stream of the session that belongs to no request. The caller holds the
// lock.
func (c *Client) addStream() *exchange {
	s := c.session
	x := &exchange{c: c, headers: s.version, older: &older{session: s, verb: http.MethodGet, stream: true, before: s.last, ears: s.ears}}
	x.ctx, x.cancel = context.WithCancelCause(c.ctx)
	c.streams[x] = struct{}{}
	c.appends = append(c.appends, x)
	return x
}

// leaveSession tells an older server that its session is over, within limit.
func (c *Client) leaveSession(limit time.Duration) {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s == nil || s.sse != nil || s.named() == nil {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(c.ctx), min(limit, goodbye))
	defer done()
	x := &exchange{c: c, headers: s.version, older: &older{session: s, verb: http.MethodDelete}}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	defer x.cancel(errOver)
	if res, f := x.send(); f == nil {
		res.close()
	}
}
