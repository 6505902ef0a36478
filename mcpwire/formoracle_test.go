package mcpwire

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// An oddity is where a form and the schema library disagree on purpose.
type oddity struct {
	reason string
	ours   bool     // what the form says of a content
	format string   // of the member that makes the difference; empty for the one without a field
	values []string // of that member; each must have been met
}

var oddities = []oddity{
	{"an answer holds strings, numbers, booleans and arrays of strings, also in a member without a field", false,
		"", []string{"null", "{}", "[1]", `[["a"]]`, "[null]"}},
	{"the name of a mail host has no empty label", false, "email", []string{"a@b."}},
	{"a quote may be escaped in a quoted local part", true, "email", []string{`"a\"b"@c`}},
	{"RFC 3986 has only ASCII, without quotes, braces and the like", false,
		"uri", []string{"http://a/é", "a:<b>", "a:{b}", `a:"b"`, "a:b|c", "a:b^c", "a:b`c", `a:\b`}},
	{"an escape is a percent sign and two digits, also after an opaque scheme", false, "uri", []string{"a:%4"}},
}

// explains reports whether the oddity is why the form says what it says.
func (o *oddity) explains(c *oracleCase, ours bool, met map[string]bool) bool {
	found := false
	note := func(value string) {
		if slices.Contains(o.values, value) {
			met[o.format+" "+value], found = true, true
		}
	}
	if o.ours != ours {
		return false
	}
	if o.format == "" {
		note(c.extra)
		return found
	}
	for name, f := range c.formats {
		if f == o.format {
			note(c.values[name])
		}
	}
	return found
}

// An oracleCase is a schema and a content.
type oracleCase struct {
	schema, content string
	extra           string            // the value of the member that the schema does not name
	formats         map[string]string // of the members that have one
	values          map[string]string // of the members, unquoted where they are strings
}

// Forms and answers that are made at random get the verdict of a schema library.
func TestT121AgreesWithSchemaLibrary(t *testing.T) {
	const seed, schemas, contents = 20261130, 2000, 6
	r := rand.New(rand.NewPCG(seed, 0))
	met := map[string]bool{}
	valid, pairs := 0, 0
	for range schemas {
		g := newOracleSchema(r)
		f := formOf(t, g.text)
		oracle := compile(t, g.text)
		for range contents {
			c := g.content(r)
			m, s := valueIn(t, c.content)
			got, want := f.accepts(m, s), validates(t, oracle, c.content)
			pairs++
			if want {
				valid++
			}
			if got != want && !slices.ContainsFunc(oddities, func(o oddity) bool { return o.explains(&c, got, met) }) {
				t.Errorf("%s accepts %s: %t, the library says %t", c.schema, c.content, got, want)
			}
		}
	}
	for _, o := range oddities {
		for _, v := range o.values {
			if !met[o.format+" "+v] {
				t.Errorf("no disagreement about %s %s any more: %s", o.format, v, o.reason)
			}
		}
	}
	if valid < pairs/10 || valid > pairs*9/10 {
		t.Errorf("%d of %d contents are valid: too one-sided to tell anything", valid, pairs)
	}
}

func compile(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:form", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:form")
	if err != nil {
		t.Fatalf("compile %s: %v", schema, err)
	}
	return s
}

func validates(t *testing.T, s *jsonschema.Schema, content string) bool {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc) == nil
}

// An oracleSchema makes contents for a form.
type oracleSchema struct {
	text    string
	pools   map[string][]string // values for each member, in JSON, that are worth trying
	formats map[string]string
}

func newOracleSchema(r *rand.Rand) oracleSchema {
	g := oracleSchema{pools: map[string][]string{}, formats: map[string]string{}}
	var fields, required []string
	for i := range 1 + r.IntN(3) {
		name := []string{"a", "b\u00e9", "__proto__", "x y"}[i]
		fields = append(fields, quote(name)+":"+g.field(r, name))
		if r.IntN(2) == 0 {
			required = append(required, quote(name))
		}
	}
	if r.IntN(20) == 0 {
		required = append(required, quote("z")) // of no property
	}
	more := ""
	if r.IntN(4) == 0 {
		more = fmt.Sprintf(`,"additionalProperties":%t`, r.IntN(2) == 0)
	}
	g.text = `{"type":"object","properties":{` + strings.Join(fields, ",") + `},"required":[` + strings.Join(required, ",") + `]` + more + `}`
	return g
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// Values of formats, good and bad.
var formatPool = map[string][]string{
	"email": {"a@b.example", "a@b", "a", "@", "a b@c", "a@b@c", "a..b@c", `"a b"@c`, "a@[127.0.0.1]", "a@[IPv6:::1]", "a@[::1]", "a@-b", "é@b", "a@é", "a.@b", ".a@b", "a@b..c",
		`"a@b`, `"a\"b"@c`, strings.Repeat("a", 65) + "@b", "a@" + strings.Repeat("b.", 130) + "c", "a@b.", "a@b_c", "a@[1.2.3]"},
	"uri": {"http://a/b?c#d", "urn:a:b", "a", "/a", "//a", "", "http://a/é", "http://a b/", "a:%4", "a:<b>", "a:{b}", `a:"b"`, "a:b|c", "a:b^c", "a:b`c", `a:\b`, "http://[::1]:80/", "http://[::1",
		"http://a:x/", "1a:b", ":a", "a:"},
	"date": {"2026-11-30", "2024-02-29", "2025-02-29", "2026-13-01", "2026-1-1", "0000-01-01", "2026-11-31", "", "2026-11-30T", "20261130", "1900-02-29"},
	"date-time": {"2026-11-30T20:05:00Z", "2026-11-30t20:05:00z", "2026-11-30T20:05:00.5+01:00", "2026-11-30 20:05:00Z", "2026-11-30T24:00:00Z", "2026-11-30T20:05:60Z", "1998-12-31T23:59:60Z",
		"1998-12-31T15:59:60-08:00", "1998-12-31T15:59:60+08:00", "2026-11-30T20:05:00", "2026-11-30T20:05:00,5Z", "2026-11-30T20:05:00.Z", "2026-11-30T20:05:00+24:00", "2026-02-30T00:00:00Z", "", "Z",
		"2026-11-30T20:05:00+01:60", "2026-11-30T2:05:00Z"},
}

var (
	stringPool  = []string{`""`, `"a"`, `"ab"`, `"abc"`, `"é"`, `"e\u0301"`, `"😀😀"`, `"\ud83d\ude00"`, `"b1"`, `"A"`, `"a\n"`, `" "`}
	numberPool  = []string{`0`, `-0`, `0.0`, `1`, `1.0`, `1e0`, `10e-1`, `1.5`, `-1`, `-1.5`, `2`, `3`, `100`, `1e2`, `9007199254740992`, `9007199254740993`, `9007199254740993.0`, `9007199254740993.5`, `0.1`, `0.10`, `1e-7`, `1e30`, `-1e30`, `1000000000000000000000000000001`}
	patternPool = []string{"a", "^a", "b[0-9]", "^.{2}$", `^\\w+$`, "(?i)^a$", "[^a]", "^$", `\\x{1f600}`}
	otherPool   = []string{`null`, `true`, `false`, `[]`, `{}`, `["a"]`, `[1]`, `"1"`, `1`, `[["a"]]`, `[null]`}
)

// field makes the schema of a member.
func (g *oracleSchema) field(r *rand.Rand, name string) string {
	maybe := func(text string, of ...any) string {
		if r.IntN(3) > 0 {
			return ""
		}
		return "," + fmt.Sprintf(text, of...)
	}
	bound := func() string { return numberPool[r.IntN(len(numberPool))] }
	pool := func(values ...string) { g.pools[name] = append(g.pools[name], values...) }
	pool(otherPool[r.IntN(len(otherPool))])
	switch r.IntN(7) {
	case 0:
		pool(numberPool...)
		return `{"type":"` + []string{"number", "integer"}[r.IntN(2)] + `"` + maybe(`"minimum":%s`, bound()) + maybe(`"maximum":%s`, bound()) +
			maybe(`"exclusiveMinimum":%s`, bound()) + maybe(`"exclusiveMaximum":%s`, bound()) + `}`
	case 1:
		pool(`true`, `false`)
		return `{"type":"boolean"` + maybe(`"default":1`) + `}`
	case 2:
		pool(`"x"`, `"y"`, `"z"`, `"X"`, `"\u0078"`)
		return `{"type":"string","enum":["x","y"]` + maybe(`"enumNames":["X","Y"]`) + maybe(`"minLength":%d`, r.IntN(3)) + `}`
	case 3:
		pool(`"x"`, `"y"`, `"z"`, `"X"`)
		return `{"type":"string","oneOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}]` + maybe(`"enum":["x","z"]`) + `}`
	case 4:
		pool(`[]`, `["x"]`, `["x","y"]`, `["x","x"]`, `["y","x","y"]`, `["z"]`, `["x",1]`, `"x"`, `["x","y","z"]`, `["x","\u0078"]`)
		items := []string{`{"type":"string","enum":["x","y"]}`, `{"anyOf":[{"const":"x","title":"X"},{"const":"z","title":"Z"}]}`, `{"enum":["x","y","z"],"maxLength":1}`}[r.IntN(3)]
		return `{"type":"array","items":` + items + maybe(`"minItems":%d`, r.IntN(3)) + maybe(`"maxItems":%d`, r.IntN(4)) + maybe(`"uniqueItems":%t`, r.IntN(2) == 0) + `}`
	case 5:
		format := slices.Sorted(maps.Keys(formatPool))[r.IntN(len(formatPool))]
		g.formats[name] = format
		for _, s := range formatPool[format] {
			pool(quote(s))
		}
		return `{"type":"string","format":"` + format + `"` + maybe(`"maxLength":%d`, r.IntN(30)) + `}`
	}
	pool(stringPool...)
	return `{"type":"string"` + maybe(`"minLength":%d`, r.IntN(3)) + maybe(`"maxLength":%d.0`, r.IntN(3)) + maybe(`"pattern":"%s"`, patternPool[r.IntN(len(patternPool))]) + `}`
}

// content makes a content for the form.
func (g *oracleSchema) content(r *rand.Rand) oracleCase {
	c := oracleCase{schema: g.text, formats: g.formats, values: map[string]string{}}
	var members []string
	for _, name := range slices.Sorted(maps.Keys(g.pools)) {
		if r.IntN(6) == 0 {
			continue
		}
		pool := g.pools[name]
		value := pool[r.IntN(len(pool))]
		members = append(members, quote(name)+":"+value)
		if json.Unmarshal([]byte(value), new(string)) == nil {
			var s string
			_ = json.Unmarshal([]byte(value), &s)
			value = s
		}
		c.values[name] = value
	}
	if r.IntN(8) == 0 {
		c.extra = otherPool[r.IntN(len(otherPool))]
		members = append(members, `"z":`+c.extra)
	}
	c.content = `{` + strings.Join(members, ",") + `}`
	return c
}
