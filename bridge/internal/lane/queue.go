package lane

import (
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

const (
	keptBuffer = 256 << 10 // bytes; a bigger buffer is given up when it is empty
	keptLines  = 4096      // lines; a longer list too
	moveAfter  = 64 << 10  // bytes written, or taken back, before what is left is moved together
	manyGone   = 256       // lines taken back before the list is made shorter
)

// An entry is one line of a queue.
type entry struct {
	exchange mcpwire.Exchange
	size     int
	gone     bool // taken back: its bytes, if it has any in the buffer, are passed over
	big      *big // a line that lies in chunks; nil if its bytes are in the buffer
}

// A queue holds lines until they are written. The bytes of small lines follow each
// other in one buffer, so that neighbours are one write.
type queue struct {
	lines []entry
	head  int    // first line of lines that is not yet written whole
	buf   []byte // bytes of the small lines
	start int    // where the bytes of the first small line from head on begin in buf
	off   int    // bytes of the line at head that are written
	taken int    // lines from head on that are being written
	size  int    // bytes that are not yet written
	holes int    // bytes in buf of lines that were taken back, from head on
	gone  int    // lines that were taken back, from head on
}

func (q *queue) empty() bool { return q.head == len(q.lines) }

func (q *queue) copy(f *mcpwire.Frame) {
	before := len(q.buf)
	q.buf = append(f.AppendTo(q.buf), '\n')
	q.add(entry{exchange: f.Exchange, size: len(q.buf) - before})
}

func (q *queue) hold(f *mcpwire.Frame) {
	b := newBig(f)
	q.add(entry{exchange: f.Exchange, size: b.size, big: b})
}

func (q *queue) add(e entry) {
	q.lines = append(q.lines, e)
	q.size += e.size
}

// take returns the bytes of the first small lines, at most most, and marks these
// lines as being written. It returns nothing if a big line is first.
func (q *queue) take(most int) []byte {
	q.skip()
	n := -q.off
	for i := q.head; i < len(q.lines) && n < most; i++ {
		if e := &q.lines[i]; e.gone || e.big != nil {
			break
		}
		n += q.lines[i].size
		q.taken++
	}
	from := q.start + q.off
	return q.buf[from : from+max(0, min(n, most))]
}

// takeBig returns the first line and marks it as being written, if it is a big one.
func (q *queue) takeBig() *big {
	q.skip()
	if q.empty() || q.lines[q.head].big == nil {
		return nil
	}
	q.taken = 1
	return q.lines[q.head].big
}

// wrote takes note that n bytes of what was taken are written. The rest is no
// longer taken.
func (q *queue) wrote(n int) {
	q.taken = 0
	q.off += n
	q.size -= n
	for !q.empty() && q.off >= q.lines[q.head].size && !q.lines[q.head].gone {
		q.off -= q.lines[q.head].size
		q.pop()
	}
	q.skip()
}

// skip passes over lines that were taken back.
func (q *queue) skip() {
	for !q.empty() && q.lines[q.head].gone {
		q.pop()
	}
	q.tidy()
}

// pop removes the line at head, which is written or was taken back.
func (q *queue) pop() {
	e := &q.lines[q.head]
	if e.big != nil {
		e.big.release()
		e.big = nil
	} else {
		q.start += e.size
	}
	if e.gone {
		q.holes -= e.size
		q.gone--
	}
	q.head++
}

// tidy makes room at the front. Nothing may be taken.
func (q *queue) tidy() {
	if q.empty() {
		q.reset()
		return
	}
	if q.start > moveAfter && q.start > len(q.buf)/2 {
		q.buf = q.buf[:copy(q.buf, q.buf[q.start:])]
		q.start = 0
	}
	if q.head > keptLines && q.head > len(q.lines)/2 {
		n := copy(q.lines, q.lines[q.head:])
		clear(q.lines[n:])
		q.lines = q.lines[:n]
		q.head = 0
	}
}

// reset empties the queue and keeps memory of a usual size.
func (q *queue) reset() {
	q.lines, q.head = q.lines[:0], 0
	q.buf, q.start, q.off, q.size = q.buf[:0], 0, 0, 0
	q.holes, q.gone = 0, 0
	if cap(q.buf) > keptBuffer {
		q.buf = nil
	}
	if cap(q.lines) > keptLines {
		q.lines = nil
	}
}

// remove takes the line of ex back, if no write of it has begun. It looks at the
// newest lines first. There are few: what is taken back does not stay in the list.
func (q *queue) remove(ex mcpwire.Exchange) bool {
	for i := len(q.lines) - 1; i >= q.head+q.taken; i-- {
		e := &q.lines[i]
		if e.exchange != ex || e.gone {
			continue
		}
		if i == q.head && q.off > 0 {
			return false
		}
		q.size -= e.size
		if e.big != nil {
			e.big.release()
			e.big, e.size = nil, 0
		}
		e.gone = true
		q.gone++
		q.holes += e.size
		q.shrink()
		return true
	}
	return false
}

// shrink gives memory of lines that were taken back away: that of the last ones at
// once, that between others when it is much.
func (q *queue) shrink() {
	for n := len(q.lines) - 1; n >= q.head+q.taken && q.lines[n].gone; n-- {
		size := q.lines[n].size
		q.buf = q.buf[:len(q.buf)-size]
		q.lines = q.lines[:n]
		q.holes -= size
		q.gone--
	}
	if q.empty() {
		q.reset()
		return
	}
	if q.holes > moveAfter && q.holes > len(q.buf)/2 || q.gone > manyGone && q.gone > len(q.lines)/2 {
		q.compact()
	}
}

// compact moves the lines that are left together. Those that are being written, and
// their bytes, stay where they are.
func (q *queue) compact() {
	first := q.head + q.taken
	from := q.start
	for i := q.head; i < first; i++ {
		if q.lines[i].big == nil {
			from += q.lines[i].size
		}
	}
	lines, to := q.lines[:first], from
	for _, e := range q.lines[first:] {
		if e.big == nil {
			if !e.gone {
				to += copy(q.buf[to:], q.buf[from:from+e.size])
			}
			from += e.size
		}
		if !e.gone {
			lines = append(lines, e)
		}
	}
	clear(q.lines[len(lines):])
	q.lines, q.buf = lines, q.buf[:to]
	q.holes, q.gone = 0, 0
}

// behind returns the bytes behind the line that is being written.
func (q *queue) behind() int {
	if q.empty() {
		return 0
	}
	first := &q.lines[q.head]
	if first.gone {
		return q.size
	}
	return q.size - (first.size - q.off)
}

// drop gives up all lines but those that are being written: wrote is still called
// for them.
func (q *queue) drop() {
	keep := q.head + q.taken
	for i := keep; i < len(q.lines); i++ {
		e := &q.lines[i]
		if e.big != nil {
			e.big.release()
			e.big = nil
		}
		if !e.gone {
			q.size -= e.size
		}
	}
	q.lines = q.lines[:keep]
	q.holes, q.gone = 0, 0
	if q.taken == 0 {
		q.reset()
	}
}

// A big line is a frame whose message lies in chunks.
type big struct {
	msg   *jsonrpc.Message
	edits []jsonrpc.Edit
	size  int // with the line ending
}

// newBig holds the message of f and copies its edits, which the caller reuses.
func newBig(f *mcpwire.Frame) *big {
	b := &big{msg: f.Msg, edits: make([]jsonrpc.Edit, len(f.Edits)), size: f.Msg.Len() + 1}
	var n int
	for _, e := range f.Edits {
		n += len(e.Insert)
	}
	text := make([]byte, 0, n)
	for i, e := range f.Edits {
		from := len(text)
		text = append(text, e.Insert...)
		b.edits[i] = jsonrpc.Edit{Off: e.Off, Cut: e.Cut, Insert: text[from:len(text):len(text)]}
		b.size += len(e.Insert) - e.Cut
	}
	f.Msg.Hold()
	return b
}

func (b *big) slices() [][]byte { return b.msg.AppendSlices(nil, b.edits) }
func (b *big) release()         { b.msg.Release() }
