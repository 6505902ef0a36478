// Package jsonrpc frames and scans JSON-RPC 2.0 messages, one message a line, or
// one an event of an event stream.
//
// A [Reader] checks every byte of a line in one strict pass and hands out a
// [Message]: the byte spans of the envelope (id, method, params, result, error)
// and of those direct members of params and result that the reader was told to
// record. Nothing is decoded that nobody asked for; what is not touched leaves
// as it came. A bad line is a [LineError] with the id that could be recovered,
// not the end of the stream. An [EventReader] does the same for the data of
// server-sent events.
//
// To look inside a value, use [Message.Walk]. To send a message on with changes,
// list them as [Edit] values and write it with [Writer.Write] or
// [Message.AppendEdited].
//
// [Conn] makes calls and answers them over any byte stream, and [Pipe] is such a
// stream in memory.
package jsonrpc

// A Kind says which of the three JSON-RPC messages a line holds, or that it holds several.
type Kind uint8

// The kinds of message. The zero Kind is none of them.
const (
	KindRequest      Kind = 1 + iota // method and id
	KindNotification                 // method without id
	KindResponse                     // id, and a result or an error
	KindBatch                        // an array, only with [ReaderOptions.Batches]
)

// A Span is a range of byte offsets of a line: from Off up to, not including,
// End. Offset 0 is the first byte of the line (after a byte order mark). The
// zero Span is absent.
type Span struct{ Off, End int }

// IsZero reports whether s is absent.
func (s Span) IsZero() bool { return s == Span{} }

// Len returns the number of bytes of s.
func (s Span) Len() int { return s.End - s.Off }

// A Member is a recorded direct member of params or result. The zero Member is
// absent.
type Member struct {
	Name  Span // with its quotes
	Value Span
	Prev  int // end of the member before it; of the first one, the offset just after the opening brace, so that a cut from there leaves the comma behind
}

// IsZero reports whether the member is absent.
func (m Member) IsZero() bool { return m.Value.IsZero() }

// MaxMembers is the most names that [ReaderOptions.Members] can hold.
const MaxMembers = 64

// A Message is one scanned line.
//
// A message that a [Reader] returned is valid until the next Read, or, after
// [Message.Hold], until the matching [Message.Release]. Its methods may be
// called by several goroutines at once.
type Message struct {
	Kind   Kind
	ID     Span // raw token: an integer or a string; absent in a notification
	Method Span // string with its quotes
	Params Span // an object
	Result Span // any value
	Error  Span // an object
	Batch  Span // of a batch: the array. What its elements are was not looked at

	n        int        // length of the line
	flat     []byte     // the line, unless big is set
	big      *chunkList // the line of a big message
	recorded uint64     // a bit for each entry of members that is set
	members  []Member
}

// Len returns the length of the line in bytes, without its line ending.
func (m *Message) Len() int { return m.n }

// Byte returns the byte at offset i.
func (m *Message) Byte(i int) byte {
	if m.big == nil {
		return m.flat[i]
	}
	return m.big.at(i)
}

// First returns the first byte of s, which tells the type of a value: one of
// { [ " t f n - 0…9. It returns 0 if s is absent.
func (m *Message) First(s Span) byte {
	if s.IsZero() {
		return 0
	}
	return m.Byte(s.Off)
}

// Member returns the recorded member with the i-th name of
// [ReaderOptions.Members], of params in a request or notification, of result in
// a response.
func (m *Message) Member(i int) Member {
	if m.recorded>>uint(i)&1 == 0 {
		return Member{}
	}
	return m.members[i]
}

// Equal reports whether the raw bytes at s are b.
func (m *Message) Equal(s Span, b []byte) bool {
	if s.Len() != len(b) {
		return false
	}
	if m.big == nil {
		return string(m.flat[s.Off:s.End]) == string(b)
	}
	for s.Off < s.End {
		part := m.part(s)
		if string(part) != string(b[:len(part)]) {
			return false
		}
		s.Off += len(part)
		b = b[len(part):]
	}
	return true
}

// AppendSpan appends the raw bytes at s to dst.
func (m *Message) AppendSpan(dst []byte, s Span) []byte {
	for s.Off < s.End {
		part := m.part(s)
		dst = append(dst, part...)
		s.Off += len(part)
	}
	return dst
}

// Big reports whether the line lies in chunks of its own rather than in the
// buffer of the reader. A big message is held, not copied.
func (m *Message) Big() bool { return m.big != nil }

// seg returns the bytes from offset i on that lie in one piece. There is at
// least one.
func (m *Message) seg(i int) []byte {
	if m.big == nil {
		return m.flat[i:]
	}
	return m.big.seg(i)
}

// part returns the first bytes of s that lie in one piece: all of them, unless s
// crosses the edge of a chunk.
func (m *Message) part(s Span) []byte {
	b := m.seg(s.Off)
	if n := s.Len(); n < len(b) {
		b = b[:n]
	}
	return b
}
