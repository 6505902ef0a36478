package jsonrpc

import "bytes"

// maxID bounds the id that is kept of a bad line.
const maxID = 4096

// A recovery looks for the id in what follows a fault. It follows brackets and
// strings only, in constant memory, so that a nested id is not taken for the one
// of the envelope. An id counts only if the envelope ends well.
//
// The fault may be a stray quote, after which all quotes have the wrong sense.
// So there are two readings; the second one turns the sense around. It counts
// only if the first one cannot be right, and it closes the envelope itself.
type recovery struct{ plain, turned tracker }

// lose starts the recovery at a fault n bytes into the piece.
func (s *scanner) lose(n int) {
	if at := s.base + n; s.m.ID.End == at { // 1x is not the id 1
		s.m.ID, s.id = Span{}, nil
	} else if s.again.End == at {
		s.again, s.idAgain = Span{}, nil
	}
	if s.depth == 0 || !s.obj[1] {
		return
	}
	t := tracker{depth: s.depth, obj: s.obj, inString: s.state == inString || s.state == inName}
	turned := t
	turned.inString = !t.inString
	if s.depth == 1 && (s.state == atName || s.state == atNextName) {
		t.phase = wantName
	}
	s.lost = &recovery{t, turned}
	s.lost.feed(s.part[:s.nPart])
}

func (r *recovery) feed(b []byte) {
	for _, c := range b {
		r.plain.step(c)
		r.turned.step(c)
	}
}

// found returns the reading that holds, or nil.
func (r *recovery) found() *tracker {
	switch {
	case !r.plain.lost && !r.plain.inString:
		return &r.plain
	case !r.turned.lost && !r.turned.inString && r.turned.depth == 0:
		return &r.turned
	}
	return nil
}

// A trackPhase says where in the members of the envelope a tracker is.
type trackPhase uint8

const (
	passing  trackPhase = iota // over a value, up to the next comma
	wantName                   // before a name
	nameOpen                   // in a name
	wantColon
	idOpen // in the value of id
)

// A tracker is one reading of what follows a fault.
type tracker struct {
	depth    int
	obj      [maxDepthLimit + 1]bool // for each depth, whether it is an object
	inString bool
	escaped  bool // the last byte was a backslash in a string
	phase    trackPhase
	cur      envelope
	seen     envelopeSet
	lost     bool   // the reading cannot be right
	token    []byte // open name or id
	ids      int    // how many ids there are
	same     int    // how many of them ended and are like the first one
	id       []byte // the first one
}

func (t *tracker) step(c byte) {
	switch {
	case t.lost:
	case t.depth == 0:
		t.lost = !isSpace(c)
	case t.inString:
		t.inText(c)
	default:
		t.between(c)
	}
}

// inText takes a byte of a string.
func (t *tracker) inText(c byte) {
	t.keep(c)
	switch {
	case t.escaped:
		t.escaped = false
	case c == '\\':
		t.escaped = true
	case c == '"':
		t.inString = false
		if t.phase == nameOpen {
			t.endName()
		}
	}
}

// between takes a byte outside a string.
func (t *tracker) between(c byte) {
	switch c {
	case '"':
		t.inString = true
		if t.phase == wantName && t.depth == 1 {
			t.phase, t.token = nameOpen, t.token[:0]
		}
		t.keep(c)
	case '{', '[':
		if t.depth++; t.depth < len(t.obj) {
			t.obj[t.depth] = c == '{'
		}
		t.keep(c) // makes an open id a bad one
	case '}', ']':
		if t.depth == 1 {
			t.endValue()
		}
		// Deeper than any line may be, brackets are counted only.
		t.lost = t.depth < len(t.obj) && t.obj[t.depth] != (c == '}')
		t.depth--
	case ',':
		if t.depth == 1 {
			t.endValue()
			t.phase = wantName
		}
	case ':':
		if t.depth == 1 && t.phase == wantColon {
			t.phase, t.token = passing, t.token[:0]
			if t.cur == envID {
				t.phase = idOpen
			}
		}
	case '\\':
		t.lost = true
	default:
		t.keep(c)
	}
}

// keep keeps a byte of an open name or id. One byte more than an id may have
// marks it as too long.
func (t *tracker) keep(c byte) {
	if (t.phase == nameOpen || t.phase == idOpen) && len(t.token) <= maxID {
		t.token = append(t.token, c)
	}
}

func (t *tracker) endName() {
	t.phase, t.cur = wantColon, envOther
	if !validString(t.token) {
		return
	}
	if name, ok := unescape(t.token[1 : len(t.token)-1]); ok {
		t.cur = envelopeOf(name)
	}
	if t.cur == envID {
		t.ids++
	}
	t.seen |= t.cur.set()
}

func (t *tracker) endValue() {
	if t.phase == idOpen {
		id := bytes.Trim(t.token, " \t\r\n")
		if t.ids == 1 {
			t.id = bytes.Clone(id)
		}
		if bytes.Equal(id, t.id) {
			t.same++
		}
	}
	t.phase = passing
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// validString reports whether b is a JSON string, and nothing else.
func validString(b []byte) bool {
	return len(b) > 0 && b[0] == '"' && validToken(b)
}

// validToken reports whether b is a JSON string or number, and nothing else.
func validToken(b []byte) bool {
	if len(b) == 0 || len(b) > maxID || b[0] != '"' && b[0] != '-' && (b[0] < '0' || b[0] > '9') {
		return false
	}
	var s scanner
	s.scan(b)
	return s.fault == 0 && (s.state == atEnd || s.state == inNumber && s.num.complete())
}

// saveIDs copies the ids of a line that may turn out to be bad, if they lie in the
// window b, whose first byte has offset off.
func (s *scanner) saveIDs(b []byte, off int) {
	s.id = savedID(s.id, s.m.ID, b, off)
	s.idAgain = savedID(s.idAgain, s.again, b, off)
}

func savedID(saved []byte, id Span, b []byte, off int) []byte {
	if saved != nil || id.IsZero() || id.Len() > maxID || id.Off < off || id.End > off+len(b) {
		return saved
	}
	return bytes.Clone(b[id.Off-off : id.End-off])
}

// saveOwnIDs is saveIDs for text that the message holds.
func (s *scanner) saveOwnIDs() {
	s.id = s.m.ownID(s.m.ID)
	s.idAgain = s.m.ownID(s.again)
}

func (m *Message) ownID(id Span) []byte {
	if id.Len() > maxID || id.End > m.n {
		return nil
	}
	return m.AppendSpan(nil, id)
}

// lineError returns the error for the line, whose fault is f.
func (s *scanner) lineError(f Fault) *LineError {
	seen, id := s.seen, s.id
	if s.twice.has(envID) && (s.moreIDs || !bytes.Equal(id, s.idAgain)) {
		id = nil
	}
	if s.lost != nil {
		if t := s.lost.found(); t != nil {
			id = t.merge(id, s.seen.has(envID))
			seen |= t.seen
		}
	}
	if !validToken(id) {
		id = nil
	}
	return &LineError{
		Fault:    f,
		ID:       id,
		LegalID:  id != nil && (id[0] == '"' || isInteger(id)),
		Method:   seen.has(envMethod),
		Response: !seen.has(envMethod) && (seen.has(envResult) || seen.has(envError)),
	}
}

// merge returns the id of the line: the one before the fault, if there is one, and
// those after it must be the same token.
func (t *tracker) merge(before []byte, has bool) []byte {
	switch {
	case t.ids == 0:
		return before
	case t.same < t.ids, t.depth > 0 && !has, has && !bytes.Equal(before, t.id):
		return nil
	}
	return t.id
}
