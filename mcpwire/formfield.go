package mcpwire

import (
	"math"
	"regexp"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A fieldKind is what a field of a form takes.
type fieldKind uint8

const (
	fieldAny     fieldKind = iota // a name that is required, but no property
	fieldText                     // a string, perhaps one of several
	fieldNumber                   //
	fieldInteger                  // a number without a fraction, however it is written
	fieldBoolean                  //
	fieldList                     // an array of choices
)

var fieldKinds = map[string]fieldKind{
	"string": fieldText, "number": fieldNumber, "integer": fieldInteger, "boolean": fieldBoolean, "array": fieldList,
}

// A formField is what a form wants of one member of the answer.
type formField struct {
	kind     fieldKind
	required bool
	numeric  []formBound
	text     formText
	list     formList
}

// A formText is what a form wants of a string.
type formText struct {
	length  formExtent
	format  func(string) bool // nil if any string will do
	pattern *regexp.Regexp    // nil likewise
	work    int               // instructions of the pattern
	choices []map[string]bool // each must hold it
}

// A formList is what a form wants of an array.
type formList struct {
	items  formText
	size   formExtent
	unique bool
}

// A formExtent is a range of numbers of things.
type formExtent struct{ min, max int }

func (s formExtent) holds(n int) bool { return s.min <= n && n <= s.max }

// A formBound is one end of a range of numbers.
type formBound struct {
	at    decimal
	side  int  // of the bound that a number may not be on: -1 below, 1 above
	equal bool // a number may be on the bound
}

func (b *formBound) holds(d decimal) bool {
	c := d.compare(b.at)
	return c == -b.side || c == 0 && b.equal
}

// field reads the schema of a field.
func (r *formReader) field(s jsonrpc.Span) (f formField, ok bool) {
	k, ok := r.keywords(s)
	if !ok || k.has(wordAnyOf, wordConst) {
		return f, false
	}
	name, _ := r.m.String(k[wordType])
	f.kind = fieldKinds[name]
	if f.kind != fieldText && k.has(wordEnum, wordOneOf) {
		return f, false
	}
	switch f.kind {
	case fieldAny:
		return f, false
	case fieldText:
		f.text, ok = r.text(&k)
	case fieldNumber, fieldInteger:
		f.numeric, ok = r.numeric(&k)
	case fieldList:
		f.list, ok = r.list(&k)
	}
	return f, ok
}

// text reads what a schema says of strings.
func (r *formReader) text(k *formKeywords) (t formText, ok bool) {
	if t.length, ok = r.span(k, wordMinLength, wordMaxLength); !ok {
		return t, false
	}
	if k.has(wordFormat) {
		name, _ := r.m.String(k[wordFormat])
		if t.format = formats[name]; t.format == nil {
			return t, false
		}
	}
	if k.has(wordPattern) && !r.pattern(&t, k[wordPattern]) {
		return t, false
	}
	if k.has(wordEnumNames) && !r.eachString(k[wordEnumNames], func([]byte) {}) {
		return t, false
	}
	if k.has(wordEnum) {
		choices := make(map[string]bool)
		if !r.eachString(k[wordEnum], func(text []byte) { choices[string(text)] = true }) {
			return t, false
		}
		t.choices = append(t.choices, choices)
	}
	return t, r.titled(&t, k[wordOneOf], true) && r.titled(&t, k[wordAnyOf], false)
}

// titled reads choices that have titles. Where exactly one of them must match, a
// choice that stands twice could never be made.
func (r *formReader) titled(t *formText, s jsonrpc.Span, one bool) bool {
	if s.IsZero() {
		return true
	}
	if r.m.First(s) != '[' {
		return false
	}
	choices := make(map[string]bool)
	for w := r.m.Walk(s); w.Next(); {
		k, ok := r.keywords(w.Skip())
		if !ok || !k.has(wordTitle) || !r.plainChoice(&k) {
			return false
		}
		text, ok := r.m.String(k[wordConst])
		if !ok || one && choices[text] {
			return false
		}
		choices[text] = true
	}
	t.choices = append(t.choices, choices)
	return true
}

// plainChoice reports whether a titled choice asserts nothing but its const.
func (r *formReader) plainChoice(k *formKeywords) bool {
	return !k.has(wordEnum, wordOneOf, wordAnyOf, wordFormat, wordPattern, wordMinLength, wordMaxLength) &&
		(!k.has(wordType) || r.m.Is(k[wordType], "string"))
}

// list reads what a schema says of arrays: their items are choices.
func (r *formReader) list(k *formKeywords) (l formList, ok bool) {
	if l.size, ok = r.span(k, wordMinItems, wordMaxItems); !ok {
		return l, false
	}
	if k.has(wordUnique) {
		first := r.m.First(k[wordUnique])
		if first != 't' && first != 'f' {
			return l, false
		}
		l.unique = first == 't'
	}
	items, ok := r.keywords(k[wordItems])
	if !ok || items.has(wordOneOf, wordConst) || !items.has(wordEnum, wordAnyOf) {
		return l, false
	}
	if items.has(wordType) && !r.m.Is(items[wordType], "string") {
		return l, false
	}
	l.items, ok = r.text(&items)
	return l, ok
}

// numeric reads what a schema says of numbers.
func (r *formReader) numeric(k *formKeywords) (bounds []formBound, ok bool) {
	for _, b := range [...]struct {
		word formWord
		formBound
	}{
		{wordMinimum, formBound{side: -1, equal: true}},
		{wordMaximum, formBound{side: 1, equal: true}},
		{wordAbove, formBound{side: -1}},
		{wordBelow, formBound{side: 1}},
	} {
		if !k.has(b.word) {
			continue
		}
		if b.at, ok = numberAt(r.m, k[b.word]); !ok {
			return nil, false
		}
		bounds = append(bounds, b.formBound)
	}
	return bounds, true
}

// span reads two keywords that count things.
func (r *formReader) span(k *formKeywords, least, most formWord) (s formExtent, ok bool) {
	s.max = math.MaxInt
	for _, end := range [...]struct {
		word formWord
		n    *int
	}{{least, &s.min}, {most, &s.max}} {
		if !k.has(end.word) {
			continue
		}
		d, ok := numberAt(r.m, k[end.word])
		if !ok {
			return s, false
		}
		if *end.n, ok = d.count(); !ok {
			return s, false
		}
	}
	return s, true
}

// numberAt returns the number at s, and whether there is one.
func numberAt(m *jsonrpc.Message, s jsonrpc.Span) (decimal, bool) {
	if !isNumber(m, s) {
		return decimal{}, false
	}
	return parseDecimal(m.AppendSpan(nil, s)), true
}
