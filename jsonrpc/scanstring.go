package jsonrpc

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// special has the high bit of each byte of x set that a string cannot simply
// hold: quote, backslash, control characters, and bytes from 0x80 on. Bytes after
// the first such one may be marked in error.
//
// Exclusive or with 2 moves the quote next to the control characters, so that
// one subtraction finds both.
func special(x uint64) uint64 { return marks(x) & highBits }

// marks is special with other bits set too.
func marks(x uint64) uint64 {
	return ((x ^ lowBits*0x02) - lowBits*0x21) | ((x ^ lowBits*'\\') - lowBits) | x
}

// short is how far a string is scanned before it counts as long.
const short = 64

// str scans a string from b[i], which is behind its opening quote. If there is
// something else than a few plain characters, it returns the complement of where
// oddStr goes on. Most strings are short, so the loop is kept tight, and nothing is
// called from here.
func (s *scanner) str(i int) int {
	b := s.b
	for end := i + short; i < end && i >= 0 && i <= len(b)-8; i += 8 {
		m := special(binary.LittleEndian.Uint64(b[i:]))
		if m == 0 {
			continue
		}
		if i += bits.TrailingZeros64(m) >> 3; uint(i) < uint(len(b)) && b[i] == '"' {
			return i + 1
		}
		break
	}
	return ^i
}

// oddStr is str for long strings, and from where something else than plain text
// may stand.
func (s *scanner) oddStr(i int) int {
	n := 0
	for b := s.b; ; i += n {
		if uint(i) < uint(len(b)) && b[i] != '"' && b[i] < utf8.RuneSelf {
			i = s.skipSimple(i)
		}
		if uint(i) >= uint(len(b)) {
			return incomplete
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\' && uint(i+1) < uint(len(b)) && simpleEscape[b[i+1]] != 0:
			s.escaped = true
			n = 2
		case c >= utf8.RuneSelf:
			n = runes(b[i:])
		default:
			n = s.unit(b[i:])
		}
		if n <= 0 {
			return s.carry(i, n)
		}
	}
}

// skipSimple passes over bytes that a string can hold as they are and over escapes
// of one character. It returns the offset of the first byte that is neither, and
// may stop before one that begins such an escape.
func (s *scanner) skipSimple(i int) int {
	b := s.b
	for run := i; i >= 0 && i <= len(b)-9; {
		m := special(binary.LittleEndian.Uint64(b[i:]))
		if m == 0 {
			if i += 8; i-run >= short {
				i = skipBlocks(b, i)
				run = i
			}
			continue
		}
		if i += bits.TrailingZeros64(m) >> 3; b[i] != '\\' || simpleEscape[b[i+1]] == 0 {
			return i
		}
		s.escaped = true
		i += 2
		run = i
	}
	for uint(i) < uint(len(b)) && plain(b[i]) {
		i++
	}
	return i
}

// skipBlocks passes over blocks of 32 plain bytes.
func skipBlocks(b []byte, i int) int {
	for i >= 0 && i <= len(b)-32 {
		m := marks(binary.LittleEndian.Uint64(b[i:])) | marks(binary.LittleEndian.Uint64(b[i+8:])) |
			marks(binary.LittleEndian.Uint64(b[i+16:])) | marks(binary.LittleEndian.Uint64(b[i+24:]))
		if m&highBits != 0 {
			break
		}
		i += 32
	}
	return i
}

// plain reports whether a string can hold c as it is, by itself.
func plain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' && c < 0x80 }

// carry keeps the first bytes of an escape or character for the next piece, or
// notes the fault.
func (s *scanner) carry(i, n int) int {
	if n < 0 {
		return s.fail(FaultSyntax, i)
	}
	s.nPart = copy(s.part[:], s.b[i:])
	return incomplete
}

// completePart goes on with the escape or character that the last piece began.
func (s *scanner) completePart() int {
	if s.nPart == 0 {
		return 0
	}
	for i, c := range s.b {
		s.part[s.nPart] = c
		s.nPart++
		switch n := s.unit(s.part[:s.nPart]); {
		case n > 0:
			s.nPart = 0
			return i + 1
		case n < 0:
			return s.fail(FaultSyntax, i+1)
		}
	}
	return incomplete
}

// unit returns the length of the escape or of the character from 0x80 on that b
// begins with: 0 if b is too short to tell, -1 if it is bad.
func (s *scanner) unit(b []byte) int {
	if b[0] == '\\' {
		s.escaped = true
		return escape(b, s.lone)
	}
	if b[0] < 0x80 {
		return -1
	}
	if _, n := utf8.DecodeRune(b); n > 1 {
		return n
	}
	if utf8.FullRune(b) {
		return -1
	}
	return 0
}

// escape is unit for escapes. Escapes of a surrogate pair are one unit, unless
// lone ones pass.
func escape(b []byte, lone bool) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] != 'u' {
		if simpleEscape[b[1]] == 0 {
			return -1
		}
		return 2
	}
	r, n := hex4(b)
	if n <= 0 || lone || r < surrogateMin || r > surrogateMax {
		return n
	}
	if r >= surrogateLow {
		return -1
	}
	return lowHalf(b[6:])
}

// lowHalf returns the length of a pair whose second half is b.
func lowHalf(b []byte) int {
	if len(b) > 0 && b[0] != '\\' || len(b) > 1 && b[1] != 'u' {
		return -1
	}
	if len(b) < 2 {
		return 0
	}
	switch r, n := hex4(b); {
	case n <= 0:
		return n
	case r < surrogateLow || r > surrogateMax:
		return -1
	}
	return 12
}

const (
	surrogateMin = 0xD800
	surrogateLow = 0xDC00
	surrogateMax = 0xDFFF
)

// hex4 returns the value and length of an escape with four hex digits: length 0
// if b is too short to tell, -1 if it is bad.
func hex4(b []byte) (rune, int) {
	var r rune
	for i := 2; i < 6; i++ {
		if i >= len(b) {
			return 0, 0
		}
		c := b[i]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, -1
		}
		r = r<<4 | rune(c)
	}
	return r, 6
}

// simpleEscape has the character that a backslash and a byte stand for, or 0.
var simpleEscape = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
