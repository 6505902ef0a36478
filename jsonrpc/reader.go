package jsonrpc

import (
	"bytes"
	"io"
)

// readSize is the buffer of a reader. Longer lines are big.
const readSize = 64 << 10

// Defaults and limits of [ReaderOptions].
const (
	defaultMaxLine  = 64 << 20
	defaultMaxDepth = 64
	maxDepthLimit   = 512
)

// ReaderOptions configure a [Reader]. A nil *ReaderOptions means the defaults,
// which are the strict ones.
type ReaderOptions struct {
	// MaxLine bounds a line in bytes, without its line ending. If zero, it is
	// 64 MiB.
	MaxLine int

	// MaxDepth bounds the nesting of a line; the envelope is level 1. If zero,
	// it is 64. It is at most 512.
	MaxDepth int

	// Members names the direct members of params and result whose spans are
	// recorded, at most [MaxMembers]. A second member of such a name is a fault.
	Members []string

	// Batches lets a line be an array, whose elements may be messages. Its Kind is
	// [KindBatch], and it has no span but Batch; each element is still to be read, with
	// [Parse].
	Batches bool

	// AllowLoneSurrogates lets escapes of lone surrogates pass, which the JSON
	// grammar allows.
	AllowLoneSurrogates bool
}

func (o *ReaderOptions) maxLine() int {
	if o == nil || o.MaxLine == 0 {
		return defaultMaxLine
	}
	return o.MaxLine
}

func (o *ReaderOptions) maxDepth() int {
	if o == nil || o.MaxDepth == 0 {
		return defaultMaxDepth
	}
	return min(o.MaxDepth, maxDepthLimit)
}

func (o *ReaderOptions) members() []string {
	if o == nil {
		return nil
	}
	return o.Members
}

func (o *ReaderOptions) newScanner() *scanner {
	return &scanner{
		maxDepth: o.maxDepth(),
		lone:     o != nil && o.AllowLoneSurrogates,
		batches:  o != nil && o.Batches,
		names:    newNames(o.members()),
	}
}

// A Reader reads messages, one a line. It must not be used by several goroutines
// at once.
//
// It keeps the chunks of big messages for the next one. Ten seconds after the
// last one was given back it drops them. On Linux their memory is then the system's
// at once; if they were 8 MiB or more, [runtime/debug.FreeOSMemory] is called too,
// on every system.
type Reader struct {
	input
	maxLine int
	scanner *scanner
	pool    *chunkPool
	shift   uint // of the chunks

	searched int // buf[pos:searched] holds no line feed

	msg Message  // of a small line
	big *Message // the last message, if it is big
}

// NewReader returns a Reader of r. It panics if o.Members holds more than
// [MaxMembers] names, or an empty one.
func NewReader(r io.Reader, o *ReaderOptions) *Reader {
	return newReader(r, o, readSize, chunkShift)
}

func newReader(src io.Reader, o *ReaderOptions, size int, shift uint) *Reader {
	r := &Reader{
		input:   input{src: src, buf: make([]byte, size)},
		maxLine: o.maxLine(),
		scanner: o.newScanner(),
		pool:    &chunkPool{},
		shift:   shift,
	}
	r.scanner.own = true
	r.msg.members = make([]Member, len(o.members()))
	return r
}

// Read returns the next message. It waits for the underlying reader only if no
// complete line was read yet. Blank lines are passed over, a byte order mark
// at the start of a line and a carriage return at its end are dropped, a last
// line without a line ending counts.
//
// A carriage return between two tokens, which JSON allows, becomes a space: a peer
// that takes it for a line ending must not read a part of a message as a message.
// So no message of a Reader holds a carriage return or a line feed.
//
// A [*LineError] says that one line was bad; the stream goes on at the next.
// [io.EOF] is the end of the stream; any other error comes from the underlying
// reader.
func (r *Reader) Read() (*Message, error) {
	if r.big != nil {
		r.big.Release()
		r.big = nil
	}
	for {
		var m *Message
		var err error
		if r.search() {
			line := r.buf[r.pos:r.searched]
			r.pos = r.searched + 1
			r.searched = r.pos
			m, err = r.small(line)
		} else {
			m, err = r.more()
		}
		if m != nil || err != nil {
			return m, err
		}
	}
}

// more takes one step where the buffer holds no complete line: it returns
// nothing after bytes that do not complete one either, or after a blank line.
func (r *Reader) more() (*Message, error) {
	switch {
	case r.err == io.EOF && r.pos < r.end:
		line := r.buf[r.pos:r.end]
		r.pos = r.end
		return r.small(line)
	case r.err != nil:
		r.pool.close()
		return nil, r.err
	case r.pos == 0 && r.end == len(r.buf):
		return r.long()
	}
	r.fill()
	return nil, nil
}

// search reports whether there is a line feed, and sets searched to where it is.
func (r *Reader) search() bool {
	i := bytes.IndexByte(r.buf[r.searched:r.end], '\n')
	if i < 0 {
		r.searched = r.end
		return false
	}
	r.searched += i
	return true
}

// Buffered reports whether a complete line waits, so that the next Read returns
// without reading from the underlying reader.
func (r *Reader) Buffered() bool {
	for r.search() {
		if !isBlank(r.buf[r.pos:r.searched]) {
			return true
		}
		r.pos = r.searched + 1
		r.searched = r.pos
	}
	return false
}

func isBlank(line []byte) bool {
	for _, c := range trimBOM(line) {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// fill moves the incomplete line to the start of the buffer and reads on.
func (r *Reader) fill() {
	if r.pos > 0 {
		r.end = copy(r.buf, r.buf[r.pos:r.end])
		r.searched -= r.pos
		r.pos = 0
	}
	r.end += r.read(r.buf[r.end:])
}

// small scans a line that lies in the buffer.
func (r *Reader) small(line []byte) (*Message, error) {
	m := &r.msg
	m.flat = trimCR(trimBOM(line))
	if m.n = len(m.flat); m.n == 0 {
		return nil, nil
	}
	r.scanner.begin(m)
	r.scanner.feed(m.flat)
	if r.scanner.blank() {
		return nil, nil
	}
	if f := r.scanner.verdict(m.n > r.maxLine); f != 0 {
		r.scanner.saveOwnIDs()
		return nil, r.scanner.lineError(f)
	}
	return m, nil
}

// verdict ends the line and returns its fault.
func (s *scanner) verdict(tooLong bool) Fault {
	switch {
	case tooLong:
		return FaultTooLong
	case s.fault != 0:
		return s.fault
	}
	return s.finish()
}

func trimBOM(line []byte) []byte {
	const bom = "\uFEFF"
	if len(line) >= len(bom) && string(line[:len(bom)]) == bom {
		return line[len(bom):]
	}
	return line
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// Parse scans one line that the caller holds, which must not change as long as
// the message is used. A byte order mark before it and a line ending after it
// are dropped; a line feed inside it is a fault. The error is a [*LineError].
//
// The line is not written to, so a carriage return between two tokens stays, and
// stays in what [Message.AppendEdited] and [Message.AppendSlices] give: a caller
// who sends that on sees to it.
func Parse(line []byte, o *ReaderOptions) (*Message, error) {
	m := &Message{members: make([]Member, len(o.members()))}
	m.flat = trimCR(bytes.TrimSuffix(trimBOM(line), []byte("\n")))
	m.n = len(m.flat)
	s := o.newScanner()
	s.begin(m)
	s.feed(m.flat)
	f := s.verdict(m.n > o.maxLine())
	if f != FaultTooLong && bytes.IndexByte(m.flat, '\n') >= 0 {
		f = FaultSyntax
	}
	if f != 0 {
		s.saveOwnIDs()
		return nil, s.lineError(f)
	}
	return m, nil
}
