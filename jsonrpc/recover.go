package jsonrpc

import "bytes"

// maxID bounds the id that is kept of a bad line.
const maxID = 4096

// bad is what a scanner knows of a line that has a fault.
type bad struct {
	lost     bool // nothing that follows can be trusted
	over     int  // how many bytes of the next piece are escaped
	deep     int  // brackets open that are deeper than any line may be
	deepText bool // in a string there
}

// ids are the ids of the envelope. The span of the first one is in the message.
type ids struct {
	idFlat  bool   // the first one stands before any bracket but the first, any fault, and all members but those of beforeID
	again   Span   // value of the second one
	moreIDs bool   // there is a third one
	id      []byte // copy of the first one of a bad line
	idAgain []byte // copy of the second one
}

// forgive goes on behind a fault at b[n] and returns what is left to scan. An id that
// stands behind brackets counts only if the scan reaches the end of the envelope, so
// nothing is forgiven that may shift a bracket or a quote: that is bad text in a
// string, a token that is no value, a control character between tokens, a comma too
// many, and depth. An id that is nested in the line must never be taken for the one of
// the envelope; that is worse than no id.
func (s *scanner) forgive(b []byte, n int) []byte {
	halt, c := s.halt, byte(0)
	if s.halt = 0; s.fault == 0 {
		s.fault = halt
	}
	if n < len(b) {
		c = b[n]
	}
	if s.state == atNext {
		s.spoilID()
	}
	switch {
	case s.depth == 0:
		s.lost = true
	case halt == FaultTooDeep:
		if s.limit == maxDepthLimit {
			s.state = inDeep
		}
		s.limit = maxDepthLimit
	case s.state == inString || s.state == inName:
		return s.forgiveText(b, n)
	case c == '}' && s.state == atNextName:
		s.state = atName
	case c == ']' && s.state == atValue && !s.inObj:
		s.state = atElem
	case c == ',' && s.wantsItem(), c < ' ' && s.state < inString:
		n++
	case s.state == inNumber || s.state == inLiteral,
		junkEnd[c] == 0 && (s.state == atValue || s.state == atElem || s.state == atNext):
		s.state = inJunk
	default:
		s.lost = true
	}
	s.base += n
	return b[n:]
}

// wantsItem reports whether a member or an element comes next.
func (s *scanner) wantsItem() bool {
	return s.state == atName || s.state == atNextName || s.state == atElem || s.state == atValue && !s.inObj
}

// forgiveText passes over the rest of a string: from the bad text on, which may have
// begun in an earlier piece, only its end is looked for.
func (s *scanner) forgiveText(b []byte, n int) []byte {
	if s.state == inString {
		s.state = inBadText
	} else {
		s.state = inBadName
		s.nameAt, s.nameLong = -1, true // it is none that is compared
	}
	part := s.part
	if k := s.nPart; k > 0 {
		s.nPart = 0
		s.base += n - k
		s.feed(part[:k])
	} else {
		s.base += n
	}
	return b[n:]
}

// spoilID drops an id whose value is bad, or has something behind it: 1x is not the
// id 1.
func (s *scanner) spoilID() {
	switch {
	case s.depth > 1 || s.cur != envID:
	case s.twice.has(envID):
		s.moreIDs = true
	default:
		s.m.ID, s.id = Span{}, nil
	}
}

// badText passes over text of a string from b[i] on, to its end or the end of the
// piece.
func (s *scanner) badText(i int) int {
	if s.over > len(s.b) {
		return incomplete
	}
	i += s.over
	n, done := skipQuoted(s.b[i:])
	i += n
	if s.over = max(i-len(s.b), 0); done {
		return i
	}
	return incomplete
}

// junkEnd has the bytes that end a token which is no value: 1 those that may stand
// behind a value, 2 those that may not.
var junkEnd = [256]uint8{',': 1, '}': 1, ']': 1, '"': 2, '\\': 2, ':': 2, '{': 2, '[': 2}

// junk passes over a token that is no value.
func (s *scanner) junk() int {
	for i, c := range s.b {
		switch junkEnd[c] {
		case 1:
			return i
		case 2:
			return s.fail(FaultSyntax, i)
		}
	}
	return incomplete
}

// deeper passes over a container that is deeper than any line may be: its brackets
// are counted only.
func (s *scanner) deeper() int {
	i := 0
	for i < len(s.b) || s.deepText {
		var c int8 = 2
		if !s.deepText {
			c = brackets[s.b[i]]
			i++
		}
		if c == 2 {
			i = s.badText(i)
			if s.deepText = i < 0; s.deepText {
				return incomplete
			}
		} else if s.deep += int(c); s.deep == 0 {
			return i
		}
	}
	return incomplete
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

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

// isToken reports whether a value is a string or a number.
func isToken(value []byte) bool {
	return len(value) > 0 && (value[0] == '"' || value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

// trusted reports whether the first id is the one of the envelope: the envelope was
// scanned to its end, or no bracket was open that may have been shifted, and another
// member follows, so that the id itself is whole.
func (s *scanner) trusted() bool {
	if !s.lost && s.depth == 0 && s.state == atEnd {
		return true
	}
	return s.idFlat && s.began[1] > s.m.ID.Off
}

// lineError returns the error for the line, whose fault is f.
func (s *scanner) lineError(f Fault) *LineError {
	id := s.id
	if !isToken(id) || !s.trusted() || s.twice.has(envID) && (s.moreIDs || !bytes.Equal(id, s.idAgain)) {
		id = nil
	}
	return &LineError{
		Fault:    f,
		ID:       id,
		LegalID:  id != nil && (id[0] == '"' || isInteger(id)),
		Method:   s.seen.has(envMethod),
		Response: !s.seen.has(envMethod) && (s.seen.has(envResult) || s.seen.has(envError)),
	}
}
