package jsonrpc

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Is reports whether s is a JSON string with the value text, compared after
// unescaping.
func (m *Message) Is(s Span, text string) bool {
	if s.Len() < 2 {
		return false
	}
	if part := m.part(s); len(part) == s.Len() {
		return isString(part, text)
	}
	if s.Len()-2 > len(text)*rawBytesPerByte {
		return false
	}
	return isString(m.AppendSpan(nil, s), text)
}

// isString is Is for raw bytes in one piece.
func isString(raw []byte, text string) bool {
	if raw[0] != '"' {
		return false
	}
	raw = raw[1 : len(raw)-1]
	if len(raw) == len(text) {
		return string(raw) == text && bytes.IndexByte(raw, '\\') < 0
	}
	if len(raw) < len(text) || len(raw) > len(text)*rawBytesPerByte || bytes.IndexByte(raw, '\\') < 0 {
		return false
	}
	var buf [128]byte
	value, ok := unescape(append(buf[:0], raw...))
	return ok && string(value) == text
}

// Int returns the integer at s. It reports false for any other value, for a
// fraction, an exponent, or an integer that does not fit.
func (m *Message) Int(s Span) (int64, bool) {
	const maxLen = len("-9223372036854775808")
	if s.IsZero() || s.Len() > maxLen {
		return 0, false
	}
	var buf [maxLen]byte
	n, err := strconv.ParseInt(string(m.AppendSpan(buf[:0], s)), 10, 64)
	return n, err == nil
}

// String returns the value of the JSON string at s. It reports false if s is
// not a string, or holds a lone surrogate escape.
func (m *Message) String(s Span) (string, bool) {
	if m.First(s) != '"' {
		return "", false
	}
	var buf [64]byte
	value, ok := m.AppendString(buf[:0], s)
	return string(value), ok
}

// AppendString appends the value of the JSON string at s to dst, unescaped. It
// reports false, and appends nothing, where [Message.String] does.
func (m *Message) AppendString(dst []byte, s Span) ([]byte, bool) {
	if m.First(s) != '"' {
		return dst, false
	}
	n := len(dst)
	dst = m.AppendSpan(dst, Span{s.Off + 1, s.End - 1})
	value, ok := unescape(dst[n:])
	if !ok {
		return dst[:n], false
	}
	return dst[:n+len(value)], true
}

// unescape replaces the escapes of a string that was scanned, in place. It
// reports false if there is a lone surrogate.
func unescape(b []byte) ([]byte, bool) {
	w := bytes.IndexByte(b, '\\')
	if w < 0 {
		return b, true
	}
	for r := w; r < len(b); {
		n := bytes.IndexByte(b[r:], '\\')
		if n < 0 {
			n = len(b) - r
		}
		w += copy(b[w:], b[r:r+n])
		if r += n; r == len(b) {
			break
		}
		if b[r+1] != 'u' {
			b[w] = simpleEscape[b[r+1]]
			w++
			r += 2
			continue
		}
		c, size := unescapeRune(b[r:])
		if size == 0 {
			return nil, false
		}
		w += utf8.EncodeRune(b[w:r+size], c)
		r += size
	}
	return b[:w], true
}

// unescapeRune returns the character that b begins with, an escape with four hex
// digits or two such, and its length; 0 for a lone surrogate.
func unescapeRune(b []byte) (rune, int) {
	c, _ := hex4(b)
	if c < surrogateMin || c > surrogateMax {
		return c, 6
	}
	if c >= surrogateLow || lowHalf(b[6:]) <= 0 {
		return 0, 0
	}
	low, _ := hex4(b[6:])
	return 0x10000 + (c-surrogateMin)<<10 + (low - surrogateLow), 12
}

// AppendQuote appends s to dst as a JSON string. Bytes of s that are not UTF-8
// become U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if plain(c) {
			dst = append(dst, c)
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
	}
	return append(dst, '"')
}
