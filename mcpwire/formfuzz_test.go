package mcpwire

import (
	"encoding/json"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// formLine returns a message with a text for the schema of a form, or the result of
// an answer, and no message if the line is bad.
func formLine(head, text string) *jsonrpc.Message {
	m, err := jsonrpc.Parse([]byte(head+text+`}`), &jsonrpc.ReaderOptions{MaxDepth: 512, AllowLoneSurrogates: true})
	if err != nil {
		return nil
	}
	return m
}

const (
	schemaHead = `{"jsonrpc":"2.0","method":"m","params":`
	resultHead = `{"jsonrpc":"2.0","id":"b-1","result":`
)

// FuzzReadForm reads any schema. What is read as a form has as many properties as
// encoding/json finds, and each of these needs a field of its own.
func FuzzReadForm(f *testing.F) {
	f.Add(formWith(`"a":{"type":"string","minLength":1,"maxLength":9,"format":"email","pattern":"^a+"},"b":{"type":"string","enum":["x"],"enumNames":["X"]}`))
	f.Add(formWith(`"a":{"type":"string","oneOf":[{"const":"x","title":"X"}]},"b":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]},"uniqueItems":true}`))
	f.Add(`{"type":"object","properties":{"a":{"type":"integer","minimum":1e9,"exclusiveMaximum":-0.5},"b":{"type":"boolean"}},"required":["a","c"],"additionalProperties":false}`)
	f.Add(formWith(`"a":{"type":"string","pattern":"(a{9}|[^\\pL]){9,}"}`))
	f.Fuzz(func(t *testing.T, schema string) {
		m := formLine(schemaHead, schema)
		if m == nil {
			return
		}
		form, ok := readForm(m, m.Params, &standard)
		if !ok {
			return
		}
		var flat, fields map[string]json.RawMessage // a struct would take names in any case
		if json.Unmarshal([]byte(schema), &flat) != nil || json.Unmarshal(flat["properties"], &fields) != nil {
			t.Fatalf("%s is no form", schema)
		}
		if form.listed != len(fields) {
			t.Errorf("%s has %d properties, want %d", schema, form.listed, len(fields))
		}
		for name, text := range fields {
			var field map[string]json.RawMessage
			var kind string
			if json.Unmarshal(text, &field) != nil || json.Unmarshal(field["type"], &kind) != nil {
				t.Fatalf("%s: %s is no field", schema, text)
			}
			if i, found := form.places[name]; !found || fieldKinds[kind] != form.fields[i].kind {
				t.Errorf("%s: no field %q of type %s", schema, name, kind)
			}
		}
	})
}

// FuzzFormAnswer answers any form. What goes upstream of an answer is JSON, and as an
// answer it would go upstream the same.
func FuzzFormAnswer(f *testing.F) {
	f.Add(formWith(`"a":{"type":"string","maxLength":2,"pattern":"^a"},"b":{"type":"integer","minimum":3}`), `{"action":"accept","content":{"a":"a\u0062","b":3.0}}`)
	f.Add(formWith(`"a":{"type":"array","items":{"enum":["x"]},"maxItems":1}`), `{"action":"accept","content":{"a":["x"],"z":["y"]}}`)
	f.Add(formWith(`"a":{"type":"string","format":"date-time"},"b":{"type":"string","format":"uri"}`), `{"action":"accept","content":{"a":"2026-11-30T20:05:60.5+23:59","b":"a:%41"}}`)
	f.Add(formWith(`"a":{"type":"string","format":"email"},"b":{"type":"string","format":"date"}`), `{"action":"accept","content":{"a":"\"a\\\"\"@[IPv6:::1]","b":"2024-02-29"}}`)
	f.Add(formWith(``), `{"action":"decline","content":{"a":1}}`)
	f.Fuzz(func(t *testing.T, schema, result string) {
		q, a := formLine(schemaHead, schema), formLine(resultHead, result)
		if q == nil || a == nil {
			return
		}
		form, ok := readForm(q, q.Params, &standard)
		if !ok {
			return
		}
		answer, _, ok := (&replyReader{a, 0}).appendForm(nil, form)
		if !ok {
			return
		}
		if !json.Valid(answer) {
			t.Fatalf("%s to %s goes upstream as %s", result, schema, answer)
		}
		again, _, ok := (&replyReader{formLine(resultHead, string(answer)), 0}).appendForm(nil, form)
		if !ok || string(again) != string(answer) {
			t.Errorf("%s goes upstream as %s, %t", answer, again, ok)
		}
	})
}
