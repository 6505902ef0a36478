package jsonrpc

import (
	"context"
	"errors"
	"strconv"
	"sync"
)

// An incoming is a request of the peer, copied out of its line.
type incoming struct {
	method string
	id     []byte
	params []byte // nil if absent
	buf    []byte // what id and params lie in
}

// maxKept is the largest buffer of a request that is used again. There may be as
// many of them as requests are answered at once.
const maxKept = 8 << 10

// methods belongs to the goroutine that reads.
type methods struct {
	known map[string]string // method names seen, so that each is made a string once
	free  freeList
}

// maxKnown bounds the method names that are kept, and maxName each of them.
const (
	maxKnown = 256
	maxName  = 64
)

func (c *methods) name(m *Message) string {
	var buf [maxName]byte
	b, ok := m.AppendString(buf[:0], m.Method)
	if !ok {
		return ""
	}
	if name, ok := c.known[string(b)]; ok {
		return name
	}
	name := string(b)
	if c.known == nil {
		c.known = make(map[string]string)
	}
	if len(c.known) < maxKnown && len(name) <= maxName {
		c.known[name] = name
	}
	return name
}

// A freeList keeps requests to use again.
type freeList struct {
	mu   sync.Mutex // guards list
	list []*incoming
}

func (f *freeList) take() *incoming {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.list)
	if n == 0 {
		return &incoming{}
	}
	in := f.list[n-1]
	f.list = f.list[:n-1]
	return in
}

func (f *freeList) give(in *incoming) {
	if in.id, in.params = nil, nil; cap(in.buf) > maxKept {
		in.buf = nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, in)
}

// set copies a request out of its message.
func (in *incoming) set(m *Message, method string) {
	in.method = method
	in.buf = m.AppendSpan(in.buf[:0], m.ID)
	n := len(in.buf)
	in.buf = m.AppendSpan(in.buf, m.Params)
	in.id = in.buf[:n:n]
	if !m.Params.IsZero() {
		in.params = in.buf[n:]
	}
}

// request hands a request to a worker that waits, or starts one.
func (c *Conn) request(ctx context.Context, wg *sync.WaitGroup, m *Message) {
	in := c.free.take()
	in.set(m, c.name(m))
	ok := false
	if c.door.update(func(s *connState) { ok = s.admit() }); !ok {
		c.refuse(ctx, in.id, &Error{Code: CodeInternalError, Message: "too many requests"})
		c.free.give(in)
		return
	}
	select {
	case c.work <- in:
	default:
		wg.Go(func() { c.answerAll(ctx, in) })
	}
}

// answerAll is a worker: it answers requests until Run ends.
func (c *Conn) answerAll(ctx context.Context, in *incoming) {
	for ok := true; ok; in, ok = <-c.work {
		result, e := c.answer(ctx, in)
		_ = c.send(ctx, func(s *connState) error {
			s.answering--
			return s.reply(in.id, result, e)
		})
		c.free.give(in)
	}
}

// answer asks the handler.
func (c *Conn) answer(ctx context.Context, in *incoming) ([]byte, *Error) {
	if c.opts.OnRequest == nil {
		return nil, &Error{Code: CodeMethodNotFound, Message: "Method not found"}
	}
	result, err := c.opts.OnRequest(ctx, in.method, in.params)
	if err == nil {
		return result, nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return nil, e
	}
	return nil, &Error{Code: CodeInternalError, Message: "Internal error"}
}

func (c *Conn) notification(ctx context.Context, m *Message) {
	if c.opts.OnNotification == nil {
		return
	}
	var params []byte
	if !m.Params.IsZero() {
		params = m.AppendSpan(nil, m.Params)
	}
	c.opts.OnNotification(ctx, c.name(m), params)
}

// wireError reads the error of a response.
func (m *Message) wireError() *Error {
	e := &Error{}
	w := m.Walk(m.Error)
	for w.Next() {
		switch {
		case w.NameIs("code"):
			n, _ := m.Int(w.Skip())
			e.Code = int(n)
		case w.NameIs("message"):
			e.Message, _ = m.String(w.Skip())
		case w.NameIs("data"):
			e.Data = m.AppendSpan(nil, w.Skip())
		}
	}
	return e
}

// parseID returns the number of an id that a Conn made.
func parseID(token []byte) (int64, bool) {
	id, err := strconv.ParseInt(string(token), 10, 64)
	return id, err == nil
}
