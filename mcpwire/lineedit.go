package mcpwire

import (
	"slices"
	"strconv"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A lineEdit makes a frame of a message that passes as it came but for a few values,
// which are given in any order.
type lineEdit struct {
	out   *Steps
	m     *jsonrpc.Message
	edits int // where its edits begin
}

func (s *Steps) edit(m *jsonrpc.Message) lineEdit {
	return lineEdit{out: s, m: m, edits: len(s.edits)}
}

// id gives the message the id of a request upstream.
func (e *lineEdit) id(ex Exchange) {
	start := len(e.out.buf)
	e.out.buf = strconv.AppendUint(e.out.buf, uint64(ex), 10)
	e.since(e.m.ID, start)
}

// text puts text in the place of the value at s.
func (e *lineEdit) text(s jsonrpc.Span, text string) {
	start := len(e.out.buf)
	e.out.buf = append(e.out.buf, text...)
	e.since(s, start)
}

// value puts b in the place of the value at s, unless b is nil.
func (e *lineEdit) value(s jsonrpc.Span, b []byte) {
	if b != nil {
		start := len(e.out.buf)
		e.out.buf = append(e.out.buf, b...)
		e.since(s, start)
	}
}

// since puts what was appended to the buffer since start in the place of s.
func (e *lineEdit) since(s jsonrpc.Span, start int) {
	e.out.edits = append(e.out.edits, jsonrpc.Edit{Off: s.Off, Cut: s.Len(), Insert: e.out.literal(start)})
}

// frame ends the edits.
func (e *lineEdit) frame(ex Exchange) Frame {
	list := e.out.edits[e.edits:len(e.out.edits):len(e.out.edits)]
	slices.SortFunc(list, func(a, b jsonrpc.Edit) int { return a.Off - b.Off })
	return Frame{Exchange: ex, Msg: e.m, Edits: list}
}
