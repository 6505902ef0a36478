package mcpwire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// valueIn returns a message that holds a JSON value, and where. With an empty text
// there is none.
func valueIn(t testing.TB, text string) (*jsonrpc.Message, jsonrpc.Span) {
	t.Helper()
	if text == "" {
		return parse(t, `{"jsonrpc":"2.0","method":"m"}`), jsonrpc.Span{}
	}
	o := &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true}
	m, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","method":"m","params":{"v":`+text+`}}`), o)
	if err != nil {
		t.Fatalf("parse %.200s: %v", text, err)
	}
	w := m.Walk(m.Params)
	w.Next()
	return m, w.Skip()
}

// formOf reads a form that must be read.
func formOf(t testing.TB, schema string) *form {
	t.Helper()
	m, s := valueIn(t, schema)
	f, ok := readForm(m, s, &standard)
	if !ok {
		t.Fatalf("readForm(%.300s) refuses", schema)
	}
	return f
}

// formWith is the schema of a form with these properties.
func formWith(list string) string { return `{"type":"object","properties":{` + list + `}}` }

// req: I01
func TestT118(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		want         bool
	}{
		{"no schema", ``, false},
		{"a schema that is no object", `true`, false},
		{"no type", `{"properties":{}}`, false},
		{"another type", `{"type":"array","properties":{}}`, false},
		{"a list of types", `{"type":["object"],"properties":{}}`, false},
		{"no properties", `{"type":"object"}`, false},
		{"properties that are a list", `{"type":"object","properties":[]}`, false},
		{"properties that are null", `{"type":"object","properties":null}`, false},
		{"no property", formWith(``), true},
		{"annotations", `{"$schema":"x","$id":"y","$comment":"z","title":"t","description":"d","type":"object","properties":{},"x":{"$ref":"#"}}`, true},
		{"a title that is no string", `{"type":"object","properties":{},"title":1}`, false},
		{"escapes in keywords", `{"\u0074ype":"\u006fbject","propertie\u0073":{"a":{"type":"s\u0074ring"}}}`, true},
		{"required", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, true},
		{"required that is no list", `{"type":"object","properties":{},"required":"a"}`, false},
		{"required that is null", `{"type":"object","properties":{},"required":null}`, false},
		{"required of a number", `{"type":"object","properties":{},"required":[1]}`, false},
		{"required of half a character", `{"type":"object","properties":{},"required":["\ud800"]}`, false},
		{"additionalProperties", `{"type":"object","properties":{},"additionalProperties":false}`, true},
		{"additionalProperties that are a schema", `{"type":"object","properties":{},"additionalProperties":{}}`, false},
		{"properties twice", `{"type":"object","properties":{},"properties":{}}`, false},
		{"type twice, once with an escape", `{"type":"object","\u0074ype":"object","properties":{}}`, false},
		{"a property twice", formWith(`"a":{"type":"string"},"\u0061":{"type":"string"}`), false},
		{"a property with half a character", formWith(`"\udfff":{"type":"string"}`), false},
		{"a property with an odd name", formWith(`"__proto__":{"type":"string"},"":{"type":"boolean"}`), true},
		{"a reference at the top", `{"type":"object","properties":{},"$ref":"#/$defs/a"}`, false},
		{"a choice of schemas at the top", `{"type":"object","properties":{},"anyOf":[{}]}`, false},
		{"a bound on the number of members", `{"type":"object","properties":{},"minProperties":1}`, false},
		{"patterns for names", `{"type":"object","properties":{},"patternProperties":{}}`, false},

		{"a property that is no object", formWith(`"a":true`), false},
		{"a property without type", formWith(`"a":{}`), false},
		{"a property of an unknown type", formWith(`"a":{"type":"text"}`), false},
		{"a property that is null", formWith(`"a":{"type":"null"}`), false},
		{"a property of several types", formWith(`"a":{"type":["string","null"]}`), false},
		{"a nested object", formWith(`"a":{"type":"object","properties":{}}`), false},
		{"a reference", formWith(`"a":{"type":"string","$ref":"#/properties/b"}`), false},
		{"a reference alone", formWith(`"a":{"$ref":"https://a.example/schema"}`), false},
		{"a negation", formWith(`"a":{"type":"string","not":{}}`), false},
		{"a constant", formWith(`"a":{"type":"string","const":"x"}`), false},
		{"a keyword twice", formWith(`"a":{"type":"string","minLength":1,"minLength":1}`), false},
		{"an unknown keyword twice", formWith(`"a":{"type":"string","x":1,"x":2}`), true},
		{"keywords of other types", formWith(`"a":{"type":"string","minimum":"x","items":{}}`), true},
		{"a default of another type", formWith(`"a":{"type":"string","default":{"b":[1]}}`), true},
		{"a description that is no string", formWith(`"a":{"type":"string","description":null}`), false},

		{"each format", formWith(`"a":{"type":"string","format":"email"},"b":{"type":"string","format":"uri"},"c":{"type":"string","format":"date"},"d":{"type":"string","format":"date-time"}`), true},
		{"an unknown format", formWith(`"a":{"type":"string","format":"uuid"}`), false},
		{"a format that is no string", formWith(`"a":{"type":"string","format":1}`), false},
		{"lengths", formWith(`"a":{"type":"string","minLength":0,"maxLength":1e1}`), true},
		{"a length below zero", formWith(`"a":{"type":"string","minLength":-1}`), false},
		{"a length with a fraction", formWith(`"a":{"type":"string","maxLength":1.5}`), false},
		{"a length that is null", formWith(`"a":{"type":"string","maxLength":null}`), false},
		{"a length in words", formWith(`"a":{"type":"string","maxLength":"2"}`), false},
		{"a length beyond any", formWith(`"a":{"type":"string","maxLength":1e999999999999999999999}`), true},
		{"a pattern", formWith(`"a":{"type":"string","pattern":"^a+$"}`), true},
		{"a pattern that is no RE2", formWith(`"a":{"type":"string","pattern":"(?=a)"}`), true},
		{"a pattern that is no string", formWith(`"a":{"type":"string","pattern":1}`), false},
		{"a pattern with half a character", formWith(`"a":{"type":"string","pattern":"\ud800"}`), false},
		{"a pattern with long tables", formWith(`"a":{"type":"string","pattern":"` + strings.Repeat(`\\pL`, 20) + `"}`), true},
		{"a pattern with too many long tables", formWith(`"a":{"type":"string","pattern":"` + strings.Repeat(`\\PL`, 130) + `"}`), false},
		{"a pattern with too many long tables that is no RE2", formWith(`"a":{"type":"string","pattern":"` + strings.Repeat(`\\pL`, 130) + `("}`), false},
		{"a pattern that folds case", formWith(`"a":{"type":"string","pattern":"(?i)^[a-z0-9-]+@[a-z0-9-]+$"}`), true},
		{"a pattern that folds the case of too much", formWith(`"a":{"type":"string","pattern":"(?:(?-sUi))[` + strings.Repeat(`b-y`, 70) + `]"}`), false},
		{"a pattern of many ranges", formWith(`"a":{"type":"string","pattern":"(?:(?s))[` + strings.Repeat(`b-y`, 70) + `]"}`), true},
		{"a pattern that stands for too much", formWith(`"a":{"type":"string","pattern":"` + strings.Repeat("x{1000}", 33) + `"}`), false},

		{"choices", formWith(`"a":{"type":"string","enum":["x","y"]}`), true},
		{"choices with names", formWith(`"a":{"type":"string","enum":["x","y"],"enumNames":["X","Y"]}`), true},
		{"choices with names that are numbers", formWith(`"a":{"type":"string","enum":["x"],"enumNames":[1]}`), false},
		{"choices that are no list", formWith(`"a":{"type":"string","enum":"x"}`), false},
		{"a choice that is no string", formWith(`"a":{"type":"string","enum":["x",null]}`), false},
		{"choices of numbers", formWith(`"a":{"type":"integer","enum":[1]}`), false},
		{"titled choices", formWith(`"a":{"type":"string","oneOf":[{"const":"x","title":"X"},{"title":"Y","const":"y","description":"d"}]}`), true},
		{"titled choices that are no list", formWith(`"a":{"type":"string","oneOf":{}}`), false},
		{"a titled choice without title", formWith(`"a":{"type":"string","oneOf":[{"const":"x"}]}`), false},
		{"a titled choice without value", formWith(`"a":{"type":"string","oneOf":[{"title":"x"}]}`), false},
		{"a titled choice of a number", formWith(`"a":{"type":"string","oneOf":[{"const":1,"title":"X"}]}`), false},
		{"a titled choice that stands twice", formWith(`"a":{"type":"string","oneOf":[{"const":"x","title":"X"},{"const":"x","title":"Y"}]}`), false},
		{"a titled choice that asserts more", formWith(`"a":{"type":"string","oneOf":[{"const":"x","title":"X","minLength":2}]}`), false},
		{"titled choices of numbers", formWith(`"a":{"type":"number","oneOf":[{"const":"x","title":"X"}]}`), false},
		{"any of some schemas", formWith(`"a":{"type":"string","anyOf":[{"const":"x","title":"X"}]}`), false},

		{"bounds", formWith(`"a":{"type":"number","minimum":-1.5,"maximum":1e400},"b":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":9}`), true},
		{"a bound that is no number", formWith(`"a":{"type":"number","minimum":"1"}`), false},
		{"a bound of an older draft", formWith(`"a":{"type":"number","minimum":1,"exclusiveMinimum":true}`), false},
		{"a multiple", formWith(`"a":{"type":"number","multipleOf":2}`), false},
		{"yes or no", formWith(`"a":{"type":"boolean","default":true}`), true},

		{"a list of choices", formWith(`"a":{"type":"array","items":{"type":"string","enum":["x"]},"minItems":0,"maxItems":1,"uniqueItems":true}`), true},
		{"a list of titled choices", formWith(`"a":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}}`), true},
		{"a list without items", formWith(`"a":{"type":"array"}`), false},
		{"a list of strings", formWith(`"a":{"type":"array","items":{"type":"string"}}`), false},
		{"a list of numbers", formWith(`"a":{"type":"array","items":{"type":"number","enum":["x"]}}`), false},
		{"a list of lists", formWith(`"a":{"type":"array","items":{"type":"array","items":{"enum":["x"]}}}`), false},
		{"a list of items by place", formWith(`"a":{"type":"array","items":[{"enum":["x"]}]}`), false},
		{"a list with choices of its own", formWith(`"a":{"type":"array","enum":[["x"]],"items":{"enum":["x"]}}`), false},
		{"a list of exactly one of some", formWith(`"a":{"type":"array","items":{"oneOf":[{"const":"x","title":"X"}]}}`), false},
		{"a list that contains", formWith(`"a":{"type":"array","items":{"enum":["x"]},"contains":{}}`), false},
		{"a list unique by number", formWith(`"a":{"type":"array","items":{"enum":["x"]},"uniqueItems":1}`), false},
		{"a list of a negative size", formWith(`"a":{"type":"array","items":{"enum":["x"]},"minItems":-1}`), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, s := valueIn(t, tt.schema)
			f, ok := readForm(m, s, &standard)
			if ok != tt.want {
				t.Errorf("readForm(%s) = %t, want %t", tt.schema, ok, tt.want)
			}
			if want := strings.HasSuffix(tt.schema, `"properties":{}}`); ok && f.empty() != want && !strings.Contains(tt.schema, `"properties":{},`) {
				t.Errorf("empty() = %t, want %t", f.empty(), want)
			}
		})
	}
}

// req: I17
func TestT118Empty(t *testing.T) {
	for schema, want := range map[string]bool{
		formWith(``): true,
		`{"type":"object","properties":{},"required":["a"]}`: true,
		formWith(`"a":{"type":"boolean"}`):                   false,
	} {
		if got := formOf(t, schema).empty(); got != want {
			t.Errorf("the form %s is empty: %t, want %t", schema, got, want)
		}
	}
}

// A form may be as large as the bounds say, and no larger.
func TestT118Bounds(t *testing.T) {
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"f%d":{"type":"string"},`, i)
		}
		return formWith(strings.TrimSuffix(b.String(), ","))
	}
	choices := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"const":"%d","title":"t"},`, i)
		}
		return formWith(`"a":{"type":"string","oneOf":[` + strings.TrimSuffix(b.String(), ",") + `]}`)
	}
	size := func(n int) string {
		s := formWith(`"a":{"type":"string","description":""}`)
		return strings.Replace(s, `""`, `"`+strings.Repeat("x", n-len(s))+`"`, 1)
	}
	pattern := func(n int) string {
		return formWith(`"a":{"type":"string","pattern":"` + strings.Repeat("x", n) + `"}`)
	}
	work := func(n int) string { // each takes its length, an instruction for a character, and one for all of them
		var b strings.Builder
		for i, left := 0, n; left > 0; i++ {
			size := min(standard.Pattern, (left-1)/2)
			fmt.Fprintf(&b, `"f%d":{"type":"string","pattern":"%s"},`, i, strings.Repeat("x", size))
			left -= 2*size + 1
		}
		return formWith(strings.TrimSuffix(b.String(), ","))
	}
	for _, tt := range []struct {
		name  string
		of    func(n int) string
		limit int
	}{
		{"properties", fields, standard.FormSchemas - 1}, // the form is one itself
		{"titled choices", choices, standard.FormSchemas - 2},
		{"bytes", size, standard.FormBytes},
		{"bytes of a pattern", pattern, standard.Pattern},
	} {
		for n := tt.limit - 1; n <= tt.limit+1; n++ {
			m, s := valueIn(t, tt.of(n))
			if _, ok := readForm(m, s, &standard); ok != (n <= tt.limit) {
				t.Errorf("%s: readForm of %d = %t, limit %d", tt.name, n, ok, tt.limit)
			}
		}
	}
	for n, want := range map[int]bool{maxPatternWork / 2: true, 2 * maxPatternWork: false} {
		m, s := valueIn(t, work(n))
		if _, ok := readForm(m, s, &standard); ok != want {
			t.Errorf("patterns of work %d: readForm = %t, want %t", n, ok, want)
		}
	}
}

// A form keeps nothing of its message, whose bytes are used again.
func TestT118Copies(t *testing.T) {
	line := []byte(`{"jsonrpc":"2.0","method":"m","params":` + formWith(`"a":{"type":"string","enum":["xy"],"minLength":2,"pattern":"y"}`) + `}`)
	m, err := jsonrpc.Parse(line, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := readForm(m, m.Params, &standard)
	if !ok {
		t.Fatal("readForm refuses")
	}
	clear(line)
	m, s := valueIn(t, `{"a":"xy"}`)
	if !f.accepts(m, s) {
		t.Error("the form changed with its message")
	}
}
