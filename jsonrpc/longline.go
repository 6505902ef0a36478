package jsonrpc

import (
	"bytes"
	"io"
)

// scanSize is how many bytes of a big line wait before they are scanned, unless
// it ends: tiny reads would make the scan start anew for each.
const scanSize = 4 << 10

// long reads a line that is longer than the buffer, which it fills. The line
// moves to chunks and is scanned as it comes.
func (r *Reader) long() (*Message, error) {
	m := newBig(&r.msg, r.pool, r.shift)
	l := m.big
	l.add(trimBOM(r.buf))
	r.pos, r.end, r.searched = 0, 0, 0
	r.scanner.begin(m)
	for scanned, ended := 0, false; ; {
		end := l.n
		if l.endsInCR() {
			end-- // it may belong to the line ending
		}
		if ended {
			l.n = end
		}
		scanned = r.scanTo(l, scanned, end)
		switch {
		case ended:
			return r.endLong(m)
		case r.err != nil:
			m.Release()
			return nil, r.err
		case l.n-1 > r.maxLine || r.scanner.fault != 0:
			return nil, r.skip(m)
		}
		ended = r.extend(l, l.n+scanSize)
	}
}

// extend reads on until a line has n bytes, or the input ends otherwise, or the line
// ends, which is reported.
func (r *Reader) extend(l *chunkList, n int) (ended bool) {
	for l.n < n && r.err == nil && !ended {
		room := l.room()
		room = room[:r.read(room[:min(len(room), len(r.buf))])]
		var end int
		end, ended = r.split(room)
		l.n += end
	}
	return ended || r.err == io.EOF
}

// scanTo scans a line from one offset to another, which it returns.
func (r *Reader) scanTo(l *chunkList, from, to int) int {
	for from < to {
		b := l.seg(from)
		b = b[:min(len(b), to-from)]
		r.scanner.feed(b)
		from += len(b)
	}
	return to
}

// split returns where b ends, which is at its first line feed if it has one, and moves
// what follows that to the buffer, which is empty and not smaller than b. It runs for
// each read, however small.
func (r *Reader) split(b []byte) (n int, ended bool) {
	if n = bytes.IndexByte(b, '\n'); n < 0 {
		return len(b), false
	}
	r.end = copy(r.buf, b[n+1:])
	return n, true
}

// endLong ends a big line that was scanned.
func (r *Reader) endLong(m *Message) (*Message, error) {
	m.n = m.big.n
	m.big.trim()
	if r.scanner.blank() {
		m.Release()
		return nil, nil
	}
	if f := r.scanner.verdict(m.n > r.maxLine); f != 0 {
		r.scanner.saveOwnIDs()
		m.Release()
		return nil, r.scanner.lineError(f)
	}
	r.big = m
	return m, nil
}

// skip gives the chunks of a bad line back and reads on to its end in constant
// memory. The scan goes on, since the id may come last.
func (r *Reader) skip(m *Message) error {
	n := m.big.n
	m.n = n
	w := newWindow(m, len(r.buf))
	r.scanner.saveOwnIDs()
	held := m.big.endsInCR() // a carriage return that was not scanned
	m.Release()
	for {
		room := w.room()[:len(r.buf)]
		room = room[:r.read(room)]
		end, ended := r.split(room)
		piece := room[:end]
		if held && len(piece) > 0 {
			r.scanner.feed([]byte("\r"))
			held = false
		}
		text := trimCR(piece)
		held = held || len(text) < len(piece)
		r.scanner.feed(text)
		n += len(piece)
		w.add(len(piece))
		r.scanner.saveIDs(w.bytes(), n-w.n)
		switch {
		case ended || r.err == io.EOF:
			if held {
				n-- // it belongs to the line ending
			}
			if r.scanner.blank() {
				return nil
			}
			return r.scanner.lineError(r.scanner.verdict(n > r.maxLine))
		case r.err != nil:
			return r.err
		}
	}
}

// A window holds the last piece of a line and enough bytes before it for an id.
type window struct {
	buf []byte
	n   int // bytes held
}

// newWindow returns a window that takes pieces of a size and holds the end of
// the text of m.
func newWindow(m *Message, size int) *window {
	w := &window{buf: make([]byte, maxID+size)}
	w.n = len(m.AppendSpan(w.buf[:0], Span{max(m.n-maxID, 0), m.n}))
	return w
}

// room drops all but the bytes that an id may need and returns where the next
// piece goes.
func (w *window) room() []byte {
	if w.n > maxID {
		w.n = copy(w.buf, w.buf[w.n-maxID:w.n])
	}
	return w.buf[w.n:]
}

func (w *window) add(n int) { w.n += n }

func (w *window) bytes() []byte { return w.buf[:w.n] }
