package mcpwire

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// hasURIRest reports whether s holds nothing but characters of a URI, and whole
// escapes.
func hasURIRest(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case c == '%':
			if i+2 >= len(s) || !isHexDigit(s[i+1]) || !isHexDigit(s[i+2]) {
				return false
			}
		case c <= ' ' || c > '~' || strings.IndexByte(notInURI, c) >= 0:
			return false
		}
	}
	return true
}

// notInURI are the visible characters of ASCII that no URI holds.
const notInURI = "\"<>\\^`{|}"

func isHexDigit(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// escape escapes blanks, controls, what is not ASCII, and the characters in set.
func escape(s, set string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || strings.IndexByte(set, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			c = digits[c&15]
		}
		b.WriteByte(c)
	}
	return b.String()
}

// withoutDots resolves the dot segments of a path, also those that are escaped.
func withoutDots(path string) string {
	var out []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch dots := strings.ReplaceAll(strings.ToLower(s), "%2e", "."); dots {
		case ".", "..":
			if dots == ".." && len(out) > 1 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return strings.Join(out, "/")
}

// unescape undoes the escapes of s, one run of them after the other. Of a run that is
// no text the first escape stays, and so on.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		run := s[:escapes(s)]
		if run == "" {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		text := textAtEnd(unescaped(run))
		b.WriteString(run[:len(run)-3*len(text)])
		b.WriteString(text)
		s = s[len(run):]
	}
	return b.String()
}

// escapes returns the length of the run of escapes at the start of s: a percent sign
// and two letters or digits.
func escapes(s string) (n int) {
	for len(s) >= n+3 && s[n] == '%' && isAlphanumeric(s[n+1]) && isAlphanumeric(s[n+2]) {
		n += 3
	}
	return n
}

// unescaped undoes a run of escapes: each becomes one byte, and what is no escape one
// that no text holds.
func unescaped(run string) string {
	b := make([]byte, 0, len(run)/3)
	for ; run != ""; run = run[3:] {
		c, err := strconv.ParseUint(run[1:3], 16, 8)
		if err != nil {
			c = 0xff
		}
		b = append(b, byte(c))
	}
	return string(b)
}

// textAtEnd returns the longest end of s that is text. It looks at each byte once: what
// does not decode is in no such end, nor is what stands before it.
func textAtEnd(s string) string {
	from := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if i += n; r == utf8.RuneError && n == 1 {
			from = i
		}
	}
	return s[from:]
}

// The longest name of a host, and the longest label of one, in bytes (RFC 1035,
// section 2.3.4).
const (
	maxHostName = 253
	maxLabel    = 63
)

// isHostName reports whether s is the name of a host: labels of letters, digits and
// hyphens with dots between, no hyphen at the end of one.
func isHostName(s string) bool {
	if len(s) > maxHostName {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if !isAlphanumeric(c) && c != '-' {
				return false
			}
		}
	}
	return true
}
