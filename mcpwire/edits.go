package mcpwire

import (
	"cmp"
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A rewrite collects the edits of one message, in any order, with the bytes that
// they insert.
type rewrite struct {
	m    *jsonrpc.Message
	list []jsonrpc.Edit
	buf  []byte
	over bool // what is to be inserted is too long
}

// insert puts text at offset off.
func (r *rewrite) insert(off int, text string) { r.replace(jsonrpc.Span{Off: off, End: off}, text) }

// replace puts text in the place of s.
func (r *rewrite) replace(s jsonrpc.Span, text string) {
	start := len(r.buf)
	r.buf = append(r.buf, text...)
	r.inserted(s, start)
}

// inserted puts what was appended to buf since start in the place of s.
func (r *rewrite) inserted(s jsonrpc.Span, start int) {
	if r.tooMany() {
		r.buf = r.buf[:start]
		return
	}
	r.add(jsonrpc.Edit{Off: s.Off, Cut: s.Len(), Insert: r.buf[start:len(r.buf):len(r.buf)]})
}

// maxEdits bounds the edits of one message, so that an answer that needs many
// cannot take many times its own size in memory.
const maxEdits = 1 << 18

// tooMany reports whether there are too many edits, or what they insert is too long.
// Then they count for nothing.
func (r *rewrite) tooMany() bool { return r.over || len(r.list) >= maxEdits }

// add adds an edit.
func (r *rewrite) add(e jsonrpc.Edit) {
	if !r.tooMany() {
		r.list = append(r.list, e)
	}
}

// sort puts the edits in the order of their offsets; at one offset, inserts come
// before a cut, in their order.
func (r *rewrite) sort() {
	slices.SortStableFunc(r.list, func(a, b jsonrpc.Edit) int {
		return cmp.Or(a.Off-b.Off, min(a.Cut, 1)-min(b.Cut, 1))
	})
}

// A cutter cuts members or elements out of one container, in their order. One is
// cut from the end of the one before it to its own end; when all before it are
// cut, the comma after it goes instead, so that the first kept one has none.
type cutter struct {
	r    *rewrite
	lead int // while all are cut: the end of the last one, at first just after the bracket
	done int // all before this offset is cut already
}

// cutterOf returns a cutter for the container at s.
func (r *rewrite) cutterOf(s jsonrpc.Span) cutter {
	return cutter{r: r, lead: s.Off + 1, done: s.Off + 1}
}

// cut cuts the one that ends at end; the one before it ends at prev.
func (c *cutter) cut(prev, end int) {
	off, upto := prev, end
	if prev == c.lead {
		c.lead, off = end, c.done
		if next := c.skipSpace(end); c.r.m.Byte(next) == ',' {
			upto = next + 1
		}
		c.done = upto
	}
	if n := len(c.r.list); n > 0 {
		if last := &c.r.list[n-1]; len(last.Insert) == 0 && last.Off+last.Cut == off {
			last.Cut = upto - last.Off // neighbours are one cut
			return
		}
	}
	c.r.add(jsonrpc.Edit{Off: off, Cut: upto - off})
}

// all reports whether everything that the container holds was cut.
func (c *cutter) all() bool {
	b := c.r.m.Byte(c.skipSpace(c.done))
	return b == '}' || b == ']'
}

func (c *cutter) skipSpace(off int) int {
	for isSpace(c.r.m.Byte(off)) {
		off++
	}
	return off
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }
