package streamhttp

import (
	"bytes"
	"io"
	"sync"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A body is what a request says. It can be sent several times, and is given back when
// nobody sends it any more.
type body struct {
	size   int
	freed  func(size int) // called once
	slices [][]byte
	msg    *jsonrpc.Message // held, if the body lies in its chunks

	mu    sync.Mutex // guards the fields below
	users int        // the exchange, and readers of chunks that are not closed
}

// newBody returns the body for a frame. It copies a small one.
func newBody(f *mcpwire.Frame, freed func(size int)) *body {
	b := &body{users: 1, freed: freed}
	if f.Msg != nil && f.Msg.Big() {
		b.hold(f)
	} else {
		b.slices = [][]byte{f.AppendTo(nil)}
	}
	for _, s := range b.slices {
		b.size += len(s)
	}
	return b
}

// hold keeps the chunks of a big message. The caller uses what the edits insert again.
func (b *body) hold(f *mcpwire.Frame) {
	edits := make([]jsonrpc.Edit, len(f.Edits))
	for i, e := range f.Edits {
		edits[i] = jsonrpc.Edit{Off: e.Off, Cut: e.Cut, Insert: bytes.Clone(e.Insert)}
	}
	f.Msg.Hold()
	b.msg = f.Msg
	b.slices = f.Msg.AppendSlices(nil, edits)
}

// release says that one user less reads the body.
func (b *body) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users--; b.users > 0 {
		return
	}
	if b.slices = nil; b.msg != nil {
		b.msg.Release()
	}
	b.freed(b.size)
}

// reader returns the body from its start. It is nil once the body was given back.
func (b *body) reader() io.ReadCloser {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users == 0 {
		return nil
	}
	if b.msg == nil {
		// By this type net/http knows that no read waits, and sends head and body in one
		// write. It may read on after the exchange: nobody else writes to a copy.
		return io.NopCloser(bytes.NewReader(b.slices[0]))
	}
	b.users++
	return &bodyReader{body: b, left: b.slices}
}

// A bodyReader reads a body once.
type bodyReader struct {
	body *body
	once sync.Once

	mu   sync.Mutex // guards the fields below: net/http may close what it reads
	left [][]byte
	off  int // in the first of left
}

func (r *bodyReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for n < len(p) && len(r.left) > 0 {
		k := copy(p[n:], r.left[0][r.off:])
		n += k
		if r.off += k; r.off == len(r.left[0]) {
			r.left, r.off = r.left[1:], 0
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *bodyReader) Close() error {
	r.once.Do(func() {
		r.mu.Lock()
		r.left = nil
		r.mu.Unlock()
		r.body.release()
	})
	return nil
}
