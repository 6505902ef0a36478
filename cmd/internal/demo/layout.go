package demo

import (
	"strings"
	"unicode/utf8"
)

// layout breaks a frame into lines of at most width columns. It breaks after
// commas and opening brackets, or else after a colon, and indents what belongs to
// a bracket; what does not fit then, and a frame that is no JSON, is cut where the
// line is full. All bytes of the frame are there, in their order.
func layout(frame string, width int) []string {
	l := &lineBreaker{width: width}
	l.value(frame, "", 0)
	l.flush()
	return l.lines
}

type lineBreaker struct {
	width int
	lines []string
	line  strings.Builder
	used  int // columns of line
}

// put writes s on the current line. What does not fit goes on to further lines, cut
// after a space or a sign between words where there is one.
func (l *lineBreaker) put(s string, indent int) {
	rest := []rune(s)
	for free := l.width - l.used; len(rest) > free; free = l.width - indent {
		cut := free
		for i := free; i > free/2; i-- {
			if strings.ContainsRune(" _-/", rest[i-1]) {
				cut = i
				break
			}
		}
		l.line.WriteString(string(rest[:cut]))
		rest = rest[cut:]
		l.newline(indent)
	}
	l.line.WriteString(string(rest))
	l.used += len(rest)
}

func (l *lineBreaker) newline(indent int) {
	l.flush()
	l.line.WriteString(strings.Repeat(" ", indent))
	l.used = indent
}

func (l *lineBreaker) flush() {
	if strings.TrimSpace(l.line.String()) != "" {
		l.lines = append(l.lines, l.line.String())
	}
	l.line.Reset()
	l.used = 0
}

// fits reports whether s has room on a line behind used columns.
func (l *lineBreaker) fits(s string, used int) bool {
	return used+utf8.RuneCountInString(s) <= l.width
}

// value writes v and then tail, the comma or brackets that follow it. Lines that v
// goes on to are indented by indent.
func (l *lineBreaker) value(v, tail string, indent int) {
	if l.fits(v+tail, l.used) || !isContainer(v) {
		l.put(v+tail, indent)
		return
	}
	l.put(v[:1], indent)
	inner := min(indent+1, l.width/2)
	parts := elements(v[1 : len(v)-1])
	for i, part := range parts {
		after := ","
		if i == len(parts)-1 {
			after = v[len(v)-1:] + tail
		}
		name, rest := cutName(part)
		better := i > 0 || l.fits(part+after, inner) || !isContainer(rest) || !l.fits(name+rest[:1], l.used)
		if !l.fits(part+after, l.used) && better && l.used > inner {
			l.newline(inner)
		}
		l.put(name, inner)
		if below := inner + 1; !isContainer(rest) && !l.fits(rest+after, l.used) && l.fits(rest+after, below) {
			l.newline(below)
		}
		l.value(rest, after, inner)
	}
}

func isContainer(v string) bool {
	return len(v) > 2 && (v[0] == '{' && v[len(v)-1] == '}' || v[0] == '[' && v[len(v)-1] == ']')
}

// elements splits what stands between two brackets at its own commas.
func elements(s string) []string {
	var parts []string
	start := 0
	walk(s, func(i, depth int) {
		if s[i] == ',' && depth == 0 {
			parts = append(parts, s[start:i])
			start = i + 1
		}
	})
	return append(parts, s[start:])
}

// cutName splits a member after the colon of its name. An element of an array has
// no name.
func cutName(member string) (name, value string) {
	at := 0
	walk(member, func(i, depth int) {
		if member[i] == ':' && depth == 0 && at == 0 {
			at = i + 1
		}
	})
	return member[:at], member[at:]
}

// walk calls at for each byte of s outside strings, with the number of brackets
// that are open there.
func walk(s string, at func(i, depth int)) {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '}' || c == ']':
			depth--
			at(i, depth)
		case c == '{' || c == '[':
			at(i, depth)
			depth++
		default:
			at(i, depth)
		}
	}
}
