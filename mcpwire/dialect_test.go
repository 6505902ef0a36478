package mcpwire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A schema that is valid in 2020-12 reaches the front valid in draft-07 too, by which
// the editor judges it (T81). One that was not valid gets the same repairs and no more.
//
// req: W06
func TestT81Dialects(t *testing.T) {
	c := jsonschema.NewCompiler()
	older, err := c.Compile("http://json-schema.org/draft-07/schema")
	if err != nil {
		t.Fatal(err)
	}
	newer, err := c.Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	const array = `{"type":"array"}`
	for _, s := range []string{
		`{"type":"object"}`, `{}`, `{"properties":{"a":true,"b":false}}`,
		`{"type":"object","properties":{"a":` + array + `,"b":{"type":["array","null"],"minItems":1}}}`,
		`{"type":"object","additionalItems":7,"properties":{"a":{"additionalItems":"x"}}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://a.example/s","type":"object","$defs":{"x":` + array + `},"properties":{"a":{"$ref":"#/$defs/x","description":"d"},"b":{"$dynamicRef":"#m"},"c":{"$anchor":"m"}}}`,
		`{"type":"object","properties":{"a":{"type":"array","prefixItems":[` + array + `,true],"items":false,"contains":` + array + `,"minContains":0}}}`,
		`{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"a":` + array + `},"unevaluatedProperties":false,"propertyNames":{"pattern":"^a"}}`,
		`{"type":"object","allOf":[{"if":` + array + `,"then":{"required":["a"]},"else":false},{"not":{}}],"anyOf":[true],"oneOf":[` + array + `]}`,
		`{"type":"object","patternProperties":{"^x":` + array + `},"additionalProperties":` + array + `,"definitions":{"y":` + array + `}}`,
		`{"type":"object","properties":{"a":{"type":"array","unevaluatedItems":` + array + `}},"default":{"type":"array"},"examples":[{"type":"array"}]}`,
	} {
		if err := newer.Validate(value(t, s)); err != nil {
			t.Fatalf("the schema of the test is not valid in 2020-12: %s: %v", s, err)
		}
		p := opened(t, Options{Profile: VSCode})
		p.input("F>", listTools)
		p.wrote = nil
		p.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","inputSchema":`+s+`,"outputSchema":`+s+`}]}}`)
		var got struct {
			Result struct {
				Tools []struct{ InputSchema, OutputSchema json.RawMessage }
			}
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(p.wrote[0], "F< ")), &got); err != nil || len(got.Result.Tools) != 1 {
			t.Errorf("%s gave %s (%v)", s, p.wrote[0], err)
			continue
		}
		for _, written := range []json.RawMessage{got.Result.Tools[0].InputSchema, got.Result.Tools[0].OutputSchema} {
			for name, dialect := range map[string]*jsonschema.Schema{"draft-07": older, "2020-12": newer} {
				if err := dialect.Validate(value(t, string(written))); err != nil {
					t.Errorf("%s became %s, which is not valid in %s: %v", s, written, name, err)
				}
			}
		}
	}
	schemas(t, Options{Profile: VSCode}, []rewriteCase{
		{"one that is not valid", `{"type":"object","properties":{"a":{"type":42,"minimum":"x"},"b":` + array + `}}`, `{"type":"object","properties":{"a":{"type":42,"minimum":"x"},"b":{"type":"array","items":{}}}}`},
	})
}

func value(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
