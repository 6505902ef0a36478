package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// maxPatternWork bounds all patterns of a form together: their bytes and the
// instructions that they compile to.
const maxPatternWork = 32 << 10

// A form is the flat schema of a form elicitation, read once for the check of the
// question (T118) and kept for that of the answer (T121). It holds nothing of the
// message that it was read from.
type form struct {
	fields []formField
	places map[string]int // of fields
	listed int            // how many of the fields are properties; the others are only required
	closed bool           // additionalProperties is false
}

// empty reports whether the form has no properties (I17).
func (f *form) empty() bool { return f.listed == 0 }

// place returns the place of the field with this name. It adds one that takes any
// value if there is none.
func (f *form) place(name string) int {
	i, ok := f.places[name]
	if !ok {
		i = len(f.fields)
		f.places[name] = i
		f.fields = append(f.fields, formField{})
	}
	return i
}

// A formReader reads a form.
type formReader struct {
	m       *jsonrpc.Message
	limits  *Limits
	buf     []byte
	schemas int // subschemas read
	work    int // left for patterns
}

// readForm implements T118: it reads the schema of a form, an object whose
// properties are strings, numbers, booleans, choices and lists of choices. A form is
// refused if an answer to it could not be checked: it nests, composes or refers
// ($ref is never followed), it has an assertion that the revision's forms do not
// have, a member that is read stands twice, a name cannot be decoded, or it is over
// a bound. Annotations pass, default among them, and so does a pattern that is no
// RE2, which asserts nothing (A17). Depth needs no bound: what may be deep is passed
// over, not entered.
func readForm(m *jsonrpc.Message, schema jsonrpc.Span, l *Limits) (f *form, ok bool) {
	if schema.Len() > l.FormBytes {
		return nil, false
	}
	r := formReader{m: m, limits: l, work: maxPatternWork}
	k, ok := r.keywords(schema)
	if !ok || k.has(wordEnum, wordOneOf, wordAnyOf, wordConst) || !m.Is(k[wordType], "object") {
		return nil, false
	}
	f = &form{places: make(map[string]int)}
	if !r.fields(f, k[wordProperties]) || !r.required(f, k[wordRequired]) {
		return nil, false
	}
	f.closed, ok = r.closed(k[wordAdditional])
	return f, ok
}

// fields reads the properties.
func (r *formReader) fields(f *form, s jsonrpc.Span) bool {
	if r.m.First(s) != '{' {
		return false
	}
	for w := r.m.Walk(s); w.Next(); {
		name, ok := r.m.String(w.Name())
		if _, twice := f.places[name]; !ok || twice {
			return false
		}
		i := f.place(name)
		if f.fields[i], ok = r.field(w.Skip()); !ok {
			return false
		}
		f.listed++
	}
	return true
}

// required reads the names that must be there, of properties or not.
func (r *formReader) required(f *form, s jsonrpc.Span) bool {
	if s.IsZero() {
		return true
	}
	return r.eachString(s, func(name []byte) { f.fields[f.place(string(name))].required = true })
}

// closed reads additionalProperties, which may be a schema nowhere else.
func (r *formReader) closed(s jsonrpc.Span) (closed, ok bool) {
	first := r.m.First(s)
	return first == 'f', first == 'f' || first == 't' || s.IsZero()
}

// eachString calls visit for each element of the array at s. It reports false if s is
// no array of strings. visit must not keep its argument.
func (r *formReader) eachString(s jsonrpc.Span, visit func(text []byte)) bool {
	if r.m.First(s) != '[' {
		return false
	}
	for w := r.m.Walk(s); w.Next(); {
		var ok bool
		if r.buf, ok = r.m.AppendString(r.buf[:0], w.Skip()); !ok {
			return false
		}
		visit(r.buf)
	}
	return true
}

// A formWord is a keyword of a form's schema.
type formWord uint8

const (
	wordType formWord = iota
	wordTitle
	wordDescription
	wordEnum
	wordEnumNames
	wordOneOf
	wordAnyOf
	wordConst
	wordFormat
	wordPattern
	wordMinLength
	wordMaxLength
	wordMinimum
	wordMaximum
	wordAbove
	wordBelow
	wordItems
	wordMinItems
	wordMaxItems
	wordUnique
	wordProperties
	wordRequired
	wordAdditional
	wordRefused   // an assertion that no form has
	formWordCount = int(wordRefused)
)

// formWords are the keywords that are read, and those that refuse the form. What
// else there is are annotations.
var formWords = map[string]formWord{
	"type": wordType, "title": wordTitle, "description": wordDescription,
	"enum": wordEnum, "enumNames": wordEnumNames, "oneOf": wordOneOf, "anyOf": wordAnyOf, "const": wordConst,
	"format": wordFormat, "pattern": wordPattern, "minLength": wordMinLength, "maxLength": wordMaxLength,
	"minimum": wordMinimum, "maximum": wordMaximum, "exclusiveMinimum": wordAbove, "exclusiveMaximum": wordBelow,
	"items": wordItems, "minItems": wordMinItems, "maxItems": wordMaxItems, "uniqueItems": wordUnique,
	"properties": wordProperties, "required": wordRequired, "additionalProperties": wordAdditional,

	"$ref": wordRefused, "$dynamicRef": wordRefused, "$recursiveRef": wordRefused,
	"allOf": wordRefused, "not": wordRefused, "if": wordRefused, "then": wordRefused, "else": wordRefused,
	"multipleOf": wordRefused, "contains": wordRefused, "minContains": wordRefused, "maxContains": wordRefused,
	"prefixItems": wordRefused, "additionalItems": wordRefused, "unevaluatedItems": wordRefused,
	"minProperties": wordRefused, "maxProperties": wordRefused, "patternProperties": wordRefused,
	"propertyNames": wordRefused, "unevaluatedProperties": wordRefused,
	"dependentSchemas": wordRefused, "dependentRequired": wordRefused, "dependencies": wordRefused,
}

// formKeywords are where the values of a schema's keywords are.
type formKeywords [formWordCount]jsonrpc.Span

// has reports whether one of the keywords is there.
func (k *formKeywords) has(words ...formWord) bool {
	return slices.ContainsFunc(words, func(w formWord) bool { return !k[w].IsZero() })
}

// keywords finds the keywords of the schema at s, each at most once.
func (r *formReader) keywords(s jsonrpc.Span) (k formKeywords, ok bool) {
	r.schemas++
	if r.m.First(s) != '{' || r.schemas > r.limits.FormSchemas {
		return k, false
	}
	for w := r.m.Walk(s); w.Next(); {
		word, known := r.word(&w)
		if !known {
			continue
		}
		if word == wordRefused || k.has(word) {
			return k, false
		}
		k[word] = w.Skip()
	}
	return k, r.optionalStrings(&k, wordTitle, wordDescription)
}

func (r *formReader) word(w *jsonrpc.Walk) (formWord, bool) {
	if w.Name().Len() > maxKeyword {
		return 0, false
	}
	r.buf, _ = r.m.AppendString(r.buf[:0], w.Name())
	word, known := formWords[string(r.buf)]
	return word, known
}

// optionalStrings reports whether each of the keywords is a string or absent.
func (r *formReader) optionalStrings(k *formKeywords, of ...formWord) bool {
	return !slices.ContainsFunc(of, func(w formWord) bool { return k.has(w) && r.m.First(k[w]) != '"' })
}
