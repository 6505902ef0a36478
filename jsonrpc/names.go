package jsonrpc

import "slices"

// An envelope is a member of the JSON-RPC envelope, or a set of them.
type envelope uint8

const (
	envVersion envelope = 1 << iota
	envID
	envMethod
	envParams
	envResult
	envError
	envOther // all other members
)

// beforeID are the members behind which an id still counts as the first one.
const beforeID = envVersion | envID | envMethod

// has reports whether s and e share a member.
func (s envelope) has(e envelope) bool { return s&e != 0 }

// maxEnvelopeName is the length of the longest name of the envelope.
const maxEnvelopeName = len("jsonrpc")

// envelopeOf returns the member with this name, quoted and without escapes.
func envelopeOf(name []byte) envelope {
	switch string(name) {
	case `"id"`:
		return envID
	case `"jsonrpc"`:
		return envVersion
	case `"method"`:
		return envMethod
	case `"params"`:
		return envParams
	case `"result"`:
		return envResult
	case `"error"`:
		return envError
	}
	return envOther
}

// names are the names of the members to record. They are found by a hash of the
// length and the first and last byte, so that most names cost no comparison.
type names struct {
	list  []string
	first [256]uint8        // hash → 1 + index of the first name with it
	next  [MaxMembers]uint8 // index → 1 + index of the next name with its hash
	max   int               // length of the longest raw name that can match
}

// rawBytesPerByte is the most bytes that an escaped name takes for one byte.
const rawBytesPerByte = 6

func newNames(list []string) names {
	if len(list) > MaxMembers {
		panic("jsonrpc: more than MaxMembers names")
	}
	n := names{list: slices.Clone(list), max: maxEnvelopeName * rawBytesPerByte}
	for i, name := range list {
		if name == "" {
			panic("jsonrpc: empty name in Members")
		}
		n.max = max(n.max, len(name)*rawBytesPerByte)
		h := hashName(len(name), name[0], name[len(name)-1])
		n.next[i] = n.first[h]
		n.first[h] = uint8(i + 1)
	}
	return n
}

func (n *names) any() bool { return len(n.list) > 0 }

func hashName(length int, first, last byte) uint8 { return uint8(length)<<4 + first + last<<2 }

// find returns 1 + the index of a name, quoted and without escapes, or 0.
func (n *names) find(name []byte) int {
	i := int(n.first[hashName(len(name)-len(`""`), name[1], name[len(name)-2])])
	for i > 0 && n.list[i-1] != string(name[1:len(name)-1]) {
		i = int(n.next[i-1])
	}
	return i
}

// stash keeps the bytes of a hot name that lie in this piece, up to the length of
// a name that can match.
func (s *scanner) stash(b []byte) {
	if s.nameAt >= 0 {
		b = b[s.nameAt:]
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
	if from := s.nameAt; from < 0 || s.escaped {
		name = s.oddName(s.b[:i])
	} else {
		name = s.b[from:i:i]
	}
	if s.depth == 1 {
		s.cur = envelopeOf(name)
		s.twice |= s.seen & s.cur
		s.seen |= s.cur
		return
	}
	if len(name) < len(`""`) {
		return
	}
	if s.rec = s.names.find(name); s.rec > 0 {
		s.record(Span{s.base + s.nameAt, s.base + i})
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
	name, ok := unescape(s.name)
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
				m.ID, s.idNum, s.idFlat = span, s.num, s.opens == 1 && s.fault == 0 && s.seen&^beforeID == 0
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
