package mcpwire

import (
	"strings"
	"testing"
)

// openedAs returns a player whose front speaks this revision, says this of its
// capabilities, and has a server of 2026-07-28 with every feature that has requests.
func openedAs(t testing.TB, o Options, revision, capabilities string) *player {
	t.Helper()
	p := newPlayer(t, o)
	p.input("F>", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":`+capabilities+`,"clientInfo":{"name":"e","version":"1"}}}`)
	p.input("U>", `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}}}}`)
	p.input("F>", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.wrote, p.log = nil, nil
	return p
}

// An olderCase is a result of the server, and what a front of each revision gets.
type olderCase struct {
	name, request, from string
	to                  map[string]string // by revision
}

func olderAnswers(t *testing.T, cases []olderCase) {
	t.Helper()
	for _, tt := range cases {
		for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
			want, ok := tt.to[revision]
			if !ok {
				want = tt.from
			}
			t.Run(tt.name+" "+revision, func(t *testing.T) {
				for _, profile := range []Profile{VSCode, {}} {
					p := openedAs(t, Options{Profile: profile}, revision, "{}")
					p.input("F>", tt.request)
					p.wrote = nil
					p.play(`
						U> {"jsonrpc":"2.0","id":2,"result":` + tt.from + `}
						F< {"jsonrpc":"2.0","id":7,"result":` + want + `}`)
				}
			})
		}
	}
}

const listPrompts = `{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`
const listResources = `{"jsonrpc":"2.0","id":7,"method":"resources/list"}`

// req: W17
func TestO1(t *testing.T) {
	olderAnswers(t, []olderCase{
		{"a tool", listTools,
			`{"tools":[{"title":"T","name":"t","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","title":"in","properties":{"title":{"type":"string"}}},"outputSchema":{"type":"object"},"icons":[{"src":"data:,"}],"_meta":{"a/b":1},"x":1}]}`,
			map[string]string{
				"2024-11-05": `{"tools":[{"name":"t","inputSchema":{"type":"object","title":"in","properties":{"title":{"type":"string"}}},"x":1}]}`,
				"2025-03-26": `{"tools":[{"name":"t","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","title":"in","properties":{"title":{"type":"string"}}},"x":1}]}`,
			}},
		{"a prompt and its arguments", listPrompts,
			`{"prompts":[{"name":"p","title":"P","arguments":[{"name":"a","title":"A","required":true},{"title":"B","name":"b"}],"_meta":{},"icons":[]}]}`,
			map[string]string{
				"2024-11-05": `{"prompts":[{"name":"p","arguments":[{"name":"a","required":true},{"name":"b"}]}]}`,
				"2025-03-26": `{"prompts":[{"name":"p","arguments":[{"name":"a","required":true},{"name":"b"}]}]}`,
			}},
		{"a resource and when it was changed", listResources,
			`{"resources":[{"uri":"a:b","name":"r","title":"R","annotations":{"lastModified":"2025-01-01","priority":1},"size":3}]}`,
			map[string]string{
				"2024-11-05": `{"resources":[{"uri":"a:b","name":"r","annotations":{"priority":1},"size":3}]}`,
				"2025-03-26": `{"resources":[{"uri":"a:b","name":"r","annotations":{"priority":1},"size":3}]}`,
			}},
		{"what was read", readMemo,
			`{"contents":[{"_meta":{"a":1},"uri":"memo://one","text":"x"}],"_meta":{"a":1}}`,
			map[string]string{
				"2024-11-05": `{"contents":[{"uri":"memo://one","text":"x"}],"_meta":{"a":1}}`,
				"2025-03-26": `{"contents":[{"uri":"memo://one","text":"x"}],"_meta":{"a":1}}`,
			}},
		{"structured content beside text", callTool,
			`{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":1}}`,
			map[string]string{
				"2024-11-05": `{"content":[{"type":"text","text":"x"}]}`,
				"2025-03-26": `{"content":[{"type":"text","text":"x"}]}`,
			}},
		{"structured content alone", callTool,
			`{"content":[],"structuredContent":{"a":1}}`,
			map[string]string{
				"2024-11-05": `{"content":[{"type":"text","text":"{\"a\":1}"}]}`,
				"2025-03-26": `{"content":[{"type":"text","text":"{\"a\":1}"}]}`,
			}},
		{"members of blocks", callTool,
			`{"content":[{"type":"text","text":"x","_meta":{"a":1},"annotations":{"lastModified":"d","audience":["user"]}},{"type":"resource","resource":{"uri":"a:b","text":"","_meta":{}}}]}`,
			map[string]string{
				"2024-11-05": `{"content":[{"type":"text","text":"x","annotations":{"audience":["user"]}},{"type":"resource","resource":{"uri":"a:b","text":""}}]}`,
				"2025-03-26": `{"content":[{"type":"text","text":"x","annotations":{"audience":["user"]}},{"type":"resource","resource":{"uri":"a:b","text":""}}]}`,
			}},
	})
	for revision, want := range map[string]string{"2024-11-05": ``, "2025-03-26": `,"message":"m"`} {
		p := openedAs(t, Options{}, revision, "{}")
		p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"k"}}}`)
		p.wrote = nil
		p.play(`
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":2,"message":"m"}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":1,"total":2` + want + `}}`)
	}
}

// req: W17
func TestO3(t *testing.T) {
	olderAnswers(t, []olderCase{
		{"a link with a title", callTool, `{"content":[{"type":"resource_link","uri":"a:b","name":"n","title":"T"}]}`, map[string]string{
			"2024-11-05": `{"content":[{"type":"text","text":"T: a:b"}]}`,
			"2025-03-26": `{"content":[{"type":"text","text":"T: a:b"}]}`,
		}},
		{"a link without one, in a prompt", getPrompt, `{"messages":[{"role":"user","content":{"uri":"a:b","name":"n","type":"resource_link","_meta":{}}}]}`, map[string]string{
			"2024-11-05": `{"messages":[{"role":"user","content":{"type":"text","text":"n: a:b"}}]}`,
			"2025-03-26": `{"messages":[{"role":"user","content":{"type":"text","text":"n: a:b"}}]}`,
		}},
		{"audio", callTool, `{"content":[{"type":"audio","mimeType":"audio/wav","data":"QUJDRA=="}]}`, map[string]string{
			"2024-11-05": `{"content":[{"type":"text","text":"[audio: audio/wav, 4 bytes]"}]}`,
		}},
		{"a text in the place of a block counts as one", callTool, `{"content":[{"type":"resource_link","uri":"a:b","name":"n"}],"structuredContent":{}}`, map[string]string{
			"2024-11-05": `{"content":[{"type":"text","text":"n: a:b"}]}`,
			"2025-03-26": `{"content":[{"type":"text","text":"n: a:b"}]}`,
		}},
	})
}

// asksOlder plays a round with one question to a front and returns what it is asked.
func asksOlder(t *testing.T, revision, capabilities, method, params string) string {
	t.Helper()
	p := openedAs(t, Options{}, revision, capabilities)
	p.input("F>", callTool)
	p.wrote = nil
	p.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"`+method+`","params":`+params+`}}}}`)
	got := strings.Join(p.wrote, "\n")
	got = strings.TrimPrefix(got, `F< {"jsonrpc":"2.0","id":"b-1","method":"`+method+`","params":`)
	return strings.TrimSuffix(got, "}")
}

const inputRefused = `F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server asked for input in a way that is not allowed.","data":{"cause":"input_refused","detail":"k"}}`

// req: W17
func TestO4(t *testing.T) {
	for _, tt := range []struct{ name, revision, params, want string }{
		{"no mode, titled choices as names, only the default of a boolean", "2025-06-18",
			`{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"A","oneOf":[{"const":"x","title":"X"},{"title":"Y","const":"y"}],"default":"x"},"b":{"type":"boolean","default":true},"c":{"default":1,"type":"number","minimum":0}},"required":["a"]}}`,
			`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"A","enum":["x","y"],"enumNames":["X","Y"]},"b":{"type":"boolean","default":true},"c":{"type":"number","minimum":0}},"required":["a"]}}`},
		{"several choices", "2025-06-18",
			`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}`, inputRefused},
		{"a URL", "2025-06-18", `{"mode":"url","message":"m","url":"https://a.example/"}`, inputRefused},
		{"no elicitation at all", "2025-03-26", `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`, inputRefused},
		{"unchanged for 2025-11-25", "2025-11-25",
			`{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"}}}}`,
			`{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"}}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := asksOlder(t, tt.revision, `{"elicitation":{"form":{},"url":{}}}`, methodElicit, tt.params); got != tt.want {
				t.Errorf("the front got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// req: W17
func TestO5(t *testing.T) {
	message := func(content string) string {
		return `{"messages":[{"role":"user","content":` + content + `}],"maxTokens":5}`
	}
	text, audio := `{"type":"text","text":"?"}`, `{"type":"audio","data":"","mimeType":"audio/wav"}`
	for _, tt := range []struct{ name, revision, params, want string }{
		{"one block in a list", "2025-06-18", message("[" + text + "]"), message(text)},
		{"two blocks", "2025-06-18", message("[" + text + "," + text + "]"), inputRefused},
		{"two blocks for 2025-11-25", "2025-11-25", message("[" + text + "," + text + "]"), message("[" + text + "," + text + "]")},
		{"tools", "2025-06-18", `{"messages":[{"role":"user","content":` + text + `}],"maxTokens":5,"tools":[]}`, inputRefused},
		{"a choice of a tool", "2025-06-18", `{"messages":[{"role":"user","content":` + text + `}],"maxTokens":5,"toolChoice":{}}`, inputRefused},
		{"audio", "2025-03-26", message(audio), message(audio)},
		{"audio for 2024-11-05", "2024-11-05", message("[" + audio + "]"), inputRefused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := asksOlder(t, tt.revision, `{"sampling":{"tools":{}}}`, methodSample, tt.params); got != tt.want {
				t.Errorf("the front got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// req: W17
func TestO6(t *testing.T) {
	const all = `{"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}}}`
	for revision, want := range map[string]string{
		"2024-11-05": `{"roots":{},"sampling":{}}`,
		"2025-03-26": `{"roots":{},"sampling":{}}`,
		"2025-06-18": `{"roots":{},"sampling":{},"elicitation":{"form":{}}}`,
		"2025-11-25": `{"roots":{},"sampling":{"context":{},"tools":{}},"elicitation":{"form":{},"url":{}}}`,
	} {
		p := openedAs(t, Options{}, revision, all)
		p.play(`
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + want + `}}}`)
	}
}

// A completion goes upstream if the server offers them, whether or not the front's
// revision has a capability for that.
//
// req: W17
func TestO7(t *testing.T) {
	const complete = `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}}`
	p := openedAs(t, Options{}, "2024-11-05", "{}")
	p.input("F>", complete)
	p.wrote = nil
	p.play(`
		U> {"jsonrpc":"2.0","id":2,"result":{"completion":{"values":["x"]}}}
		F< {"jsonrpc":"2.0","id":7,"result":{"completion":{"values":["x"]}}}`)
	p = newPlayer(t, Options{})
	p.input("F>", strings.Replace(initialize, "2025-11-25", "2024-11-05", 1))
	p.wrote = nil
	p.play(`
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
		F> ` + complete + `
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`)
}

// req: W17
func TestO8(t *testing.T) {
	for revision, want := range map[string]string{
		"2024-11-05": `"capabilities":{},"serverInfo":{"name":"s","version":"2"}`,
		"2025-03-26": `"capabilities":{"completions":{}},"serverInfo":{"name":"s","version":"2"}`,
		"2025-06-18": `"capabilities":{"completions":{}},"serverInfo":{"name":"s","version":"2","title":"S"}`,
		"2025-11-25": `"capabilities":{"completions":{}},"serverInfo":{"name":"s","version":"2","title":"S","description":"d","websiteUrl":"https://a.example","icons":[]}`,
	} {
		p := newPlayer(t, Options{})
		p.input("F>", strings.Replace(initialize, "2025-11-25", revision, 1))
		p.wrote = nil
		p.play(`
			U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"completions":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2","title":"S","description":"d","websiteUrl":"https://a.example","icons":[]}}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + revision + `",` + want + `}}`)
	}
}

// The upstream never sees which revision the front speaks, and an error without an id
// has the form that the front's revision has (T3).
//
// req: W17
func TestO9(t *testing.T) {
	for revision, id := range map[string]string{"2024-11-05": `"id":null,`, "2025-03-26": `"id":null,`, "2025-06-18": `"id":null,`, "2025-11-25": ``} {
		openedAs(t, Options{}, revision, "{}").play(`
			F> {"jsonrpc":"2.0","id":7.5,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":7.5,"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}
			F> {"jsonrpc":"2.0","id":{},"method":"tools/list"}
			F< {"jsonrpc":"2.0",` + id + `"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	}
}
