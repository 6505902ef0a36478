package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
)

// ErrClosed is the error of calls on a [Conn] that has ended, and of those that
// were open when the input ended.
var ErrClosed = errors.New("jsonrpc: connection closed")

// maxWaiting is how many bytes wait for the writer before others wait too.
const maxWaiting = 1 << 20

// A door holds the state of a Conn. The only way in is update.
type door struct {
	mu    sync.Mutex // guards state
	state connState
}

// connState is all that the goroutines of a Conn share.
type connState struct {
	lastID int64
	calls  map[int64]*call // open calls
	spare  []*call         // calls to use again

	out     []byte        // lines that wait for the writer
	written []byte        // buffer to use next
	writing bool          // somebody writes, and will look at out once more
	room    chan struct{} // closed when the writer took what waited

	answering int // requests of the peer that have no answer yet

	deaf error // why no call can be opened; nil while open
	err  error // why nothing can be sent; nil while open

	stop context.CancelCauseFunc // ends the context of the handlers; nil before Run
}

// A call waits for its response.
type call struct {
	id     int64
	done   chan struct{} // capacity 1
	result []byte
	err    error
}

// update runs f with the state. f must not wait, do I/O or call back.
func (d *door) update(f func(s *connState)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(&d.state)
}

// open registers a call and queues its line.
func (s *connState) open(method string, params []byte) (*call, error) {
	if s.deaf != nil {
		return nil, s.deaf
	}
	s.lastID++
	k := s.newCall()
	k.id = s.lastID
	s.calls[k.id] = k
	s.out = append(s.out, `{"jsonrpc":"2.0","id":`...)
	s.out = strconv.AppendInt(s.out, k.id, 10)
	s.out = append(s.out, ',')
	s.queueMethod(method, params)
	return k, nil
}

func (s *connState) newCall() *call {
	if n := len(s.spare); n > 0 {
		k := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return k
	}
	if s.calls == nil {
		s.calls = make(map[int64]*call)
	}
	return &call{done: make(chan struct{}, 1)}
}

// finish gives a call its outcome, if it is still open. result is kept.
func (s *connState) finish(id int64, result []byte, err error) {
	if k, ok := s.calls[id]; ok {
		delete(s.calls, id)
		k.result, k.err = result, err
		k.done <- struct{}{}
	}
}

// drop gives up a call. It reports false if the call has its outcome already.
func (s *connState) drop(k *call) bool {
	_, ok := s.calls[k.id]
	delete(s.calls, k.id)
	return ok
}

// reuse takes back a call whose outcome was received.
func (s *connState) reuse(k *call) {
	k.result, k.err = nil, nil
	s.spare = append(s.spare, k)
}

// notify queues a notification.
func (s *connState) notify(method string, params []byte) error {
	if s.err != nil {
		return s.err
	}
	s.out = append(s.out, `{"jsonrpc":"2.0",`...)
	s.queueMethod(method, params)
	return nil
}

func (s *connState) queueMethod(method string, params []byte) {
	s.out = append(s.out, `"method":`...)
	s.out = AppendQuote(s.out, method)
	if len(params) > 0 {
		s.out = append(s.out, `,"params":`...)
		s.queueRaw(params)
	}
	s.out = append(s.out, "}\n"...)
}

// admit takes one more request of the peer, if there are not too many.
func (s *connState) admit() bool {
	if s.answering == maxOpen {
		return false
	}
	s.answering++
	return true
}

// reply queues a response. An empty id is written as null.
func (s *connState) reply(id, result []byte, e *Error) error {
	if s.err != nil {
		return s.err
	}
	s.out = append(s.out, `{"jsonrpc":"2.0","id":`...)
	if len(id) == 0 {
		s.out = append(s.out, "null"...)
	}
	s.out = append(s.out, id...)
	switch {
	case e != nil:
		s.out = append(s.out, `,"error":`...)
		s.queueError(e)
	case len(result) == 0:
		s.out = append(s.out, `,"result":null`...)
	default:
		s.out = append(s.out, `,"result":`...)
		s.queueRaw(result)
	}
	s.out = append(s.out, "}\n"...)
	return nil
}

func (s *connState) queueError(e *Error) {
	s.out = append(s.out, `{"code":`...)
	s.out = strconv.AppendInt(s.out, int64(e.Code), 10)
	s.out = append(s.out, `,"message":`...)
	s.out = AppendQuote(s.out, e.Message)
	if len(e.Data) > 0 {
		s.out = append(s.out, `,"data":`...)
		s.queueRaw(e.Data)
	}
	s.out = append(s.out, '}')
}

// queueRaw queues a JSON value. Line feeds and carriage returns can stand between
// its tokens only; they become spaces, so that the line stays one.
func (s *connState) queueRaw(value []byte) {
	n := len(s.out)
	s.out = append(s.out, value...)
	blank(s.out[n:], '\n')
	blank(s.out[n:], '\r')
}

// blank makes each c in b a space.
func blank(b []byte, c byte) {
	for i := bytes.IndexByte(b, c); i >= 0; i = bytes.IndexByte(b, c) {
		b[i] = ' '
		b = b[i+1:]
	}
}

// claim makes the caller the writer, unless there is one or nothing waits. It
// also reports whether others are likely to write soon.
func (s *connState) claim() (writer, crowd bool) {
	if s.writing || len(s.out) == 0 || s.err != nil {
		return false, false
	}
	s.writing = true
	return true, s.answering > 0 || len(s.calls) > 1
}

// take gives the writer what waits. If that is nothing, its turn is over. last
// is what it wrote, or nil.
func (s *connState) take(last []byte) []byte {
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
	if last != nil && cap(last) <= maxWaiting {
		s.written = last[:0]
	}
	if len(s.out) == 0 || s.err != nil {
		s.writing = false
		return nil
	}
	b := s.out
	s.out, s.written = s.written, nil
	return b
}

// pass ends the writer's turn, unless more waits, which is reported. last is what
// it wrote.
func (s *connState) pass(last []byte) bool {
	if len(s.out) > 0 && s.err == nil {
		if cap(last) <= maxWaiting {
			s.written = last[:0]
		}
		return true
	}
	s.take(last)
	return false
}

// full returns a channel to wait on if too much waits for the writer.
func (s *connState) full() <-chan struct{} {
	if len(s.out) < maxWaiting || s.err != nil {
		return nil
	}
	return s.nextTake()
}

// busy returns a channel to wait on unless all was written.
func (s *connState) busy() <-chan struct{} {
	if !s.writing || s.err != nil {
		return nil
	}
	return s.nextTake()
}

func (s *connState) nextTake() <-chan struct{} {
	if s.room == nil {
		s.room = make(chan struct{})
	}
	return s.room
}

// hangUp ends what needs the peer to speak.
func (s *connState) hangUp() {
	if s.deaf == nil {
		s.deaf = ErrClosed
	}
	s.failCalls()
}

// close ends everything with a cause. The first one counts.
func (s *connState) close(cause error) {
	if s.err == nil {
		s.err = cause
	}
	if s.deaf == nil {
		s.deaf = ErrClosed
	}
	s.failCalls()
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
}

// failCalls ends every open call.
func (s *connState) failCalls() {
	for id := range s.calls {
		s.finish(id, nil, s.deaf)
	}
}

// writeOut writes what waits, as the one writer. If not all, it stops after one
// round and reports whether more waits: then the caller is still the writer.
func (d *door) writeOut(w io.Writer, all bool) (more bool, err error) {
	var b []byte
	for {
		d.update(func(s *connState) { b = s.take(b) })
		if b == nil {
			return false, nil
		}
		n, err := w.Write(b)
		if err == nil && n < len(b) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return false, err
		}
		if all {
			continue
		}
		if d.update(func(s *connState) { more = s.pass(b) }); !more {
			return false, nil
		}
		return true, nil
	}
}
