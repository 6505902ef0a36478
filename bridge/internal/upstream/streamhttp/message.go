package streamhttp

import (
	"context"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A message is one to an older server that no response answers. They are sent one after
// the other, and what was appended behind one of them waits until the server has it: a
// server refuses requests before it knows that the client is initialized.
type message struct {
	*exchange
	settled chan struct{} // closed when the server has it, or never will
	waived  chan struct{} // closed when it takes too long to be waited for
}

// queue takes a message. The caller holds the lock.
func (c *Client) queue(x *exchange) {
	m := &message{x, make(chan struct{}), make(chan struct{})}
	x.older.session.last = m
	c.outbox = append(c.outbox, m)
}

// deliverAll sends the messages that wait, unless that is being done. The caller holds the
// lock.
func (c *Client) deliverAll() {
	if c.delivering || len(c.outbox) == 0 {
		return
	}
	c.delivering = true
	c.join(c.start(func() {
		for m := c.first(); m != nil; m = c.first() {
			m.deliver()
			c.delivered(m)
		}
	}))
}

// first returns the message whose turn it is, or nil.
func (c *Client) first() *message {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.outbox) == 0 {
		c.delivering = false
		return nil
	}
	return c.outbox[0]
}

// delivered forgets a message.
func (c *Client) delivered(m *message) {
	m.body.release()
	close(m.settled)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outbox[0] = nil
	c.outbox = c.outbox[1:]
	c.settle()
}

// deliver sends m. Any status of success is one, whatever comes with it (L10).
func (m *message) deliver() {
	defer m.cancel(errOver)
	stop := halt.After(messageTurn, func() { close(m.waived) })
	defer stop()
	if s := m.older.session.sse; s != nil && !s.wait(m.ctx) {
		return
	}
	for again, unsent := true, 0; again && m.ctx.Err() == nil; {
		var f *mcpwire.Failure
		again, f = m.post(stop)
		if f != nil && f.Cause == mcpwire.CauseNetwork && !f.Sent && unsent == 0 { // U10
			unsent++
			again = sleep(m.ctx, unsentPause)
		}
	}
}

// post sends m once. It reports whether it was refused and would not be now.
func (m *message) post(stop func()) (again bool, f *mcpwire.Failure) {
	signed := m.c.nextSignIn()
	late := halt.After(messageTime, func() { m.cancel(errOver) })
	res, f := m.send()
	late()
	if f != nil {
		return false, f
	}
	if !m.isShut(res) {
		res.leave()
		return false, nil
	}
	res.close()
	stop()
	m.waive()
	v := m.appeal(res)
	switch again = v.Again && (m.isQuiet() || v.Admission > m.admission); {
	case again:
		m.admission = v.Admission
	case m.isQuiet():
		again = m.awaitSignIn(signed)
	}
	return again, nil
}

// awaitSignIn waits until somebody signs in, for something else. It reports false at the
// end.
func (m *message) awaitSignIn(signed <-chan struct{}) bool {
	select {
	case <-signed:
		return true
	case <-m.c.ending:
	case <-m.ctx.Done():
	}
	return false
}

// waive lets what waits for m go on. Only the goroutine that delivers m calls it, when its
// turn cannot end any more.
func (m *message) waive() {
	select {
	case <-m.waived:
	default:
		close(m.waived)
	}
}

// wait waits for the turn of what was appended behind m. A request that was refused once
// waits for one that was, too. It reports false if ctx is done.
func (m *message) wait(ctx context.Context, admission mcpwire.Admission) bool {
	if m == nil {
		return true
	}
	waived, turn := m.waived, (<-chan time.Time)(nil)
	if admission > 0 {
		t := time.NewTimer(messageTurn)
		defer t.Stop()
		waived, turn = nil, t.C
	}
	select {
	case <-m.settled:
	case <-waived:
	case <-turn:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// waitForMessages waits while too many messages wait: what an older server says may lead
// to more.
func (c *Client) waitForMessages(ctx context.Context) {
	for ctx.Err() == nil {
		c.mu.Lock()
		if len(c.outbox) < maxMessages {
			c.mu.Unlock()
			return
		}
		m := c.outbox[0]
		c.mu.Unlock()
		select {
		case <-m.settled:
		case <-ctx.Done():
		}
	}
}
