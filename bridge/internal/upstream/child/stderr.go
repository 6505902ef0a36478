package child

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

const stderrLine = 8 << 10 // bytes of a line that are passed, as they are escaped

// passLines passes each line of r to w after tag: cut, and with its control
// characters escaped. It reads r to its end whatever errors w has: the child must
// not end for a log.
func passLines(w io.Writer, tag string, r io.Reader) {
	if w == nil {
		w = io.Discard
	}
	p := &linePasser{w: w, prefix: tag + ": [server] "}
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		p.take(buf[:n])
		if err != nil {
			break
		}
	}
	if p.begun {
		p.end()
	}
}

// A linePasser collects the line that is being read.
type linePasser struct {
	w      io.Writer
	prefix string
	line   []byte // its first bytes, at most one more than are passed: escaping adds only
	begun  bool
	out    []byte
}

func (p *linePasser) take(b []byte) {
	for {
		text, rest, whole := bytes.Cut(b, []byte{'\n'})
		p.begun = p.begun || len(text) > 0
		room := stderrLine + 1 - len(p.line)
		p.line = append(p.line, text[:min(len(text), room)]...)
		if !whole {
			return
		}
		p.end()
		b = rest
	}
}

// end passes the line. A log that does not take it is no reason to stop.
func (p *linePasser) end() {
	line := bytes.TrimSuffix(p.line, []byte{'\r'})
	p.out = append(p.out[:0], p.prefix...)
	p.out = append(appendEscaped(p.out, line, stderrLine), '\n')
	p.w.Write(p.out)
	p.line, p.begun = p.line[:0], false
}

// appendEscaped appends line with control characters, and bytes that are no UTF-8,
// in the notation of Go: as much of it as fits into room bytes, and no part of a
// character.
func appendEscaped(out, line []byte, room int) []byte {
	for len(line) > 0 {
		before := len(out)
		r, n := utf8.DecodeRune(line)
		out = appendChar(out, line[:n], r)
		if room -= len(out) - before; room < 0 {
			return out[:before]
		}
		line = line[n:]
	}
	return out
}

// appendChar appends the character r, which is encoded as b.
func appendChar(out, b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch {
	case r == '\t':
		return append(out, `\t`...)
	case r == '\r':
		return append(out, `\r`...)
	case r == utf8.RuneError && len(b) == 1, unicode.IsControl(r) && len(b) == 1:
		return append(out, '\\', 'x', hex[b[0]>>4], hex[b[0]&15])
	case unicode.IsControl(r): // U+0080 to U+009F
		return append(append(out, `\u00`...), hex[r>>4&15], hex[r&15])
	}
	return append(out, b...)
}
