package jsonrpc

// A state says what the scanner expects next. In the states from inString on a
// token is open.
type state uint8

const (
	atValue    state = iota // a value
	atElem                  // the first element of an array, or its end
	atName                  // the first name of an object, or its end
	atNextName              // a name after a comma
	atColon                 // the colon after a name
	atNext                  // a comma or the end of the container
	atEnd                   // nothing but white space
	inString
	inName
	inNumber
	inLiteral

	// After a fault; see forgive.
	inBadText
	inBadName
	inJunk
	inDeep
)

// A scanner checks one line in a single pass and writes what it finds to a
// message. It may be fed the line in pieces of any size; the outcome is the same.
//
// The members of the envelope stand at depth 1, those of params and result at
// depth 2. They are called hot: where depth <= hot, names are compared and the
// spans of values are noted. Everything else is checked and passed over.
type scanner struct {
	m        *Message
	maxDepth int
	lone     bool // lone surrogate escapes pass
	batches  bool // a line may be an array
	own      bool // the text may be written to
	names    names

	scanState
	obj  [maxDepthLimit + 1]bool // for each depth, whether it is an object
	name []byte                  // first part of a hot name that crosses pieces
	part [12]byte                // first bytes of an escape or character that crosses pieces
}

// scanState is what has to be cleared before each line.
type scanState struct {
	b        []byte // the piece
	base     int    // offset of its first byte
	halt     Fault  // why the scan stopped before the end of the piece
	stop     int    // where in it that is
	depth    int
	limit    int // of depth
	opens    int // how many containers were opened
	hot      int
	inHot    bool   // depth <= hot
	inObj    bool   // the container is an object
	began    [4]int // for each hot depth, where the value began
	nameAt   int    // where in the piece the last name began; below 0 if in an earlier one
	prev     int    // where the last member at depth 2 ended
	rec      int    // 1 + the recorded member whose value comes, or 0
	version  Span   // value of the member jsonrpc
	lit      string // literal that is open
	litAt    int    // how much of it was seen
	nPart    int
	state    state
	num      numState
	idNum    numState // of the id, if that is a number
	cur      envelope // member of the envelope whose value comes
	seen     envelope
	twice    envelope // members that stand twice
	twiceRec bool     // a recorded member stands twice
	escaped  bool     // the last string held a backslash
	nameLong bool     // the open name is too long to be one that is compared
	fault    Fault
	bad
	ids
}

// begin prepares for a line whose message is m.
func (s *scanner) begin(m *Message) {
	s.m = m
	s.scanState = scanState{limit: s.maxDepth}
	m.Kind, m.recorded = 0, 0
	m.ID, m.Method, m.Params, m.Result, m.Error, m.Batch = Span{}, Span{}, Span{}, Span{}, Span{}, Span{}
}

// feed scans the next piece of the line. After a fault it goes on as far as an id may
// be trusted.
func (s *scanner) feed(b []byte) {
	for !s.lost {
		n := s.scan(b)
		if s.halt == 0 {
			return
		}
		b = s.forgive(b, n)
	}
}

// scan checks the next piece of the line. It returns the number of bytes that
// were good: all of them, or halt is set.
func (s *scanner) scan(b []byte) int {
	s.b = b
	i, st := 0, s.state
	if st >= inString {
		if i = s.resume(); i < 0 {
			return s.leave(st)
		}
		st = s.state
	}
	for i < len(b) {
		if st != atValue && st != atNext {
			i, st = s.enter(i, st)
		}
		if i >= 0 && (st == atValue || st == atNext) {
			i, st = s.run(i, st)
		}
		if i < 0 {
			break
		}
		n := i
		if i = s.space(i); i == n && i < len(b) {
			s.fail(FaultSyntax, i)
			break
		}
	}
	return s.leave(st)
}

// space passes over white space. A carriage return is legal there, but a peer that
// takes it for a line ending would cut the line in two: where the text is ours it
// becomes a space.
func (s *scanner) space(i int) int {
	for ; i < len(s.b) && isSpace(s.b[i]); i++ {
		if s.b[i] == '\r' && s.own {
			s.b[i] = ' '
		}
	}
	return i
}

// incomplete is returned in place of an offset by what reached the end of the
// piece, or met a fault.
const incomplete = -1

// fail stops the scan by a fault at b[i].
func (s *scanner) fail(f Fault, i int) int {
	s.halt, s.stop = f, i
	return incomplete
}

// enter goes on from b[i], which is behind white space or at the start of the
// piece, to a state that run takes, unless b[i] is not expected.
func (s *scanner) enter(i int, st state) (int, state) {
	c := s.at(i)
	switch {
	case st == atElem && c == ']' || st == atName && c == '}':
		s.close()
		i++
		return i, s.ended(i)
	case st == atElem && !isSpace(c):
		return i, atValue
	case (st == atName || st == atNextName) && c == '"':
		if i = s.oddStr(s.beginName(i)); i < 0 {
			return i, inName
		}
		if s.inHot {
			s.endName(i)
		}
		if st = atColon; s.at(i) != ':' {
			return i, st
		}
		return i + 1, atValue
	case st == atColon && c == ':':
		return i + 1, atValue
	}
	return i, st
}

// run goes on from b[i] to a byte that it does not expect, which may be white
// space, or the end of the piece. The labels are states, each of which goes to
// the next by itself; st is atValue or atNext. What has to live across calls
// would be in memory anyway, so there are no other variables. Loops in place of
// the labels make the same steps and take 2 % more instructions.
func (s *scanner) run(i int, st state) (int, state) {
	c := s.at(i)
	if st == atNext {
		goto next
	}
value:
	if s.inHot {
		s.began[s.depth&3] = s.base + i
	}
	if c == '"' {
		if i = s.str(i + 1); i < 0 {
			if i = s.oddStr(^i); i < 0 {
				return i, inString
			}
		}
		goto ended
	}
	if c == '{' || c == '[' {
		if i = s.open(c == '{', i); i < 0 {
			return i, atValue
		}
		switch c = s.at(i); {
		case c == '"' && s.inObj:
			goto name
		case c == '}' || c == ']':
			goto closing
		case s.inObj:
			return i, atName
		case c > ' ':
			goto value
		}
		return i, atElem
	}
	if i, st = s.scalar(i, c); st != atNext {
		return i, st
	}
ended:
	if s.inHot {
		s.endHot(s.base + i)
	}
	c = s.at(i)
next:
	if c != ',' || s.depth == 0 {
		goto closing
	}
	i, c = s.after(i)
	if !s.inObj {
		goto value
	}
	if c != '"' {
		return i, atNextName
	}
name:
	if i = s.str(s.beginName(i)); i < 0 {
		if i = s.oddStr(^i); i < 0 {
			return i, inName
		}
	}
	if s.inHot {
		s.endName(i)
	}
	if s.at(i) != ':' {
		return i, atColon
	}
	i, c = s.after(i)
	goto value
closing:
	if s.depth > 0 && (c == '}' && s.inObj || c == ']' && !s.inObj) {
		i++
		s.close()
		goto ended
	}
	return i, s.behind()
}

// beginName notes that the name of a member begins at b[i], and returns where its text
// does.
func (s *scanner) beginName(i int) int {
	s.nameAt, s.escaped = i, false
	return i + 1
}

// behind is the state after a value.
func (s *scanner) behind() state {
	if s.depth == 0 {
		return atEnd
	}
	return atNext
}

// at returns b[i], or 0 at the end of b. It is expected nowhere.
func (s *scanner) at(i int) byte {
	if uint(i) < uint(len(s.b)) {
		return s.b[i]
	}
	return 0
}

// after returns the next byte that is expected and where it is: b[i+1], or the
// one after a space.
func (s *scanner) after(i int) (int, byte) {
	i++
	c := s.at(i)
	if c == ' ' {
		i++
		c = s.at(i)
	}
	return i, c
}

// ended notes the end of a value before b[i].
func (s *scanner) ended(i int) state {
	if s.inHot {
		s.endHot(s.base + i)
	}
	return s.behind()
}

// leave ends a piece: at its end, or where a fault is.
func (s *scanner) leave(st state) int {
	s.state = st
	if s.halt != 0 {
		return s.stop
	}
	if st == inName && s.inHot {
		s.stash(s.b)
	}
	s.base += len(s.b)
	s.nameAt -= len(s.b)
	return len(s.b)
}

// resume goes on with the token that is open.
func (s *scanner) resume() int {
	i := 0
	switch s.state {
	case inNumber:
		i = s.number(0)
	case inLiteral:
		i = s.literal(0)
	case inBadText, inBadName:
		i = s.badText(0)
	case inJunk:
		i = s.junk()
	case inDeep:
		i = s.deeper()
	default:
		if i = s.completePart(); i >= 0 {
			i = s.oddStr(i)
		}
	}
	switch {
	case i < 0:
	case s.state == inName || s.state == inBadName:
		s.state = atColon
		if s.inHot {
			s.endName(i)
		}
	case s.state >= inBadText:
		s.spoilID()
		s.state = s.behind()
	default:
		s.state = s.ended(i)
	}
	return i
}
