package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// An envelope writes a message anew around members that stay as they came. What
// stands before, between and after them is appended to the buffer of the steps, so
// a large member is never copied.
type envelope struct {
	out   *Steps
	m     *jsonrpc.Message
	edits int  // where its edits begin
	from  int  // the line is dealt with up to here
	start int  // where in the buffer the next insert begins
	kept  bool // a member
}

// envelop begins an envelope for m. The caller appends what comes first.
func (s *Steps) envelop(m *jsonrpc.Message) envelope {
	return envelope{out: s, m: m, edits: len(s.edits), start: len(s.buf)}
}

// keep lets a member stay. They are kept in the order in which they stand in the
// line.
func (e *envelope) keep(v jsonrpc.Member) {
	s := e.out
	if e.kept {
		s.buf = append(s.buf, ',')
	}
	s.edits = append(s.edits, jsonrpc.Edit{Off: e.from, Cut: v.Name.Off - e.from, Insert: s.literal(e.start)})
	e.from, e.start, e.kept = v.Value.End, len(s.buf), true
}

// replace puts what was appended to the buffer since start in the place of the
// value of the member that was kept last.
func (e *envelope) replace(v jsonrpc.Span, start int) {
	s := e.out
	s.edits = append(s.edits, jsonrpc.Edit{Off: v.Off, Cut: v.Len(), Insert: s.literal(start)})
	e.start = len(s.buf)
}

// frame ends the envelope. The caller has appended what comes last.
func (e *envelope) frame(ex Exchange) Frame {
	s := e.out
	last := s.literal(e.start)
	if !e.kept {
		return Frame{Exchange: ex, Lit: last}
	}
	s.edits = append(s.edits, jsonrpc.Edit{Off: e.from, Cut: e.m.Len() - e.from, Insert: last})
	return Frame{Exchange: ex, Msg: e.m, Edits: s.edits[e.edits:len(s.edits):len(s.edits)]}
}
