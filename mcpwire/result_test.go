package mcpwire

import (
	"strings"
	"testing"
)

// req: W09
func TestT44(t *testing.T) {
	answers(t, Options{Profile: VSCode}, callTool, []rewriteCase{
		{"hop keys", `{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},"com.acme/k":1,"progressToken":7,"ui":{}}}`, `{"content":[],"_meta":{"com.acme/k":1,"ui":{}}}`},
		{"all of them", `{"_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientInfo":{},"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"},"content":[]}`, `{"content":[]}`},
		{"first and last", `{"content":[],"_meta":{"progressToken":7,"a":1,"progressToken":7}}`, `{"content":[],"_meta":{"a":1}}`},
		{"a related task", `{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{}}}`, `{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{}}}`},
		{"no object", `{"_meta":null,"content":[]}`, `{"content":[]}`},
		{"inside a block", `{"content":[{"type":"text","text":"x","_meta":{"progressToken":1}}]}`, `{"content":[{"type":"text","text":"x","_meta":{"progressToken":1}}]}`},
	})
}

// req: W09
func TestT70(t *testing.T) {
	answers(t, Options{Profile: VSCode}, callTool, []rewriteCase{
		{"absent", `{"content":[]}`, `{"content":[]}`},
		{"complete", `{"resultType":"complete","content":[]}`, `{"content":[]}`},
		{"task", `{"resultType":"task","taskId":"1"}`, ``},
		{"unknown", `{"resultType":"later","content":[]}`, ``},
		{"null", `{"resultType":null,"content":[]}`, ``},
		{"number", `{"resultType":1,"content":[]}`, ``},
		{"no object", `[]`, ``},
		{"null result", `null`, ``},
		{"input_required without anything to do", `{"resultType":"input_required"}`, ``},
		{"input_required with nulls", `{"resultType":"input_required","inputRequests":null,"requestState":null}`, ``},
		{"input_required with a list", `{"resultType":"input_required","inputRequests":[],"requestState":"s"}`, ``},
		{"input_required with a number for a state", `{"resultType":"input_required","inputRequests":{},"requestState":7}`, ``},
	})
	answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
		{"a list must not ask for input", `{"resultType":"input_required","inputRequests":{"a":{}}}`, ``},
	})
}

// req: W09
func TestT71(t *testing.T) {
	answers(t, Options{Profile: VSCode}, callTool, []rewriteCase{
		{"every member of 2026-07-28", `{"resultType":"complete","ttlMs":1,"content":[],"cacheScope":"public","inputRequests":{},"requestState":"s"}`, `{"content":[]}`},
		{"white space", "{ \"resultType\" : \"complete\" , \"content\" : [ ] , \"ttlMs\" : 0 }", "{ \"content\" : [ ] }"},
		{"data keeps them", `{"content":[],"structuredContent":{"resultType":"x","ttlMs":1}}`, `{"content":[],"structuredContent":{"resultType":"x","ttlMs":1}}`},
		{"unknown members pass", `{"a":1,"resultType":"complete","content":[],"zz":{"b": 2}}`, `{"a":1,"content":[],"zz":{"b": 2}}`},
		{"names that mean something elsewhere may stand twice", `{"content":[],"data":1,"data":2,"level":1,"level":2,"message":1,"message":2,"reason":1,"reason":2}`, `{"content":[],"data":1,"data":2,"level":1,"level":2,"message":1,"message":2,"reason":1,"reason":2}`},
		{"numbers and escapes pass", `{"content":[{"type":"text","text":"\u00e9\/"}],"structuredContent":{"n":12345678901234567890.10}}`, `{"content":[{"type":"text","text":"\u00e9\/"}],"structuredContent":{"n":12345678901234567890.10}}`},
	})
	t.Run("null members too", func(t *testing.T) {
		answers(t, Options{}, readMemo, []rewriteCase{
			{"read", `{"ttlMs":null,"contents":[],"cacheScope":null,"inputRequests":null,"requestState":null}`, `{"contents":[]}`},
		})
	})
	for name, md := range forwarded() {
		array := map[string]string{methodCallTool: "content", "completion/complete": "completion"}[name]
		if md.element != nil {
			array = memberNames[md.array]
		}
		value := `[]`
		if array == "completion" {
			value = `{"values":[]}`
		}
		answers(t, Options{Profile: VSCode}, `{"jsonrpc":"2.0","id":7,"method":"`+name+`","params":`+anyParams+`}`, []rewriteCase{
			{name, `{"ttlMs":5,"` + array + `":` + value + `,"resultType":"complete","cacheScope":"private","requestState":"s","inputRequests":{}}`, `{"` + array + `":` + value + `}`},
		})
	}
	t.Run("the id may stand last", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"result":{"content":[],"resultType":"complete"},"jsonrpc":"2.0","id":2}
			F< {"result":{"content":[]},"jsonrpc":"2.0","id":7}`)
	})
}

func TestT73(t *testing.T) {
	answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
		{"no array", `{"x":1}`, ``},
		{"null", `{"tools":null}`, ``},
		{"object", `{"tools":{}}`, ``},
		{"empty", `{"tools":[]}`, `{"tools":[]}`},
		{"elements that are no tools", `{"tools":[null,7,{"name":"a","inputSchema":{"type":"object"}},"x",{"description":"no name"},{"name":7},[]]}`, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`},
		{"none is left", `{"tools":[null , {} ]}`, `{"tools":[ ]}`},
		{"a name of two types", `{"tools":[{"name":"a","inputSchema":{"type":"object"},"name":7}]}`, `{"tools":[]}`},
		{"a name twice", `{"tools":[{"name":"a","inputSchema":{"type":"object"},"n\u0061me":"b"}]}`, `{"tools":[]}`},
	})
	answers(t, Options{}, `{"jsonrpc":"2.0","id":7,"method":"resources/list"}`, []rewriteCase{
		{"resources", `{"resources":[{"uri":"a:b","name":"n"},{"name":"n"}]}`, `{"resources":[{"uri":"a:b","name":"n"}]}`},
		{"none", `{}`, ``},
	})
	answers(t, Options{}, `{"jsonrpc":"2.0","id":7,"method":"resources/templates/list"}`, []rewriteCase{
		{"templates", `{"resourceTemplates":[{"uri":"a:b"},{"uriTemplate":"a:{b}","name":"n"}]}`, `{"resourceTemplates":[{"uriTemplate":"a:{b}","name":"n"}]}`},
		{"none", `{"resources":[]}`, ``},
	})
	answers(t, Options{}, `{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`, []rewriteCase{
		{"prompts", `{"prompts":[null,{"name":"p"},null,{"title":"t"},{"name":7},{"name":"p","name":"q"}]}`, `{"prompts":[{"name":"p"}]}`},
	})
	answers(t, Options{}, `{"jsonrpc":"2.0","id":7,"method":"resources/list"}`, []rewriteCase{
		{"a uri twice", `{"resources":[{"uri":"a:b","uri":null}]}`, `{"resources":[]}`},
	})
	answers(t, Options{}, readMemo, []rewriteCase{{"no contents", `{"contents":{}}`, ``}})
	answers(t, Options{}, getPrompt, []rewriteCase{{"no messages", `{"messages":null}`, ``}})
	t.Run("a warning says how many", func(t *testing.T) {
		p := opened(t, Options{})
		p.input("F>", listTools)
		p.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"tools":[null,{},7]}}`)
		if got := p.logged(EventDropped, "T73"); got != 3 {
			t.Errorf("logged %d dropped elements, want 3", got)
		}
	})
}

func TestT74(t *testing.T) {
	loose := []rewriteCase{
		{"no content", `{"structuredContent":{"a":1}}`, `{"content":[],"structuredContent":{"a":1}}`},
		{"nothing at all", `{"resultType":"complete"}`, `{"content":[]}`},
		{"null content", `{"content":null,"isError":true}`, `{"content":[],"isError":true}`},
		{"content is an object", `{"content":{}}`, ``},
		{"content is a string", `{"content":"x"}`, ``},
		{"an error is a result", `{"isError":true,"content":[{"type":"text","text":"no"}]}`, `{"isError":true,"content":[{"type":"text","text":"no"}]}`},
		{"isError is a string", `{"isError":"yes","content":[]}`, `{"content":[]}`},
		{"isError is null", `{"content":[],"isError":null}`, `{"content":[]}`},
	}
	answers(t, Options{Profile: VSCode}, callTool, loose)
	answers(t, Options{}, callTool, loose)
	answers(t, Options{Profile: VSCode}, callTool, []rewriteCase{
		{"loose: a list without content", `{"content":[],"structuredContent":[1,2]}`, `{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}`},
		{"loose: a list with content", `{"content":[{"type":"image"}],"structuredContent":[1,2]}`, `{"content":[{"type":"image"}],"structuredContent":[1,2]}`},
		{"loose: only a list", `{"structuredContent":[1,2]}`, `{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}`},
	})
	answers(t, Options{}, callTool, []rewriteCase{
		{"strict: a list without content", `{"resultType":"complete","content":[],"structuredContent":[1,2]}`, `{"content":[{"type":"text","text":"[1,2]"}]}`},
		{"strict: a list beside an image", `{"content":[{"type":"image","data":"","mimeType":"image/png"}],"structuredContent":"a\"b"}`, `{"content":[{"type":"image","data":"","mimeType":"image/png"},{"type":"text","text":"\"a\\\"b\""}]}`},
		{"strict: a list beside text", `{"content":[{"type":"text","text":"1"}],"structuredContent":1}`, `{"content":[{"type":"text","text":"1"}]}`},
		{"strict: only a list", `{"structuredContent":[1,2]}`, `{"content":[{"type":"text","text":"[1,2]"}]}`},
		{"strict: null content", `{"content":null,"structuredContent":7}`, `{"content":[{"type":"text","text":"7"}]}`},
		{"strict: an object", `{"content":[],"structuredContent":{"a":1}}`, `{"content":[],"structuredContent":{"a":1}}`},
	})
}

// A large value is not written once more, since quotes make it longer still.
func TestT74Limit(t *testing.T) {
	for _, size := range []int{maxTextCopy - 1, maxTextCopy, maxTextCopy + 1} {
		p := opened(t, Options{})
		p.input("F>", callTool)
		p.wrote = nil
		p.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"structuredContent":[`+strings.Repeat(" ", size-2)+`]}}`)
		if got, want := strings.Contains(p.wrote[0], `"response_too_large"`), size > maxTextCopy; got != want {
			t.Errorf("%d bytes are too large: %v, want %v", size, got, want)
		}
	}
}

func TestT75(t *testing.T) {
	blocks := `{"content":[{"type":"text","text":"a"},{"type":"video","x":1},7,{"text":"no type"},{"type":"tool_use"}]}`
	answers(t, Options{Profile: VSCode}, callTool, []rewriteCase{{"loose", blocks, blocks}})
	long := strings.Repeat("x", 65)
	answers(t, Options{}, callTool, []rewriteCase{
		{"a type as long as a text repeats", `{"content":[{"type":"` + long[1:] + `"}]}`, `{"content":[{"type":"text","text":"[unsupported content: ` + long[1:] + `]"}]}`},
		{"a longer one", `{"content":[{"type":"` + long + `"}]}`, `{"content":[{"type":"text","text":"[unsupported content: unknown]"}]}`},
		{"a type twice", `{"content":[{"type":"text","type":"video","text":"x"}]}`, `{"content":[{"type":"text","text":"[unsupported content: video]"}]}`},
		{"a resource", `{"content":[{"type":"resource","resource":{"uri":"a:b","text":""}},{"type":"resource_link","uri":"a:b","name":"n"},{"type":"audio"}]}`, `{"content":[{"type":"resource","resource":{"uri":"a:b","text":""}},{"type":"resource_link","uri":"a:b","name":"n"},{"type":"audio"}]}`},
	})
	answers(t, Options{}, callTool, []rewriteCase{{"strict", blocks,
		`{"content":[{"type":"text","text":"a"},{"type":"text","text":"[unsupported content: video]"},{"type":"text","text":"[unsupported content: unknown]"},{"type":"text","text":"[unsupported content: unknown]"},{"type":"text","text":"[unsupported content: tool_use]"}]}`}})
}

func TestT76(t *testing.T) {
	answers(t, Options{Profile: VSCode}, getPrompt, []rewriteCase{
		{"messages", `{"resultType":"complete","description":"d","messages":[{"role":"user","content":{"type":"text","text":"x"}},null]}`, `{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`},
		{"none", `{"description":"d"}`, ``},
	})
	answers(t, Options{}, getPrompt, []rewriteCase{
		{"strict", `{"messages":[{"role":"user","content":{"type":"video"}}]}`, `{"messages":[{"role":"user","content":{"type":"text","text":"[unsupported content: video]"}}]}`},
	})
}

func TestT77(t *testing.T) {
	answers(t, Options{}, readMemo, []rewriteCase{
		{"text and blob", `{"contents":[{"uri":"a:b","text":"x","mimeType":"text/plain"},{"uri":"a:b","blob":"eA=="}],"ttlMs":1}`, `{"contents":[{"uri":"a:b","text":"x","mimeType":"text/plain"},{"uri":"a:b","blob":"eA=="}]}`},
		{"empty", `{"contents":[]}`, `{"contents":[]}`},
		{"without uri or body", `{"contents":[{"text":"x"},{"uri":"a:b"},{"uri":"a:b","text":7},{"uri":"a:b","text":"n","text":null},{"uri":"a:b","uri":null,"text":""},{"uri":"a:b","text":""}]}`, `{"contents":[{"uri":"a:b","text":""}]}`},
		{"none", `{}`, ``},
	})
}

// req: W06
func TestT79(t *testing.T) {
	tool := func(rest string) string { return `{"tools":[{"name":"t"` + rest + `}]}` }
	schema := `,"inputSchema":{"type":"object"}`
	both := []rewriteCase{
		{"members pass", tool(`,"title":"T","annotations":{"readOnlyHint":true},"icons":[{"src":"file:///x"}],"x":1` + schema), tool(`,"title":"T","annotations":{"readOnlyHint":true},"icons":[{"src":"file:///x"}],"x":1` + schema)},
		{"execution goes", tool(`,"execution":{"taskSupport":"required"}` + schema), tool(schema)},
		{"no input schema", tool(``), tool(`,"inputSchema":{"type":"object","properties":{}}`)},
		{"input schema is null", tool(`,"inputSchema":null`), tool(`,"inputSchema":{"type":"object","properties":{}}`)},
		{"an output schema", tool(schema + `,"outputSchema":{"type":"object","properties":{"a":{"type":"array"}}}`), tool(schema + `,"outputSchema":{"type":"object","properties":{"a":{"type":"array","items":{}}}}`)},
		{"output schema is null", tool(schema + `,"outputSchema":null`), tool(schema)},
		{"two input schemas", tool(schema + schema), `{"tools":[]}`},
	}
	answers(t, Options{Profile: VSCode}, listTools, both)
	answers(t, Options{}, listTools, both)
	list := tool(`,"outputSchema":{"type":"array","items":{"type":"array"}}` + schema)
	answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
		{"loose: an output that is a list", list, tool(`,"outputSchema":{"type":"array","items":{"type":"array","items":{}}}` + schema)}})
	answers(t, Options{}, listTools, []rewriteCase{
		{"strict: an output that is a list", list, tool(schema)},
		{"strict: an output without type", tool(`,"outputSchema":{}` + schema), tool(schema)}})
}
