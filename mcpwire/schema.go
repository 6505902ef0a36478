package mcpwire

import (
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A keyword is what a member of a JSON Schema object means to a repair.
type keyword uint8

const (
	keywordOther      keyword = iota // holds no schemas, or data that must not be touched
	keywordType                      // the type, or a list of types
	keywordRequired                  // names of members
	keywordItems                     // what an array schema should have
	keywordBelow                     // a schema, or a list of schemas
	keywordAdditional                // the same; a keyword of draft-07 only
	keywordEach                      // an object whose members are schemas
	keywordProperties                // the same, for members of the instance
)

// keywords are the keywords of 2020-12 and its predecessors under which schemas
// stand. Not among them, on purpose: enum, const, default and examples.
var keywords = map[string]keyword{
	"type":     keywordType,
	"required": keywordRequired,
	"items":    keywordItems,

	"additionalProperties":  keywordBelow,
	"unevaluatedProperties": keywordBelow,
	"propertyNames":         keywordBelow,
	"prefixItems":           keywordBelow,
	"additionalItems":       keywordAdditional,
	"unevaluatedItems":      keywordBelow,
	"contains":              keywordBelow,
	"allOf":                 keywordBelow,
	"anyOf":                 keywordBelow,
	"oneOf":                 keywordBelow,
	"not":                   keywordBelow,
	"if":                    keywordBelow,
	"then":                  keywordBelow,
	"else":                  keywordBelow,

	"properties":        keywordProperties,
	"patternProperties": keywordEach,
	"dependentSchemas":  keywordEach,
	"dependencies":      keywordEach,
	"$defs":             keywordEach,
	"definitions":       keywordEach,
}

// maxKeyword is longer than any keyword, escapes included that anybody writes.
const maxKeyword = 128

// keywordAt reads the keyword that w is at.
func keywordAt(m *jsonrpc.Message, w *jsonrpc.Walk) keyword {
	var buf [maxKeyword]byte
	if w.Name().Len() > maxKeyword {
		return keywordOther
	}
	name, _ := m.AppendString(buf[:0], w.Name())
	return keywords[string(name)]
}

// A schemaFix mends one schema of a tool (T80, T81). Editors check tool schemas
// as draft-07, hosts in their own ways; one schema that they refuse can make them
// refuse every tool.
type schemaFix struct {
	h        *answerWork
	count    int  // of subschemas
	items    int  // of items added
	mended   int  // of other values
	tooLarge bool // the limits are passed; the tool goes
}

// report says how much was mended.
func (f *schemaFix) report() {
	if f.items > 0 {
		f.h.note(EventRepaired, "T80", f.items)
	}
	if f.mended > 0 {
		f.h.note(EventRepaired, "T81", f.mended)
	}
}

// A schemaRoot is what a caller of schema learns of a schema.
type schemaRoot struct {
	span   jsonrpc.Span
	typeAt jsonrpc.Span // the type, absent if there is none
	bare   bool         // no member is left
}

// schema mends the schema object that w is at, and what is below it.
func (f *schemaFix) schema(w *jsonrpc.Walk, depth int) schemaRoot {
	f.count++
	limits := &f.h.options.Limits
	if depth > limits.SchemaDepth || f.count > limits.Subschemas {
		f.tooLarge = true
		return schemaRoot{span: w.Skip()}
	}
	var root schemaRoot
	array, items := false, false
	c := cutter{r: &f.h.rewrite, lead: w.Start() + 1, done: w.Start() + 1}
	w.Enter()
	for w.Next() && !f.tooLarge {
		switch keywordAt(f.h.m, w) {
		case keywordType:
			root.typeAt = f.typeOf(w, &array)
		case keywordRequired:
			f.required(w, &c)
		case keywordItems:
			items = true
			f.below(w, depth)
		case keywordBelow:
			f.below(w, depth)
		case keywordAdditional:
			f.additional(w, &c, depth)
		case keywordEach:
			f.each(w, depth, false)
		case keywordProperties:
			f.each(w, depth, true)
		}
	}
	root.span = w.Leave()
	root.bare = c.all()
	if array && !items {
		f.addItems(root.span)
	}
	return root
}

// addItems implements T80: an array schema without items gets items that allow
// everything. Only next to unevaluatedItems that changes what the schema accepts.
func (f *schemaFix) addItems(schema jsonrpc.Span) {
	f.h.insert(schema.End-1, `,"items":{}`)
	f.items++
}

// typeOf passes over a type and notes whether it allows arrays.
func (f *schemaFix) typeOf(w *jsonrpc.Walk, array *bool) jsonrpc.Span {
	if w.First() != '[' {
		s := w.Skip()
		*array = *array || f.h.m.Is(s, "array")
		return s
	}
	w.Enter()
	for w.Next() {
		*array = f.h.m.Is(w.Skip(), "array") || *array
	}
	return w.Leave()
}

// required implements T81 for the keyword: draft-07 wants an array of strings, so
// anything else goes.
func (f *schemaFix) required(w *jsonrpc.Walk, c *cutter) {
	prev := w.Prev()
	var s jsonrpc.Span
	names := w.First() == '['
	if !names {
		s = w.Skip()
	} else {
		w.Enter()
		for w.Next() {
			names = names && w.First() == '"'
		}
		s = w.Leave()
	}
	if !names {
		c.cut(prev, s.End)
		f.mended++
	}
}

// below mends the schema, or the schemas of the list, that w is at.
func (f *schemaFix) below(w *jsonrpc.Walk, depth int) {
	switch w.First() {
	case '{':
		f.schema(w, depth+1)
	case '[':
		w.Enter()
		for w.Next() && !f.tooLarge {
			if w.First() == '{' {
				f.schema(w, depth+1)
			}
		}
		w.Leave()
	}
}

// each mends the schemas that are the members of the object that w is at. As
// properties they may not be true or false in 2025-11-25 (T81).
func (f *schemaFix) each(w *jsonrpc.Walk, depth int, properties bool) {
	if w.First() != '{' {
		return
	}
	w.Enter()
	for w.Next() && !f.tooLarge {
		switch first := w.First(); {
		case first == '{':
			f.schema(w, depth+1)
		case properties && first == 't':
			f.property(w, `{}`)
		case properties && first == 'f':
			f.property(w, `{"not":{}}`)
		}
	}
	w.Leave()
}

// property replaces a schema that is true or false.
func (f *schemaFix) property(w *jsonrpc.Walk, schema string) {
	f.count++
	f.tooLarge = f.tooLarge || f.count > f.h.options.Limits.Subschemas
	f.h.replace(w.Skip(), schema)
	f.mended++
}

// additional mends what stands below additionalItems. In 2020-12 that is no
// keyword, so it may be anything; draft-07 wants a schema, so anything else goes.
func (f *schemaFix) additional(w *jsonrpc.Walk, c *cutter, depth int) {
	switch w.First() {
	case '{', 't', 'f':
		f.below(w, depth)
	default:
		prev := w.Prev()
		c.cut(prev, w.Skip().End)
		f.mended++
	}
}
