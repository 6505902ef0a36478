package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// escapeControls makes control characters in the texts of the value at s, which e has
// kept, visible: an editor shows log messages as they are, and so may whoever reads its
// log in a terminal (N04). An escape gets a backslash more, so that it reads as it is
// written; a character becomes such an escape. It reports false if that is too much
// work.
func (e *envelope) escapeControls(s jsonrpc.Span) bool {
	before := len(e.out.edits)
	for i := s.Off; i < s.End; {
		n, control := 1, false
		switch c := e.m.Byte(i); {
		case c == '\\':
			n, control = escapeAt(e.m, i)
		case c == 0x7f:
			control = true
		case c == 0xc2: // U+0080 to U+00BF; the text is valid, so there is one byte more
			n, control = 2, e.m.Byte(i+1) < 0xa0
		}
		if control {
			e.showControl(jsonrpc.Span{Off: i, End: i + n})
		}
		if len(e.out.edits)-before > maxEdits {
			return false
		}
		i += n
	}
	return true
}

// escapeAt returns the length of the escape at offset i, and whether it stands for a
// control character.
func escapeAt(m *jsonrpc.Message, i int) (n int, control bool) {
	switch m.Byte(i + 1) {
	case 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
		if m.Byte(i+2) != '0' || m.Byte(i+3) != '0' {
			return 6, false
		}
		high := m.Byte(i + 4)
		switch high {
		case '0', '1', '8', '9':
			return 6, true
		}
		low := m.Byte(i + 5)
		return 6, high == '7' && (low|0x20) == 'f'
	}
	return 2, false
}

// showControl makes the control character at s visible.
func (e *envelope) showControl(s jsonrpc.Span) {
	const digits = "0123456789abcdef"
	start := len(e.out.buf)
	if e.m.Byte(s.Off) == '\\' {
		e.out.buf = append(e.out.buf, '\\')
		e.replace(jsonrpc.Span{Off: s.Off, End: s.Off}, start)
		return
	}
	c := e.m.Byte(s.End - 1) // of U+0080 and up the last byte is the code
	e.out.buf = append(e.out.buf, `\\u00`...)
	e.out.buf = append(e.out.buf, digits[c>>4], digits[c&15])
	e.replace(s, start)
}
