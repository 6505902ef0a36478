package jsonrpc

import "bytes"

// maxID bounds the id that is kept of a bad line.
const maxID = 4096

// A recovery looks for the id in what follows a fault. It counts brackets and
// strings only, in constant memory, so that a nested id is not taken for the one
// of the envelope.
//
// The fault may be a stray quote, after which all quotes have the wrong sense.
// So there are two readings; the second one turns the sense around. It counts
// only if the first one cannot be right, and it closes the envelope itself.
type recovery struct{ plain, turned tracker }

// lose starts the recovery at a fault n bytes into the piece.
func (s *scanner) lose(n int) {
	if s.m.ID.End == s.base+n {
		s.m.ID = Span{} // 1x is not the id 1
	}
	if s.depth == 0 || !s.obj[1] {
		return
	}
	t := tracker{depth: s.depth, inString: s.state == inString || s.state == inName}
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
	inString bool
	escaped  bool // the last byte was a backslash in a string
	phase    trackPhase
	cur      envelope
	seen     envelopeSet
	twice    bool   // the id stands twice
	lost     bool   // the reading cannot be right
	token    []byte // open name or id
	id       []byte
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
		t.depth++
		t.keep(c) // makes an open id a bad one
	case '}', ']':
		if t.depth == 1 {
			t.endValue()
		}
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
	if t.cur == envID && t.seen.has(envID) {
		t.twice = true
	}
	t.seen |= t.cur.set()
}

func (t *tracker) endValue() {
	if t.phase == idOpen {
		t.id = bytes.Clone(bytes.Trim(t.token, " \t\r\n"))
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
	s := scanner{scanState: scanState{rec: -1}}
	s.scan(b)
	return s.fault == 0 && (s.state == atEnd || s.state == inNumber && s.num.complete())
}

// saveID copies the id of a line that may turn out to be bad, if it lies in the
// window b, whose first byte has offset off.
func (s *scanner) saveID(b []byte, off int) {
	id := s.m.ID
	if s.id != nil || id.IsZero() || id.Len() > maxID || id.Off < off || id.End > off+len(b) {
		return
	}
	s.id = bytes.Clone(b[id.Off-off : id.End-off])
}

// saveOwnID is saveID for text that the message holds.
func (s *scanner) saveOwnID() {
	if id := s.m.ID; id.Len() > 0 && id.Len() <= maxID && id.End <= s.m.n {
		s.id = s.m.AppendSpan(nil, id)
	}
}

// lineError returns the error for the line, whose fault is f.
func (s *scanner) lineError(f Fault) *LineError {
	e := &LineError{Fault: f, ID: s.id}
	seen := s.seen
	if s.lost != nil {
		if t := s.lost.found(); t != nil {
			seen |= t.seen
			if s.id == nil && !s.seen.has(envID) && !t.twice {
				e.ID = t.id
			}
		}
	}
	if s.twice.has(envID) || !validToken(e.ID) {
		e.ID = nil
	}
	e.LegalID = e.ID != nil && (e.ID[0] == '"' || isInteger(e.ID))
	e.Response = !seen.has(envMethod) && (seen.has(envResult) || seen.has(envError))
	return e
}
