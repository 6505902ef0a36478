package jsonrpc

import (
	"encoding/binary"
	"math/bits"
)

// The functions here pass over text that the scan found good, so they look for
// ends only.

// skipValue returns the end of the value at offset i.
func (m *Message) skipValue(i int) int {
	switch m.Byte(i) {
	case '"':
		return m.skipString(i + 1)
	case '{', '[':
		return m.skipOut(i + 1)
	}
	for i < m.n {
		b := m.seg(i)
		for k, c := range b {
			if c <= ' ' || c == ',' || c == '}' || c == ']' {
				return i + k
			}
		}
		i += len(b)
	}
	return m.n
}

// skipString returns the end of the string whose opening quote is before offset
// i.
func (m *Message) skipString(i int) int {
	for i < m.n {
		n, done := skipQuoted(m.seg(i))
		if i += n; done {
			return i
		}
	}
	return m.n
}

// skipQuoted returns how many bytes of b belong to a string that is open, and
// whether it ends there. If not, that may be one more than b has: one that is
// escaped.
func skipQuoted(b []byte) (int, bool) {
	i := 0
	for i < len(b) {
		if i = findQuoted(b, i); uint(i) >= uint(len(b)) {
			return i, false
		}
		if b[i] == '"' {
			return i + 1, true
		}
		i += 2
	}
	return i, false
}

// findQuoted returns the offset of the first quote or backslash from i on.
func findQuoted(b []byte, i int) int {
	for i >= 0 && i <= len(b)-8 {
		x := binary.LittleEndian.Uint64(b[i:])
		q, e := x^lowBits*'"', x^lowBits*'\\'
		if m := ((q-lowBits)&^q | (e-lowBits)&^e) & highBits; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// brackets are the bytes that matter outside a string.
var brackets = [256]int8{'{': 1, '[': 1, '}': -1, ']': -1, '"': 2}

// skipOut returns the end of the container that offset i is in. i is outside a
// string.
func (m *Message) skipOut(i int) int {
	depth := 1
	for i < m.n {
		b := m.seg(i)
		k := 0
		for k < len(b) {
			c := brackets[b[k]]
			if k++; c == 0 {
				continue
			}
			if c == 2 {
				n, done := skipQuoted(b[k:])
				if k += n; !done {
					k = m.skipString(i+k) - i
				}
				continue
			}
			if depth += int(c); depth == 0 {
				return i + k
			}
		}
		i += k
	}
	return m.n
}
