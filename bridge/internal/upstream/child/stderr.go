package child

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

const stderrLine = 8 << 10 // bytes of a line that are passed

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
	line   []byte // its first bytes, at most one more than are passed
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
	line := p.line
	if len(line) > stderrLine {
		line = wholeRunes(line[:stderrLine])
	} else {
		line = bytes.TrimSuffix(line, []byte{'\r'})
	}
	p.out = append(p.out[:0], p.prefix...)
	p.out = append(appendEscaped(p.out, line), '\n')
	p.w.Write(p.out)
	p.line, p.begun = p.line[:0], false
}

// wholeRunes drops the first bytes of a character that was cut.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// appendEscaped appends line with control characters, and bytes that are no UTF-8,
// in the notation of Go.
func appendEscaped(out, line []byte) []byte {
	const hex = "0123456789abcdef"
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		switch {
		case r == '\t':
			out = append(out, `\t`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == utf8.RuneError && n == 1, unicode.IsControl(r) && n == 1:
			out = append(out, '\\', 'x', hex[line[0]>>4], hex[line[0]&15])
		case unicode.IsControl(r): // U+0080 to U+009F
			out = append(out, `\u00`...)
			out = append(out, hex[r>>4&15], hex[r&15])
		default:
			out = append(out, line[:n]...)
		}
		line = line[n:]
	}
	return out
}
