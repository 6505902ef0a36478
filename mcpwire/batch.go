package mcpwire

import (
	"math"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Batches are arrays of messages, which 2025-03-26 alone has. A front's is answered by one
// array once all of its requests are (O2); an older upstream's is taken apart (L11). No
// batch goes upstream.

// maxBatch bounds the elements of one batch: each may need an answer, however short it is.
const maxBatch = 1024

// A batch is one of the front that was not answered yet.
type batch struct {
	waits   [][]byte // raw ids of its requests in flight
	answers []byte   // with a comma before each
	held    int      // bytes of them that count as held
	reading bool     // its elements are being taken
}

// batch takes an array of the front, or is told of one where there are none.
func (s *Session) batch(now time.Time, m *jsonrpc.Message, out *Steps) {
	c := s.core
	n := elements(m)
	switch {
	case c.front != revision20250326 || n == 0:
		s.badFront(now, &jsonrpc.LineError{Fault: jsonrpc.FaultShape}, out)
		return
	case n > maxBatch:
		s.badFront(now, &jsonrpc.LineError{Fault: jsonrpc.FaultTooLong}, out)
		return
	}
	b := &batch{reading: true}
	c.batches = append(c.batches, b)
	for w := m.Walk(m.Batch); w.Next(); {
		s.batchElement(now, b, m.AppendSpan(nil, w.Skip()), out)
	}
	b.reading = false
}

// elements counts the elements of a batch, no further than is too many.
func elements(m *jsonrpc.Message) (n int) {
	for w := m.Walk(m.Batch); n <= maxBatch && w.Next(); {
		n++
	}
	return n
}

// elementOptions read an element, which was read before as part of its line.
var elementOptions = &jsonrpc.ReaderOptions{Members: memberNames[:], MaxLine: math.MaxInt, MaxDepth: math.MaxInt, AllowLoneSurrogates: true}

// batchElement takes an element of b. What is answered at once belongs to b, also what has
// no usable id; a request that is in flight then is waited for.
func (s *Session) batchElement(now time.Time, b *batch, line []byte, out *Steps) {
	c, mark := s.core, len(out.ToFront)
	m, err := jsonrpc.Parse(line, elementOptions)
	bad, _ := err.(*jsonrpc.LineError)
	switch {
	case bad != nil:
		s.BadLine(now, Front, bad, out)
	default:
		s.FromFront(now, m, out)
		s.shapeHere(now, out)
	}
	if bad == nil && m.Kind != jsonrpc.KindRequest {
		return
	}
	out.ToFront = slices.DeleteFunc(out.ToFront, func(f Frame) bool {
		mark--
		return mark < 0 && c.join(b, &f, out)
	})
	if bad == nil && c.table.ofFront(m.AppendSpan(nil, m.ID)) != nil {
		b.waits = append(b.waits, m.AppendSpan(nil, m.ID))
	}
}

// shapeHere does the work of a shape at once: the steps of several messages have room for
// one.
func (s *Session) shapeHere(now time.Time, out *Steps) {
	if h := out.Shape; h != nil {
		out.Shape = nil
		h.Run()
		s.Shaped(now, h, out)
	}
}

// join moves the frame to the answers of b, if it is a response. One that there is no
// room for becomes an error.
func (c *core) join(b *batch, f *Frame, out *Steps) bool {
	id, line := responseIn(f)
	if line == nil {
		return false
	}
	if len(id) > 0 && !c.roomFor(len(line)) {
		n := len(out.ToFront)
		out.fail(id, CauseResponseTooLarge)
		line = out.ToFront[n].Lit
		out.ToFront = out.ToFront[:n]
	}
	b.answers = append(append(b.answers, ','), line...)
	b.held += len(line)
	c.table.held += len(line)
	return true
}

// responseIn returns the raw id and the line of a frame that is a response; the id is empty
// if that has none.
func responseIn(f *Frame) (id, line []byte) {
	if line = f.AppendTo(nil); line[0] == '[' { // the answers of another batch
		return nil, nil
	}
	m, err := jsonrpc.Parse(line, elementOptions)
	switch {
	case err == nil && m.Kind == jsonrpc.KindResponse:
		return m.AppendSpan(nil, m.ID), line
	case err != nil: // an error without a usable id
		return nil, line
	}
	return nil, nil
}

// gather collects the answers of batches, and writes those of each that waits for no more.
// It is called at the end of every entry.
func (c *core) gather(out *Steps) {
	for i := 0; i < len(c.batches); i++ {
		b := c.batches[i]
		if len(b.waits) > 0 {
			out.ToFront = slices.DeleteFunc(out.ToFront, func(f Frame) bool {
				id, line := responseIn(&f)
				return line != nil && slices.ContainsFunc(b.waits, func(w []byte) bool { return string(w) == string(id) }) && c.join(b, &f, out)
			})
			b.waits = slices.DeleteFunc(b.waits, func(id []byte) bool { return c.table.ofFront(id) == nil })
		}
		if b.reading || len(b.waits) > 0 {
			continue
		}
		c.batches = slices.Delete(c.batches, i, i+1)
		i--
		if len(b.answers) > 0 {
			c.table.held -= b.held
			b.answers[0] = '['
			out.ToFront = append(out.ToFront, Frame{Lit: append(b.answers, ']')})
		}
	}
}

// upstreamBatch takes an array of the upstream (L11).
func (s *Session) upstreamBatch(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	c := s.core
	if !c.legacy || c.front != revision20250326 || elements(m) > maxBatch {
		s.badUpstream(now, &jsonrpc.LineError{Fault: jsonrpc.FaultShape}, out)
		return
	}
	for w := m.Walk(m.Batch); w.Next(); {
		e, err := jsonrpc.Parse(m.AppendSpan(nil, w.Skip()), elementOptions)
		if bad, _ := err.(*jsonrpc.LineError); bad != nil {
			s.badUpstream(now, bad, out)
			continue
		}
		s.FromUpstream(now, ex, e, out)
		s.shapeHere(now, out)
	}
}
