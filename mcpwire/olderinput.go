package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// plainQuestions reports whether a front of r knows only the questions of the first
// revision that had them: no modes and no new kinds of choices (O4), one block of content
// in a message (O5).
func (r revision) plainQuestions() bool { return r < revision20251125 }

// olderForm implements O4 for the schema of a form at s: titled choices become the names
// that an enum had before, and only a boolean keeps its default. f is what was read of
// it; it reports false if that has a list of choices, which such a front cannot show.
func olderForm(m *jsonrpc.Message, s jsonrpc.Span, f *form) (schema []byte, ok bool) {
	for i := range f.fields {
		if f.fields[i].kind == fieldList {
			return nil, false
		}
	}
	b := []byte{'{'}
	for w := m.Walk(s); w.Next(); {
		b = appendName(b, m, &w)
		if !w.NameIs("properties") {
			b = m.AppendSpan(b, w.Skip())
			continue
		}
		b = append(b, '{')
		for w.Enter(); w.Next(); {
			b = appendOlderField(appendName(b, m, &w), m, w.Skip())
		}
		w.Leave()
		b = append(b, '}')
	}
	return append(b, '}'), true
}

// appendName appends the name of the member that w is at to an object that was begun.
func appendName(b []byte, m *jsonrpc.Message, w *jsonrpc.Walk) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(m.AppendSpan(b, w.Name()), ':')
}

// appendOlderField appends the field of a form at s as O4 wants it.
func appendOlderField(b []byte, m *jsonrpc.Message, s jsonrpc.Span) []byte {
	b = append(b, '{')
	for w := m.Walk(s); w.Next(); {
		switch {
		case w.NameIs("default") && w.First() != 't' && w.First() != 'f':
		case w.NameIs("oneOf"):
			choices := w.Skip()
			b = appendMember(b, "enum", appendEach(nil, m, choices, "const", "const"))
			b = appendMember(b, "enumNames", appendEach(nil, m, choices, "title", "const"))
		default:
			b = appendName(b, m, &w)
			b = m.AppendSpan(b, w.Skip())
		}
	}
	return append(b, '}')
}

// appendEach appends an array of a member of each object in the array at s, in its place
// another one.
func appendEach(b []byte, m *jsonrpc.Message, s jsonrpc.Span, name, instead string) []byte {
	b = append(b, '[')
	for w := m.Walk(s); w.Next(); {
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		var found [2]picked
		pickOf(m, w.Skip(), found[:], name, instead)
		v := found[0].Value
		if v.IsZero() {
			v = found[1].Value
		}
		b = m.AppendSpan(b, v)
	}
	return append(b, ']')
}

// olderMessages implements O5 for the messages of sampling at s: a list of one block
// becomes that block. It reports false for what such a front cannot be told: several
// blocks, and audio before 2025-03-26.
func olderMessages(m *jsonrpc.Message, s jsonrpc.Span, front revision) (messages []byte, ok bool) {
	b := []byte{'['}
	for w := m.Walk(s); w.Next(); {
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		b = append(b, '{')
		for w.Enter(); w.Next(); {
			name, content := w.NameIs("content"), jsonrpc.Span{}
			b = appendName(b, m, &w)
			if content = w.Skip(); name {
				if content, ok = onlyBlock(m, content, front); !ok {
					return nil, false
				}
			}
			b = m.AppendSpan(b, content)
		}
		w.Leave()
		b = append(b, '}')
	}
	return append(b, ']'), true
}

// onlyBlock returns the one block of the content at s.
func onlyBlock(m *jsonrpc.Message, s jsonrpc.Span, front revision) (jsonrpc.Span, bool) {
	if m.First(s) == '[' {
		w := m.Walk(s)
		if !w.Next() {
			return s, false
		}
		only := w.Skip()
		if w.Next() {
			return s, false
		}
		s = only
	}
	var found [1]picked
	pickOf(m, s, found[:], "type")
	return s, front >= revision20250326 || !m.Is(found[0].once(), "audio")
}
