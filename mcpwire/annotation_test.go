package mcpwire

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// T199: which annotations are valid. A tool with one that is not is left out of the list,
// and not called.
//
// req: W15
func TestT199Annotations(t *testing.T) {
	const mark = `"x-mcp-header":"R"`
	property := func(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }
	good := `{"type":"string",` + mark + `}`
	for _, tt := range []struct {
		name, schema string
		want         string // headers by path; "invalid" for an annotation that is not valid
	}{
		{"none", property(`{"type":"string"}`), ""},
		{"a string", property(good), "a=R"},
		{"an integer", property(`{` + mark + `,"type":"integer"}`), "a=R"},
		{"a boolean", property(`{"type":"boolean",` + mark + `}`), "a=R"},
		{"in a property of a property", property(`{"type":"object","properties":{"b":` + good + `}}`), "a.b=R"},
		{"names with escapes", `{"type":"object","properties":{"\u0061":{"t\u0079pe":"str\u0069ng","x-mcp-\u0068eader":"\u0052"}}}`, "a=R"},
		{"every byte of a token", property(`{"type":"string","x-mcp-header":"!#$%&'*+-.^_` + "`" + `|~09azAZ"}`), "a=!#$%&'*+-.^_`|~09azAZ"},
		{"two", `{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"},"a":{"type":"string","x-mcp-header":"A"}}}`, "a=A,b=B"},
		{"a property of that name", property(`{"type":"object","properties":{"x-mcp-header":{"type":"string"}}}`), ""},
		{"in data", property(`{"type":"object","default":` + good + `,"enum":[` + good + `],"const":` + good + `,"examples":[` + good + `]}`), ""},
		{"under a keyword that nobody knows", property(`{"type":"object","x-other":` + good + `}`), ""},
		{"beside a reference to it", property(`{"type":"object","$ref":"#","properties":{"b":` + good + `}}`), "a.b=R"},

		{"a number", property(`{"type":"number",` + mark + `}`), "invalid"},
		{"an object", property(`{"type":"object",` + mark + `}`), "invalid"},
		{"a list of types", property(`{"type":["string","null"],` + mark + `}`), "invalid"},
		{"a list of one type", property(`{"type":["string"],` + mark + `}`), "invalid"},
		{"no type", property(`{` + mark + `}`), "invalid"},
		{"two types", property(`{"type":"string","type":"string",` + mark + `}`), "invalid"},
		{"two names", property(`{"type":"string",` + mark + `,"x-mcp-header":"S"}`), "invalid"},
		{"an empty name", property(`{"type":"string","x-mcp-header":""}`), "invalid"},
		{"a name that is no token", property(`{"type":"string","x-mcp-header":"a b"}`), "invalid"},
		{"a name with a line break", property(`{"type":"string","x-mcp-header":"a\r\nb"}`), "invalid"},
		{"a name that is not ASCII", property(`{"type":"string","x-mcp-header":"é"}`), "invalid"},
		{"a name that is no string", property(`{"type":"string","x-mcp-header":1}`), "invalid"},
		{"a name with a lone surrogate", property(`{"type":"string","x-mcp-header":"\ud800"}`), "invalid"},
		{"a reference", property(`{"type":"string","$ref":"#/$defs/x",` + mark + `}`), "invalid"},
		{"the name twice, in other case", `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"r"},"b":` + good + `}}`, "invalid"},
		{"a property twice", `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"S"},"a":` + good + `}}`, "invalid"},
		{"the whole input", `{"type":"object",` + mark + `}`, "invalid"},
		{"under items", property(`{"type":"array","items":` + good + `}`), "invalid"},
		{"under prefixItems", property(`{"type":"array","items":{},"prefixItems":[{},` + good + `]}`), "invalid"},
		{"under additionalProperties", property(`{"type":"object","additionalProperties":` + good + `}`), "invalid"},
		{"under patternProperties", `{"type":"object","patternProperties":{"^a":` + good + `}}`, "invalid"},
		{"under anyOf", property(`{"anyOf":[` + good + `]}`), "invalid"},
		{"under oneOf", property(`{"oneOf":[` + good + `]}`), "invalid"},
		{"under allOf", property(`{"allOf":[` + good + `]}`), "invalid"},
		{"under not", property(`{"not":` + good + `}`), "invalid"},
		{"under if", `{"type":"object","if":{"properties":{"a":` + good + `}}}`, "invalid"},
		{"under then", `{"type":"object","then":{"properties":{"a":` + good + `}}}`, "invalid"},
		{"under else", `{"type":"object","else":{"properties":{"a":` + good + `}}}`, "invalid"},
		{"under $defs", `{"type":"object","$defs":{"a":` + good + `}}`, "invalid"},
		{"one of two", `{"type":"object","properties":{"a":` + good + `,"b":{"type":"number","x-mcp-header":"S"}}}`, "invalid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := parseUp(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":`+tt.schema+`}]}}`)
			w := m.Walk(m.Member(int(memTools)).Value)
			w.Next()
			tool := readTool(m, w, &standard)
			got := strings.Join(leaves(tool.params, ""), ",")
			if tool.invalid {
				got = "invalid"
			}
			if got != tt.want || tool.name != "t" {
				t.Errorf("headers %q of %q, want %q", got, tool.name, tt.want)
			}
			leftOut(t, tt.schema, tt.want == "invalid")
		})
	}
}

// leaves returns the headers of a tree, as path=name.
func leaves(tree *paramTree, path string) []string {
	if tree == nil {
		return nil
	}
	var all []string
	if tree.header != "" {
		all = append(all, path[1:]+"="+strings.TrimPrefix(tree.header, "Mcp-Param-"))
	}
	for _, name := range slices.Sorted(maps.Keys(tree.below)) {
		all = append(all, leaves(tree.below[name], path+"."+name)...)
	}
	return all
}

// leftOut checks whether a tool with this schema reaches the front over HTTP, and can be
// called; on stdio nothing of this counts.
func leftOut(t *testing.T, schema string, want bool) {
	t.Helper()
	p := openedHTTP(t, Options{}, `"tools":{}`)
	p.input("F>", listTools)
	p.wrote = nil
	p.input("U>", `2 {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","inputSchema":`+schema+`}]}}`)
	if got := strings.Contains(p.wrote[len(p.wrote)-1], `"tools":[]`); got != want || (p.logged(EventDropped, "T199") > 0) != want {
		t.Errorf("the front gets\n%s\nand the log %v, left out: %v, want %v", p.wrote, p.log, got, want)
	}
	p.wrote = nil
	p.input("F>", callTool)
	if got := strings.Contains(p.wrote[0], `"invalid_params"`); got != want {
		t.Errorf("a call becomes\n%s\nrefused: %v, want %v", p.wrote, got, want)
	}
	o := opened(t, Options{})
	o.input("F>", listTools)
	o.wrote = nil
	o.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","inputSchema":`+schema+`}]}}`)
	if strings.Contains(o.wrote[0], `"tools":[]`) {
		t.Errorf("on stdio the front gets\n%s", o.wrote)
	}
}

// A schema that is too deep, or too large, to be read has no tool over HTTP, as it has
// none for the front (T80).
func TestT199SchemaLimits(t *testing.T) {
	nested := func(levels int) string {
		return strings.Repeat(`{"type":"object","properties":{"a":`, levels) + `{"type":"string","x-mcp-header":"R"}` + strings.Repeat(`}}`, levels)
	}
	for _, tt := range []struct {
		name, schema string
		limits       Limits
		want         bool
	}{
		{"depth", nested(3), Limits{SchemaDepth: 4, Subschemas: 100}, true},
		{"one level more", nested(4), Limits{SchemaDepth: 4, Subschemas: 100}, false},
		{"subschemas", nested(3), Limits{SchemaDepth: 100, Subschemas: 4}, true},
		{"one subschema more", nested(3), Limits{SchemaDepth: 100, Subschemas: 3}, false},
	} {
		m := parseUp(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":%s}]}}`, tt.schema))
		w := m.Walk(m.Member(int(memTools)).Value)
		w.Next()
		if tool := readTool(m, w, &tt.limits); tool.invalid == tt.want || (tool.params != nil) != tt.want {
			t.Errorf("%s: invalid %v, want %v", tt.name, tool.invalid, !tt.want)
		}
	}
}

// The schema itself is no property, whatever its type.
func TestT199Root(t *testing.T) {
	m := parseUp(t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"string","x-mcp-header":"R"}}]}}`)
	w := m.Walk(m.Member(int(memTools)).Value)
	w.Next()
	if tool := readTool(m, w, &standard); !tool.invalid {
		t.Error("an annotation of the schema itself is valid, want not")
	}
}

// What is known of tools does not grow where a list is read again and again.
func TestT199ListedAgain(t *testing.T) {
	x, limits := toolIndex{}, Limits{IndexedTools: 2, IndexedBytes: 250}
	for range 5 {
		x.addAll([]listedTool{{name: "a", size: 100}, {name: "b", size: 100}}, &limits)
	}
	_, a := x.find([]byte("a"))
	_, b := x.find([]byte("b"))
	if !a || !b || x.size != 200 {
		t.Errorf("known: %v and %v, %d bytes", a, b, x.size)
	}
}

// list_changed makes what is known of tools old: the next call reads the list again.
//
// req: W15
func TestT199Stale(t *testing.T) {
	const ack = "\nU> 2 " + `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true}}}`
	deploy, place := aTool("deploy", region), aTool("deploy", strings.Replace(region, "Region", "Place", 1))
	p := newPlayer(t, Options{Transport: HTTP})
	p.inputs(`F> ` + initialize + `
		U> 1 {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}
		F> {"jsonrpc":"2.0","method":"notifications/initialized"}` + ack)
	p.wrote = nil
	changed := `
		U> 2 {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}` + changedFront("tools")
	p.overHTTP("\nF> " + callDeploy + listUp(3, "") + pageUp(3, deploy, "") + deployUp(4) + deployHeaders + doneUp(4, 7) +
		changed + "\nF> " + callDeploy + listUp(5, "") + pageUp(5, place, "") + deployUp(6) + "\nH< Mcp-Name: deploy, Mcp-Param-Place: us-west1" + doneUp(6, 7))
	// So does a stream that was lost.
	p.overHTTP(`
		U> 2 {"jsonrpc":"2.0","id":2,"result":{}}
		C< 2
		! fire listen` + listenHTTP(7) + strings.ReplaceAll(strings.ReplaceAll(ack, `> 2`, `> 7`), `":2`, `":7`) + changedFront("tools") +
		"\nF> " + callDeploy + listUp(8, "") + pageUp(8, deploy, "") + deployUp(9) + deployHeaders + doneUp(9, 7))
	changed = strings.ReplaceAll(strings.ReplaceAll(changed, `> 2`, `> 7`), `":2`, `":7`)
	// While it is read, it counts as read too early, and the one call does not wait again.
	other := strings.ReplaceAll(callDeploy, "deploy", "other")
	p.overHTTP(changed + "\nF> " + callDeploy + listUp(10, "") + changed + pageUp(10, deploy, "") + deployUp(11) + deployHeaders + doneUp(11, 7) +
		"\nF> " + other + listUp(12, "") + pageUp(12, deploy, "") + strings.ReplaceAll(deployUp(13)+deployName, "deploy", "other") + doneUp(13, 7))
}

func listenHTTP(id int) string {
	return fmt.Sprintf("\nU< "+`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},METAHTTP}}`, id)
}
