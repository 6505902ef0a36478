package jsonrpc

// An Edit replaces Cut bytes at offset Off of a line by Insert, which must not hold
// a line feed or a carriage return. Edits of one line are sorted by Off and do not
// overlap; several inserts may stand at one offset, in order. The edited line is not
// scanned again: that it is a message is up to the caller.
type Edit struct {
	Off, Cut int
	Insert   []byte
}

// AppendEdited appends the line to dst with the edits applied, without a line
// ending.
func (m *Message) AppendEdited(dst []byte, edits []Edit) []byte {
	off := 0
	for _, e := range edits {
		dst = m.AppendSpan(dst, Span{off, e.Off})
		dst = append(dst, e.Insert...)
		off = e.Off + e.Cut
	}
	return m.AppendSpan(dst, Span{off, m.n})
}

// AppendSlices appends to dst the slices that make up the line with the edits
// applied, without a line ending and without copying it. The slices are valid as
// long as the message is, and as the inserts of edits are.
func (m *Message) AppendSlices(dst [][]byte, edits []Edit) [][]byte {
	off := 0
	for _, e := range edits {
		dst = m.appendParts(dst, Span{off, e.Off})
		if len(e.Insert) > 0 {
			dst = append(dst, e.Insert)
		}
		off = e.Off + e.Cut
	}
	return m.appendParts(dst, Span{off, m.n})
}

func (m *Message) appendParts(dst [][]byte, s Span) [][]byte {
	for s.Off < s.End {
		part := m.part(s)
		dst = append(dst, part)
		s.Off += len(part)
	}
	return dst
}
