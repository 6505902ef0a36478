package jsonrpc

// An envelope is a member of the JSON-RPC envelope.
type envelope uint8

const (
	envOther envelope = iota
	envVersion
	envID
	envMethod
	envParams
	envResult
	envError
)

// An envelopeSet is a set of members of the envelope.
type envelopeSet uint8

func (e envelope) set() envelopeSet { return 1 << (e & 7) >> 1 }

func (s envelopeSet) has(e envelope) bool { return s&e.set() != 0 }

// maxEnvelopeName is the length of the longest name of the envelope.
const maxEnvelopeName = len("jsonrpc")

// envelopeOf returns the member with this name, unescaped.
func envelopeOf(name []byte) envelope {
	switch len(name) {
	case 2:
		if string(name) == "id" {
			return envID
		}
	case 5:
		if string(name) == "error" {
			return envError
		}
	case 6:
		switch string(name) {
		case "method":
			return envMethod
		case "params":
			return envParams
		case "result":
			return envResult
		}
	case 7:
		if string(name) == "jsonrpc" {
			return envVersion
		}
	}
	return envOther
}

// names are the names of the members to record. They are found by a hash of the
// length and the first and last byte, so that most names cost no comparison.
type names struct {
	list  []string
	taken uint64            // a bit for each hash that a name has
	first [64]uint8         // hash → 1 + index of the first name with it
	next  [MaxMembers]uint8 // index → 1 + index of the next name with its hash
	max   int               // length of the longest raw name that can match
}

// rawBytesPerByte is the most bytes that an escaped name takes for one byte.
const rawBytesPerByte = 6

func newNames(list []string) names {
	if len(list) > MaxMembers {
		panic("jsonrpc: more than MaxMembers names")
	}
	n := names{list: list, max: maxEnvelopeName * rawBytesPerByte}
	for i, name := range list {
		if name == "" {
			panic("jsonrpc: empty name in Members")
		}
		n.max = max(n.max, len(name)*rawBytesPerByte)
		h := hashName([]byte(name))
		n.next[i] = n.first[h]
		n.first[h] = uint8(i + 1)
		n.taken |= 1 << h
	}
	return n
}

func (n *names) any() bool { return len(n.list) > 0 }

func hashName(name []byte) uint {
	return (uint(len(name)) + uint(name[0])*3 + uint(name[len(name)-1])*11) & 63
}

// find returns 1 + the index of a name whose hash is h, unescaped, or 0.
func (n *names) find(name []byte, h uint) int {
	i := int(n.first[h])
	for i > 0 && n.list[i-1] != string(name) {
		i = int(n.next[i-1])
	}
	return i
}

// stash keeps the bytes of a hot name that lie in this piece, up to the length of
// a name that can match.
func (s *scanner) stash(b []byte) {
	if from := s.nameAt - s.base; from >= 0 {
		b = b[from:]
		s.name = s.name[:0]
		s.nameLong = false
	}
	if len(s.name)+len(b) > s.names.max+len(`""`) {
		s.nameLong = true
		return
	}
	s.name = append(s.name, b...)
}

// endName compares a hot name that ends before b[i].
func (s *scanner) endName(i int) {
	var name []byte
	if from := s.nameAt - s.base; from < 0 || s.escaped {
		name = s.oddName(s.b[:i])
	} else {
		name = s.b[from+1 : i-1 : i-1]
	}
	if s.depth == 1 {
		s.cur = envelopeOf(name)
		bit := s.cur.set()
		s.twice |= s.seen & bit
		s.seen |= bit
		return
	}
	if len(name) == 0 {
		return
	}
	if h := hashName(name); s.names.taken>>h&1 != 0 {
		if s.rec = s.names.find(name, h); s.rec > 0 {
			s.record(Span{s.nameAt, s.base + i})
		}
	}
}

// oddName returns the value of a name that crossed pieces or holds escapes, whose
// last bytes are b. It is empty if the name is too long to be one that is
// compared.
func (s *scanner) oddName(b []byte) []byte {
	s.stash(b)
	if s.nameLong {
		return nil
	}
	name, ok := unescape(s.name[1 : len(s.name)-1])
	if !ok {
		return nil
	}
	return name
}

// record notes the name of a member to record.
func (s *scanner) record(name Span) {
	m := s.m
	bit := uint64(1) << uint(s.rec-1)
	s.twiceRec = s.twiceRec || m.recorded&bit != 0
	m.recorded |= bit
	m.members[s.rec-1] = Member{Name: name, Prev: s.prev}
}

// endHot notes the span of a hot value that ends at offset end.
func (s *scanner) endHot(end int) {
	switch s.depth {
	case 1:
		span := Span{s.began[1], end}
		switch m := s.m; s.cur {
		case envVersion:
			s.version = span
		case envID:
			if s.twice.has(envID) {
				s.moreIDs = !s.again.IsZero()
				s.again = span
			} else {
				m.ID, s.idNum, s.idFlat = span, s.num, s.opens == 1 && s.fault == 0 && !s.seen.has(envParams)
			}
		case envMethod:
			m.Method = span
		case envParams:
			m.Params = span
		case envResult:
			m.Result = span
		case envError:
			m.Error = span
		}
	case 2:
		if s.rec > 0 {
			s.m.members[s.rec-1].Value = Span{s.began[2], end}
			s.rec = 0
		}
		s.prev = end
	}
}
