package jsonrpc

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
)

// maxOpen is how many calls a Conn has open in each direction.
const maxOpen = 256

// ConnOptions configure a [Conn]. A nil *ConnOptions means the defaults.
type ConnOptions struct {
	// Reader configures the reading side.
	Reader *ReaderOptions

	// OnRequest answers a request: with a JSON value, which is not checked and is
	// null if it is empty, or with an error. An error
	// that is not an *[Error] is sent as an internal error without its text.
	// Requests are answered concurrently, at most 256 at once; what is over that
	// gets an error. params is valid until OnRequest returns, and nil if absent.
	// If OnRequest is nil, every method is unknown.
	OnRequest func(ctx context.Context, method string, params []byte) (result []byte, err error)

	// OnNotification takes a notification. Notifications are taken one at a time
	// in their order, and nothing is read meanwhile: it must not wait for a Call.
	// params is valid until OnNotification returns. If OnNotification is nil,
	// notifications are dropped.
	OnNotification func(ctx context.Context, method string, params []byte)
}

// A Conn makes calls to a peer and answers its requests. Its methods may be
// called by several goroutines at once.
type Conn struct {
	src    io.Reader
	dst    io.Writer
	reader *Reader
	opts   ConnOptions
	door   door
	slots  chan struct{} // one for each open call
	work   chan *incoming
	rest   chan struct{} // capacity 1: the writer's turn, on its way to writeRest
	ended  chan struct{} // closed at the end of Run
	methods
}

// NewConn returns a Conn that reads from r and writes to w. It does nothing
// with r before [Conn.Run], and may leave lines unwritten until then.
func NewConn(r io.Reader, w io.Writer, o *ConnOptions) *Conn {
	if o == nil {
		o = &ConnOptions{}
	}
	return &Conn{
		src:    r,
		dst:    w,
		reader: NewReader(r, o.Reader),
		opts:   *o,
		slots:  make(chan struct{}, maxOpen),
		work:   make(chan *incoming),
		rest:   make(chan struct{}, 1),
		ended:  make(chan struct{}),
	}
}

// Run reads until the input ends or ctx is done, and returns nil at the end of
// the input, the cause of ctx, or the error of reading or writing. Requests that
// were read before the end of the input are still answered; calls that are open
// then fail with [ErrClosed]. When ctx is done, or reading or writing fails, the
// context of the handlers is done too.
//
// Run must be called once. No goroutine outlives it. Before it returns it closes
// r and w if they are [io.Closer]s, and it does so when ctx is done, to unblock
// them; if they are not, Run waits for them.
func (c *Conn) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ctx, c.closeStreams)
	var wg, writer sync.WaitGroup
	writer.Go(c.writeRest)
	c.stopWith(cancel)
	err := c.readAll(ctx, &wg)
	if err != io.EOF {
		c.fail(err)
	}
	c.door.update(func(s *connState) { s.hangUp() })
	close(c.work)
	wg.Wait()
	c.drain(ctx)
	c.door.update(func(s *connState) {
		err = s.err // the first cause, or nil
		s.close(ErrClosed)
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	stop()
	cancel(ErrClosed)
	close(c.ended)
	c.closeStreams()
	writer.Wait()
	return err
}

// drain waits until nothing waits for the writer, who may be any goroutine.
func (c *Conn) drain(ctx context.Context) {
	for {
		var busy <-chan struct{}
		c.door.update(func(s *connState) { busy = s.busy() })
		if busy == nil {
			return
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return
		}
	}
}

// closeStreams unblocks whoever reads or writes.
func (c *Conn) closeStreams() {
	for _, s := range []any{c.src, c.dst} {
		if closer, ok := s.(io.Closer); ok {
			closer.Close()
		}
	}
}

// Call sends a request and waits for its response. params is a JSON object, or
// empty for none, and is not checked here. The error is an *[Error] if the peer
// sent one, a *[LineError] if its response was a bad line, the cause of ctx if that
// is done first (the peer is not told), or [ErrClosed]. While the request itself is
// being written, ctx is not looked at.
func (c *Conn) Call(ctx context.Context, method string, params []byte) (result []byte, err error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	var k *call
	if err := c.send(ctx, func(s *connState) (err error) {
		k, err = s.open(method, params)
		return err
	}); err != nil {
		if k != nil {
			c.door.update(func(s *connState) { s.drop(k) })
		}
		return nil, err
	}
	select {
	case <-k.done:
	case <-ctx.Done():
		dropped := false
		if c.door.update(func(s *connState) { dropped = s.drop(k) }); dropped {
			return nil, context.Cause(ctx)
		}
		<-k.done
	}
	result, err = k.result, k.err
	c.door.update(func(s *connState) { s.reuse(k) })
	return result, err
}

// Notify sends a notification. params is a JSON object, or empty for none. It
// returns when the line is queued, which may be before it is written.
func (c *Conn) Notify(ctx context.Context, method string, params []byte) error {
	return c.send(ctx, func(s *connState) error { return s.notify(method, params) })
}

// send queues a line and writes what waits, unless somebody else does.
func (c *Conn) send(ctx context.Context, queue func(s *connState) error) error {
	var err error
	var writer, crowd bool
	var full <-chan struct{}
	c.door.update(func(s *connState) {
		err = queue(s)
		writer, crowd = s.claim()
		full = s.full()
	})
	switch {
	case err != nil:
		return err
	case writer:
		if crowd {
			runtime.Gosched() // the others queue their lines, and one write takes all
		}
		return c.write()
	case full == nil:
		return nil
	}
	select {
	case <-full:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// write writes what waits. A failure ends the connection. What others queued
// meanwhile is written by the goroutine that Run owns, so that a caller does not
// go on writing for others.
func (c *Conn) write() error {
	more, err := c.door.writeOut(c.dst, false)
	if more {
		c.rest <- struct{}{} // has room: there is one writer
	}
	return c.written(err)
}

// writeRest goes on with what writers leave, until Run ends.
func (c *Conn) writeRest() {
	for {
		select {
		case <-c.rest:
			_, err := c.door.writeOut(c.dst, true)
			_ = c.written(err) // it is why the connection ends
		case <-c.ended:
			return
		}
	}
}

// written ends the connection if a write failed.
func (c *Conn) written(err error) error {
	if err != nil {
		c.fail(err)
		c.closeStreams()
	}
	return err
}

// fail ends the connection with a cause, and what is asked of the handlers: nobody
// will get their answers.
func (c *Conn) fail(cause error) {
	var stop context.CancelCauseFunc
	c.door.update(func(s *connState) {
		s.close(cause)
		cause, stop = s.err, s.stop
	})
	if stop != nil {
		stop(cause)
	}
}

// stopWith has fail call stop, at once if it was called already.
func (c *Conn) stopWith(stop context.CancelCauseFunc) {
	var err error
	c.door.update(func(s *connState) { err, s.stop = s.err, stop })
	if err != nil {
		stop(err)
	}
}

// readAll reads until it cannot go on.
func (c *Conn) readAll(ctx context.Context, wg *sync.WaitGroup) error {
	for {
		m, err := c.reader.Read()
		if bad, ok := errors.AsType[*LineError](err); ok {
			c.badLine(ctx, bad)
			continue
		}
		if err != nil {
			return err
		}
		switch m.Kind {
		case KindRequest:
			c.request(ctx, wg, m)
		case KindNotification:
			c.notification(ctx, m)
		case KindResponse:
			c.response(m)
		}
	}
}

// badLine answers a bad request, or fails the call that a bad response names.
func (c *Conn) badLine(ctx context.Context, e *LineError) {
	if e.Response {
		if id, ok := parseID(e.ID); ok {
			c.door.update(func(s *connState) { s.finish(id, nil, e) })
		}
		return
	}
	reply := &Error{Code: CodeInvalidRequest, Message: "Invalid Request"}
	if e.Fault == FaultSyntax {
		reply = &Error{Code: CodeParseError, Message: "Parse error"}
	}
	c.refuse(ctx, e.ID, reply)
}

// response gives a call its outcome. One that nobody waits for is dropped.
func (c *Conn) response(m *Message) {
	id, ok := m.Int(m.ID)
	if !ok {
		return
	}
	var result []byte
	var err error
	if m.Error.IsZero() {
		result = m.AppendSpan(nil, m.Result)
	} else {
		err = m.wireError()
	}
	c.door.update(func(s *connState) { s.finish(id, result, err) })
}

// refuse answers a request that no handler got. It leaves the writing to writeRest:
// a peer may go on sending for long before it reads.
func (c *Conn) refuse(ctx context.Context, id []byte, e *Error) {
	var writer bool
	var full <-chan struct{}
	c.door.update(func(s *connState) {
		_ = s.reply(id, nil, e) // fails if the connection has ended; there is nobody here to tell
		writer, _ = s.claim()
		full = s.full()
	})
	if writer {
		c.rest <- struct{}{} // has room: there is one writer
	}
	if full == nil {
		return
	}
	select {
	case <-full:
	case <-ctx.Done():
	}
}
