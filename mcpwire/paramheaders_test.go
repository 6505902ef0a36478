package mcpwire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// parseUp returns a message as a reader of the upstream gives it.
func parseUp(t testing.TB, line string) *jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.Parse([]byte(line), &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// treeOf returns what is known of a tool with this input schema.
func treeOf(t testing.TB, schema string) *paramTree {
	t.Helper()
	m := parseUp(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":`+schema+`}]}}`)
	w := m.Walk(m.Member(int(memTools)).Value)
	w.Next()
	tool := readTool(m, w, &standard)
	if tool.invalid {
		t.Fatalf("%s is not valid", schema)
	}
	return tool.params
}

// paramSchema is an input schema with a property of each kind, and one below another.
const paramSchema = `{"type":"object","properties":{
	"s":{"type":"string","x-mcp-header":"S"},
	"o":{"type":"object","properties":{"i":{"type":"integer","x-mcp-header":"I"},"t":{"type":"string","x-mcp-header":"T"}}},
	"b":{"type":"boolean","x-mcp-header":"B"},
	"x":{"type":"string"}}}`

// req: W15
func TestT200(t *testing.T) {
	tree := treeOf(t, strings.ReplaceAll(paramSchema, "\n", ""))
	for _, tt := range []struct{ name, arguments, want string }{
		{"all, in the order of the schema", `{"b":true,"o":{"t":"t","i":1},"s":"x"}`, "S: x, I: 1, T: t, B: true"},
		{"none", `{}`, ""},
		{"others", `{"x":"y","y":"z","i":1,"S":"x"}`, ""},
		{"null", `{"s":null,"b":null,"o":null}`, ""},
		{"null below", `{"o":{"i":null}}`, ""},
		{"false", `{"b":false}`, "B: false"},
		{"the empty string", `{"s":""}`, "S: =?base64??="},
		{"escapes", `{"\u0073":"a\u0062\/"}`, "S: ab/"},
		{"not ASCII", `{"s":"é"}`, "S: =?base64?w6k=?="},
		{"wrong types", `{"s":1,"b":"true","o":{"i":"1","t":true}}`, ""},
		{"an object in place of a string", `{"s":{"i":1}}`, ""},
		{"an array in place of an object", `{"o":[{"i":1}]}`, ""},
		{"a string in place of an object", `{"o":"i"}`, ""},
		{"zero", `{"o":{"i":0}}`, "I: 0"},
		{"zero below zero", `{"o":{"i":-0.0}}`, "I: 0"},
		{"below zero", `{"o":{"i":-7}}`, "I: -7"},
		{"an integer with a fraction of zero", `{"o":{"i":42.0}}`, "I: 42"},
		{"an integer with an exponent", `{"o":{"i":4.2e1}}`, "I: 42"},
		{"a large exponent that makes it small", `{"o":{"i":4200e-2}}`, "I: 42"},
		{"a fraction", `{"o":{"i":42.5}}`, ""},
		{"a tiny fraction", `{"o":{"i":1e-400}}`, ""},
		{"the largest", `{"o":{"i":9007199254740991}}`, "I: 9007199254740991"},
		{"the smallest", `{"o":{"i":-9007199254740991}}`, "I: -9007199254740991"},
		{"one more", `{"o":{"i":9007199254740992}}`, "refused"},
		{"one less", `{"o":{"i":-9007199254740992}}`, "refused"},
		{"far more", `{"o":{"i":1e400}}`, "refused"},
		{"ten to the sixteenth", `{"o":{"i":1e16}}`, "refused"},
		{"ten to the fifteenth", `{"o":{"i":1e15}}`, "I: 1000000000000000"},
		{"a value twice", `{"s":"a","s":"b"}`, "refused"},
		{"a value twice, one with an escape", `{"s":"a","\u0073":"b"}`, "refused"},
		{"a path twice", `{"o":{"t":"a"},"o":{"i":1}}`, "refused"},
		{"another value twice", `{"x":"a","x":"b","s":"c"}`, "S: c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := parse(t, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":`+tt.arguments+`}}`)
			if got := headersText(paramHeaders(m, tree, 1000)); got != tt.want {
				t.Errorf("headers %q, want %q", got, tt.want)
			}
		})
	}
}

func headersText(h Headers, ok bool) string {
	if !ok {
		return "refused"
	}
	var all []string
	for _, v := range h {
		all = append(all, strings.TrimPrefix(v.Name, "Mcp-Param-")+": "+v.Value)
	}
	return strings.Join(all, ", ")
}

// T200: what cannot be said in a header does not go out, and nothing is made up for it.
//
// req: W15
func TestT200Refused(t *testing.T) {
	p := openedHTTP(t, Options{}, `"tools":{}`)
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"i":9007199254740993}}}` +
		listUp(2, "") + pageUp(2, aTool("t", `"i":{"type":"integer","x-mcp-header":"I"}`), "") + failed(7, CauseInvalidParams) + `
		F> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"t","arguments":{"i":1}}}
		U< {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t","arguments":{"i":1},METAHTTP}}
		H< Mcp-Name: t, Mcp-Param-I: 1`)
}

// Headers have a bound together.
func TestHeadersLimit(t *testing.T) {
	const limit = 100
	tool := aTool("t", `"s":{"type":"string","x-mcp-header":"S"},"i":{"type":"integer","x-mcp-header":"I"}`)
	for _, tt := range []struct {
		name, request string
		refused       bool
	}{
		{"a name", fmt.Sprintf(`"prompts/get","params":{"name":"%s"}`, strings.Repeat("n", limit)), false},
		{"a longer name", fmt.Sprintf(`"prompts/get","params":{"name":"%s"}`, strings.Repeat("n", limit+1)), true},
		{"escapes are no length", fmt.Sprintf(`"prompts/get","params":{"name":"%s"}`, strings.Repeat(`\u006e`, limit)), false},
		{"a URI", fmt.Sprintf(`"resources/read","params":{"uri":"%s"}`, strings.Repeat("u", limit)), false},
		{"a longer URI", fmt.Sprintf(`"resources/read","params":{"uri":"%s"}`, strings.Repeat("u", limit+1)), true},
		{"an argument", fmt.Sprintf(`"tools/call","params":{"name":"t","arguments":{"s":"%s"}}`, strings.Repeat("s", limit-1-len("Mcp-Param-S"))), false},
		{"a longer argument", fmt.Sprintf(`"tools/call","params":{"name":"t","arguments":{"s":"%s"}}`, strings.Repeat("s", limit-len("Mcp-Param-S"))), true},
		{"a far longer argument", fmt.Sprintf(`"tools/call","params":{"name":"t","arguments":{"s":"%s"}}`, strings.Repeat("s", 100*limit)), true},
		{"a far longer number", fmt.Sprintf(`"tools/call","params":{"name":"t","arguments":{"i":1.%s}}`, strings.Repeat("0", 100*limit)), true},
		{"a far longer argument of another type", fmt.Sprintf(`"tools/call","params":{"name":"t","arguments":{"i":"%s"}}`, strings.Repeat("s", 100*limit)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{Limits: Limits{Headers: limit}}, `"tools":{},"resources":{},"prompts":{}`)
			p.session.core.index.add(&listedTool{name: "t", params: treeOf(t, tool[len(`{"name":"t","inputSchema":`):len(tool)-1])}, &standard)
			p.input("F>", `{"jsonrpc":"2.0","id":7,"method":`+tt.request+`}`)
			if got := strings.Contains(p.wrote[0], `"invalid_params"`); got != tt.refused {
				t.Errorf("wrote\n%.300s\nrefused: %v, want %v", p.wrote, got, tt.refused)
			}
		})
	}
}

// Whatever the schema and the arguments: headers are headers, each once, and each says
// what the argument at its path is.
func FuzzParamHeaders(f *testing.F) {
	f.Add(paramSchema, `{"s":"x","o":{"i":4.0,"t":"é"},"b":false}`)
	f.Add(`{"properties":{"a":{"properties":{"b":{"type":"string","x-mcp-header":"H"}}}}}`, `{"a":{"b":"\ud83d\ude00"}}`)
	f.Add(`{"properties":{"a":{"type":"integer","x-mcp-header":"H"},"b":{"type":"string","x-mcp-header":"h"}}}`, `{"a":1e3,"b":""}`)
	f.Add(`{"items":{"type":"string","x-mcp-header":"H"}}`, `{}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		read := &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true}
		list, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":`+oneLine(schema)+`}]}}`), read)
		if err != nil || list.Kind != jsonrpc.KindResponse {
			t.Skip()
		}
		call, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":`+oneLine(arguments)+`}}`), &jsonrpc.ReaderOptions{Members: Members()})
		if err != nil {
			t.Skip()
		}
		w := list.Walk(list.Member(int(memTools)).Value)
		if !w.Next() || w.First() != '{' {
			t.Skip()
		}
		tool := readTool(list, w, &standard)
		got, ok := paramHeaders(call, tool.params, 1<<20)
		if !ok {
			return
		}
		values := map[string]any{}
		if err := json.Unmarshal(call.AppendSpan(nil, call.Member(int(memArguments)).Value), &values); err != nil && len(got) > 0 {
			t.Fatalf("headers %v of arguments that are no object", got)
		}
		checkParamHeaders(t, tool.params, got, values)
	})
}

// oneLine makes JSON that stands on several lines stand on one.
func oneLine(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }

func checkParamHeaders(t *testing.T, tree *paramTree, got Headers, values map[string]any) {
	t.Helper()
	seen := map[string]bool{}
	for _, h := range got {
		key := strings.ToLower(h.Name)
		if seen[key] || !strings.HasPrefix(h.Name, "Mcp-Param-") || !isHeaderName(h.Name) {
			t.Fatalf("header %q", h.Name)
		}
		seen[key] = true
		want, found := valueOf(tree, h.Name, values)
		if text := decodeHeader(t, h.Value); !found || text != want {
			t.Fatalf("header %s: %q, want %q", h.Name, text, want)
		}
	}
}

// valueOf finds the argument of a header as another reader of JSON has it.
func valueOf(tree *paramTree, header string, value any) (string, bool) {
	if tree.header == header {
		if tree.kind == paramInteger {
			n, ok := value.(float64)
			return fmt.Sprintf("%.0f", n+0), ok
		}
		return fmt.Sprint(value), true
	}
	object, _ := value.(map[string]any)
	for name, sub := range tree.below {
		if inner, ok := object[name]; ok {
			if text, found := valueOf(sub, header, inner); found {
				return text, true
			}
		}
	}
	return "", false
}
