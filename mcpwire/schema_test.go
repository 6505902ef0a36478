package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// properties are n members of an object, all with the same value.
func properties(n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"p%d":%s`, i, value)
	}
	return b.String()[1:]
}

// schemas plays input schemas before and after; an empty after means that the
// tool goes.
func schemas(t *testing.T, o Options, cases []rewriteCase) {
	t.Helper()
	for i, c := range cases {
		to := `{"tools":[]}`
		if c.to != "" {
			to = `{"tools":[{"name":"t","inputSchema":` + c.to + `}]}`
		}
		cases[i] = rewriteCase{c.name, `{"tools":[{"name":"t","inputSchema":` + c.from + `}]}`, to}
	}
	answers(t, o, listTools, cases)
}

// req: W06
func TestT80(t *testing.T) {
	const bare, mended = `{"type":"array"}`, `{"type":"array","items":{}}`
	cases := []rewriteCase{
		{"an array", bare, mended},
		{"a list of types with array", `{"type":["array","null"]}`, `{"type":["array","null"],"items":{}}`},
		{"a list of types without array", `{"type":["string","null"]}`, `{"type":["string","null"]}`},
		{"an array of arrays", `{"type":"array","items":` + bare + `}`, `{"type":"array","items":` + mended + `}`},
		{"a list of items", `{"type":"array","items":[` + bare + `]}`, `{"type":"array","items":[` + mended + `]}`},
		{"prefixItems", `{"type":"array","prefixItems":[` + bare + `]}`, `{"type":"array","prefixItems":[` + mended + `],"items":{}}`},
		{"escaped", `{"ty\u0070e":"arr\u0061y"}`, `{"ty\u0070e":"arr\u0061y","items":{}}`},
		{"items that are a boolean", `{"type":"array","items":true}`, `{"type":"array","items":true}`},
		{"a type that is a number", `{"type":42}`, `{"type":42}`},
		{"data", `{"enum":[{"type":"array"}],"const":{"type":"array"},"default":{"type":"array"},"examples":[{"type":"array"}]}`, `{"enum":[{"type":"array"}],"const":{"type":"array"},"default":{"type":"array"},"examples":[{"type":"array"}]}`},
		{"properties that are named as keywords", `{"properties":{"items":` + bare + `,"type":` + bare + `}}`, `{"properties":{"items":` + mended + `,"type":` + mended + `}}`},
	}
	for i, c := range cases {
		cases[i].from = `{"type":"object","properties":{"a":` + c.from + `}}`
		cases[i].to = `{"type":"object","properties":{"a":` + c.to + `}}`
	}
	under := func(keyword, open, end string) {
		cases = append(cases, rewriteCase{"under " + keyword,
			`{"type":"object","` + keyword + `":` + open + bare + end + `}`,
			`{"type":"object","` + keyword + `":` + open + mended + end + `}`})
	}
	for _, k := range []string{"additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems", "contains", "not", "if", "then", "else"} {
		under(k, ``, ``)
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		under(k, `[true,`, `]`)
	}
	for _, k := range []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"} {
		under(k, `{"x":`, `}`)
	}
	schemas(t, Options{}, cases)
	for _, o := range []Options{{}, {Profile: VSCode}} {
		p := opened(t, o)
		p.play(`
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object","not":` + bare + `},"outputSchema":{"type":"object","not":` + bare + `}}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"a","inputSchema":{"type":"object","not":` + mended + `},"outputSchema":{"type":"object","not":` + mended + `}}]}}`)
		if got := p.logged(EventRepaired, "T80"); got != 2 {
			t.Errorf("logged %d repairs, want 2", got)
		}
	}
}

// req: W06
func TestT80Limits(t *testing.T) {
	nested := func(depth int) string { // the root is level 1
		return strings.Repeat(`{"type":"object","not":`, depth-1) + `{"type":"object"}` + strings.Repeat(`}`, depth-1)
	}
	wide := func(n int) string { // n subschemas with the root
		return `{"type":"object","allOf":[` + strings.TrimSuffix(strings.Repeat(`{},`, n-1), ",") + `]}`
	}
	chain := func(depth int, open, end string) string {
		return strings.Repeat(`{"type":"object",`+open, depth-1) + `{"type":"object"}` + strings.Repeat(end+`}`, depth-1)
	}
	schemas(t, Options{Limits: Limits{SchemaDepth: 5, Subschemas: 20}}, []rewriteCase{
		{"one level less", nested(4), nested(4)}, {"as many levels", nested(5), nested(5)}, {"one level more", nested(6), ``},
		{"as many levels in lists", chain(5, `"allOf":[`, `]`), chain(5, `"allOf":[`, `]`)}, {"one more in lists", chain(6, `"allOf":[`, `]`), ``},
		{"as many levels of properties", chain(5, `"properties":{"a":`, `}`), chain(5, `"properties":{"a":`, `}`)}, {"one more of properties", chain(6, `"properties":{"a":`, `}`), ``},
		{"as many levels of definitions", chain(5, `"$defs":{"a":`, `}`), chain(5, `"$defs":{"a":`, `}`)}, {"one more of definitions", chain(6, `"$defs":{"a":`, `}`), ``},
		{"as many levels of items", chain(5, `"items":`, ``), chain(5, `"items":`, ``)}, {"one more of items", chain(6, `"items":`, ``), ``},
		{"as many boolean properties", `{"type":"object","properties":{` + properties(19, `true`) + `}}`, `{"type":"object","properties":{` + properties(19, `{}`) + `}}`},
		{"one boolean property more", `{"type":"object","properties":{` + properties(20, `true`) + `}}`, ``},
		{"one subschema less", wide(19), wide(19)}, {"as many subschemas", wide(20), wide(20)}, {"one subschema more", wide(21), ``},
	})
}

// req: W06
func TestT81(t *testing.T) {
	schemas(t, Options{}, []rewriteCase{
		{"an empty root", `{}`, `{"type":"object"}`},
		{"a root without type", `{"properties":{}}`, `{"type":"object","properties":{}}`},
		{"nothing but a bad required", `{"required":true}`, `{"type":"object"}`},
		{"a root that is an array", `{"type":"array"}`, ``},
		{"a root with a list of types", `{"type":["object"]}`, ``},
		{"booleans as properties", `{"type":"object","properties":{"a":true,"b":false,"c":{}}}`, `{"type":"object","properties":{"a":{},"b":{"not":{}},"c":{}}}`},
		{"additionalItems of no type", `{"type":"object","additionalItems":7,"properties":{"a":{"additionalItems":"x","type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"additionalItems", `{"type":"object","additionalItems":false,"not":{"additionalItems":{"type":"array"}}}`, `{"type":"object","additionalItems":false,"not":{"additionalItems":{"type":"array","items":{}}}}`},
		{"booleans elsewhere", `{"type":"object","patternProperties":{"a":true},"additionalProperties":false}`, `{"type":"object","patternProperties":{"a":true},"additionalProperties":false}`},
		{"required names", `{"type":"object","required":["a"]}`, `{"type":"object","required":["a"]}`},
		{"required is null", `{"required":null,"type":"object"}`, `{"type":"object"}`},
		{"required numbers, and a boolean below", `{"type":"object","required":[1],"properties":{"a":{"required":true}}}`, `{"type":"object","properties":{"a":{}}}`},
		{"keywords of 2020-12", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"x":{"type":"string"}},"x-mcp-header":"R"}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"x":{"type":"string"}},"x-mcp-header":"R"}`},
	})
}
