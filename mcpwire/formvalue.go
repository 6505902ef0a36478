package mcpwire

import (
	"unicode/utf8"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Bounds of an answer to a form. An answer that is over one of them is not valid.
const (
	maxContentValues = 1 << 17 // members and elements
	maxMatchWork     = 1 << 24 // instructions of patterns, times the bytes that they are matched with
)

// accepts implements T121 for the content of an answer: it is an object, and each
// member is what its field wants; nothing is coerced. An absent content counts as an
// object without members. A name that stands twice makes it invalid. A member that
// the form does not name is allowed unless additionalProperties is false, as JSON
// Schema has it, but must be what the revision allows in an answer: a string, a
// number, a boolean or an array of strings.
func (f *form) accepts(m *jsonrpc.Message, content jsonrpc.Span) bool {
	if !content.IsZero() && m.First(content) != '{' {
		return false
	}
	c := contentCheck{form: f, m: m, seen: make([]bool, len(f.fields)), work: maxMatchWork}
	w := m.Walk(content)
	w.SetBudget(maxContentValues)
	for w.Next() {
		if !c.member(&w) {
			return false
		}
	}
	if w.Exceeded() {
		return false
	}
	for i := range f.fields {
		if f.fields[i].required && !c.seen[i] {
			return false
		}
	}
	return true
}

// A contentCheck checks one answer.
type contentCheck struct {
	form   *form
	m      *jsonrpc.Message
	seen   []bool          // fields
	others map[string]bool // other names that were seen
	buf    []byte
	work   int // left for patterns
}

// member checks the member that w is at.
func (c *contentCheck) member(w *jsonrpc.Walk) bool {
	if !c.decode(w.Name()) {
		return false
	}
	i, known := c.form.places[string(c.buf)]
	if known {
		if c.seen[i] {
			return false
		}
		c.seen[i] = true
		if i >= c.form.listed && c.form.closed {
			return false
		}
		return c.value(w, &c.form.fields[i])
	}
	if c.form.closed || c.others[string(c.buf)] {
		return false
	}
	if c.others == nil {
		c.others = make(map[string]bool)
	}
	c.others[string(c.buf)] = true
	return c.value(w, &formField{})
}

// decode puts the string at s into buf. Keeping buf, it makes one copy of each string.
func (c *contentCheck) decode(s jsonrpc.Span) (ok bool) {
	c.buf, ok = c.m.AppendString(c.buf[:0], s)
	return ok
}

// value checks the value that w is at.
func (c *contentCheck) value(w *jsonrpc.Walk, f *formField) bool {
	switch f.kind {
	case fieldText:
		return c.text(w.Skip(), &f.text)
	case fieldNumber, fieldInteger:
		return c.number(w.Skip(), f)
	case fieldBoolean:
		return w.First() == 't' || w.First() == 'f'
	case fieldList:
		return w.First() == '[' && c.list(w, &f.list)
	}
	switch w.First() {
	case '[':
		return c.strings(w)
	case '{', 'n':
		return false
	}
	return true
}

// text checks the value at s against what a form wants of a string.
func (c *contentCheck) text(s jsonrpc.Span, t *formText) bool {
	if !c.decode(s) || !t.length.holds(utf8.RuneCount(c.buf)) {
		return false
	}
	for _, choices := range t.choices {
		if !choices[string(c.buf)] {
			return false
		}
	}
	if t.format != nil && !t.format(string(c.buf)) {
		return false
	}
	return t.pattern == nil || c.matches(t)
}

// matches reports whether the pattern is somewhere in the string, if that can be
// told with the work that is left.
func (c *contentCheck) matches(t *formText) bool {
	if len(c.buf) >= c.work/t.work {
		return false
	}
	c.work -= (len(c.buf) + 1) * t.work
	return t.pattern.Match(c.buf)
}

// number checks the value at s against what a form wants of a number.
func (c *contentCheck) number(s jsonrpc.Span, f *formField) bool {
	d, ok := numberAt(c.m, s)
	if !ok || f.kind == fieldInteger && !d.integral() {
		return false
	}
	for i := range f.numeric {
		if !f.numeric[i].holds(d) {
			return false
		}
	}
	return true
}

// list checks the array that w is at.
func (c *contentCheck) list(w *jsonrpc.Walk, l *formList) bool {
	n := 0
	var seen map[string]bool
	if l.unique {
		seen = make(map[string]bool)
	}
	w.Enter()
	for ; w.Next(); n++ {
		if !c.text(w.Skip(), &l.items) || seen[string(c.buf)] {
			return false
		}
		if l.unique {
			seen[string(c.buf)] = true
		}
	}
	w.Leave()
	return l.size.holds(n)
}

// strings checks that the array that w is at holds only strings.
func (c *contentCheck) strings(w *jsonrpc.Walk) bool {
	w.Enter()
	for w.Next() {
		if w.First() != '"' {
			return false
		}
	}
	w.Leave()
	return true
}
