package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// req: W12
func TestT5(t *testing.T) {
	t.Run("ids come back as they were sent", func(t *testing.T) {
		for _, id := range []string{`0`, `-7`, `"7"`, `"b-1"`, `9007199254740993`, `"\u0041\/"`, `""`, `"` + strings.Repeat("x", 400) + `"`} {
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"t"}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
				U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
				F< {"jsonrpc":"2.0","id":` + id + `,"result":{"content":[]}}`)
		}
	})
	t.Run("1 and \"1\" differ", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
			F> {"jsonrpc":"2.0","id":"1","method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			U> {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
			F< {"jsonrpc":"2.0","id":"1","result":{"tools":[]}}
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
			F< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	})
	t.Run("an id in flight is refused without that id", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			F> {"jsonrpc":"2.0","id":7,"method":"ping"}
			F< {"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
			F> {"jsonrpc":"2.0","id":7,"method":"ping"}
			F< {"jsonrpc":"2.0","id":7,"result":{}}`)
	})
	t.Run("an id in flight is refused to every method", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}`)
		for _, method := range []string{"initialize", "tools/call", "tools/list", "no/such", "logging/setLevel"} {
			p.play(`
				F> {"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{"name":"t"}}
				F< {"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`)
		}
	})
	t.Run("before a revision is negotiated the refusal has the id null", func(t *testing.T) {
		newPlayer(t, Options{}).play(discoverFirst + `
			F> {"jsonrpc":"2.0","id":0,"method":"ping"}
			F< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`)
	})
	t.Run("a bad line with a string for an id names no request", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":"2","result":{"content":[01]}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	})
	t.Run("an upstream id is an integer of ours", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":"2","result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":2.0,"result":{"content":[]}}`)
		if got := p.session.core.table.used(); got != 1 {
			t.Errorf("%d requests in flight, want the one", got)
		}
	})
	t.Run("upstream ids are never used twice", func(t *testing.T) {
		p := opened(t, Options{})
		for i := 2; i < 2000; i++ {
			p.play(fmt.Sprintf(`
				F> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}
				U< {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t",META}}
				U> {"jsonrpc":"2.0","id":%d,"result":{"content":[]}}
				F< {"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, i, i, i, i))
		}
	})
}

// req: W02
func TestT3(t *testing.T) {
	invalid := `"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`
	for _, tt := range []struct{ name, line, id string }{
		{"no jsonrpc", `{"id":1,"method":"ping"}`, `"id":1,`},
		{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":"x","method":"ping"}`, `"id":"x",`},
		{"method is a number", `{"jsonrpc":"2.0","id":1,"method":7}`, `"id":1,`},
		{"params is an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, `"id":1,`},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.9,"method":"ping"}`, `"id":1.9,`},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, ``},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, ``},
		{"id is a bool", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, ``},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, ``},
		{"name twice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","n\u0061me":"b"}}`, `"id":1,`},
		{"uri twice", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b","uri":"a:c"}}`, `"id":1,`},
		{"cursor twice", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"a","\u0063ursor":"a"}}`, `"id":1,`},
		{"arguments twice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{},"arguments":{}}}`, `"id":1,`},
		{"_meta twice", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{},"_meta":{}}}`, `"id":1,`},
		{"id twice", `{"jsonrpc":"2.0","id":1,"method":"ping","id":2}`, ``},
		{"method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}`, `"id":1,`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{}).play("F> " + tt.line + "\nF< {\"jsonrpc\":\"2.0\"," + tt.id + invalid)
			if tt.id == "" { // before a revision is negotiated, the id is null
				newPlayer(t, Options{}).play("F> " + tt.line + "\nF< {\"jsonrpc\":\"2.0\",\"id\":null," + invalid)
			}
		})
	}
}

// req: W02
func TestT4(t *testing.T) {
	parse := `"error":{"code":-32700,"message":"The message could not be parsed.","data":{"cause":"parse_error"}}}`
	for _, tt := range []struct{ name, line, want string }{
		{"malformed", `{"jsonrpc":"2.0","id":3,"method":"ping",}`, `"id":3,` + parse},
		{"malformed, id last", `{"method":"ping","params":{,},"jsonrpc":"2.0","id":4}`, `"id":4,` + parse},
		{"no id", `{"jsonrpc":"2.0",`, parse},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"\xff\"}", `"id":5,` + parse},
		{"lone surrogate", `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":"\ud800"}}`, `"id":6,` + parse},
		{"too deep", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}}`,
			`"id":7,"error":{"code":-32600,"message":"The message is nested too deeply.","data":{"cause":"too_deep"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{}).play("F> " + tt.line + "\nF< {\"jsonrpc\":\"2.0\"," + tt.want)
		})
	}
	t.Run("too long", func(t *testing.T) {
		tooLarge := `"error":{"code":-32600,"message":"The message is too large.","data":{"cause":"too_large"}}}`
		p := opened(t, Options{})
		p.maxLine = 1000
		p.play(`
			F> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 1000) + `"}}
			F< {"jsonrpc":"2.0","id":5,` + tooLarge + `
			F> {"jsonrpc":"2.0","method":"tools/call","params":{"name":"` + strings.Repeat("x", 1000) + `"},"id":"last"}
			F< {"jsonrpc":"2.0","id":"last",` + tooLarge)
	})
	t.Run("the id of a request in flight is not used", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			F> {"jsonrpc":"2.0","id":7,"method":"ping",}
			F< {"jsonrpc":"2.0",` + parse)
	})
	t.Run("a bad response is dropped", func(t *testing.T) {
		opened(t, Options{}).play(`F> {"jsonrpc":"2.0","id":"b-1","result":{"x":01}}`)
	})
}

func TestT6(t *testing.T) {
	opened(t, Options{}).play(`
		F> {"jsonrpc":"2.0","id":"b-1","result":{}}
		F> {"jsonrpc":"2.0","id":7,"result":{}}
		F> {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x"}}`)
}

func TestT7(t *testing.T) {
	p := opened(t, Options{})
	p.play(`
		U> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}
		U> {"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if got := p.logged(EventDropped, "T7"); got != 2 {
		t.Errorf("logged %d dropped requests, want 2", got)
	}
}

// req: W04
func TestT151(t *testing.T) {
	opened(t, Options{}).play(`
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
		U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
		U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
		U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
		U> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{}}
		U> {"jsonrpc":"2.0","method":"notifications/unheard/of"}
		U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
}

// req: W02
func TestT1(t *testing.T) {
	t.Run("a bad line of the upstream fails the request that it names", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> Server listening on stdio
			U> {"jsonrpc":"2.0","id":99,"result":{"content":[01]}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[01]}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`)
		if got := p.logged(EventDropped, "T1"); got != 3 {
			t.Errorf("logged %d bad lines, want 3", got)
		}
	})
	t.Run("a bad request of the upstream names none of ours", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":2,"method":"roots/list","params":[]}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	})
	t.Run("an answer whose id stands twice fails its request", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":2,"id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`)
	})
	t.Run("no raw carriage return passes", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"a":[` + "\r" + `1]}}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"a":[ 1]},META}}
			U> {"jsonrpc":"2.0","id":2,` + "\r" + `"result":{"content":[` + "\r" + `]}}
			F< {"jsonrpc":"2.0","id":7, "result":{"content":[ ]}}`)
	})
	t.Run("a lone surrogate passes in a value that no rule reads", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"\ud800"}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"\ud800"}]}}`)
	})
}

// req: W01
func TestT9(t *testing.T) {
	for _, limit := range []int{1, 3, 256} {
		p := opened(t, Options{Limits: Limits{InFlight: limit}})
		for i := range limit {
			p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i))
		}
		p.wrote = nil
		p.play(`
			F> {"jsonrpc":"2.0","id":"over","method":"tools/list"}
			F< {"jsonrpc":"2.0","id":"over","error":{"code":-32603,"message":"Too many requests are in flight.","data":{"cause":"busy"}}}
			F> {"jsonrpc":"2.0","id":"p","method":"ping"}
			F< {"jsonrpc":"2.0","id":"p","result":{}}
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
			F< {"jsonrpc":"2.0","id":0,"result":{"tools":[]}}
			F> {"jsonrpc":"2.0","id":"next","method":"tools/list"}
			U< ` + fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{META}}`, limit+2))
	}
}

func TestT33(t *testing.T) {
	p := newPlayer(t, Options{})
	p.play(discoverFirst + `
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"prompts":true,"tools":null,"resources":false,"logging":[],"completions":7}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
		F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
		F< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
		F> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}
		F< {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`)
}

// Each feature opens its own methods and no other (T33, T50).
func TestT33EachFeature(t *testing.T) {
	for name, md := range forwarded() {
		for _, declared := range []string{"tools", "resources", "prompts", "completions", "logging"} {
			p := newPlayer(t, Options{})
			p.input("F>", initialize)
			p.input("U>", `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"`+declared+`":{}}}}`)
			p.wrote = nil
			p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"`+name+`","params":`+anyParams+`}`)
			want := strings.HasPrefix(name, strings.TrimSuffix(declared, "s")) // completion/complete, tools/list
			if got := strings.HasPrefix(p.wrote[0], "U< "); got != want {
				t.Errorf("with %s declared, %s is forwarded: %v, want %v", declared, md.name, got, want)
			}
		}
	}
}

func TestT40(t *testing.T) {
	opened(t, Options{}).play(`
		F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
		F> {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{}}
		U< {"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{META}}`)
}

// No member of the bridge is replaced (T41).
//
// req: W10
func TestT42(t *testing.T) {
	const parent = `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`
	for _, tt := range []struct{ name, meta, passes string }{
		{"what VS Code sends", `{"vscode.conversationId":"c1","vscode.requestId":"r9",` + parent + `,"tracestate":"a=1"}`,
			`,"vscode.conversationId":"c1","vscode.requestId":"r9",` + parent + `,"tracestate":"a=1"`},
		{"values pass as they came", `{ "vscode.x" : { "n" : 1.50E+2 , "s":"\u0041" } }`, `,"vscode.x" : { "n" : 1.50E+2 , "s":"\u0041" }`},
		{"keys of the bridge stay here", `{"io.modelcontextprotocol/protocolVersion":"2024-11-05","io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"io.modelcontextprotocol/logLevel":"debug","io.modelcontextprotocol/related-task":{}}`, ``},
		{"escaped keys of the bridge too", `{"io.modelcontextprotocol\/\u0070rotocolVersion":"x"}`, ``},
		{"other keys", `{"baggage":"a=b","com.acme/k":1,"x":1,"vscode":1}`, ``},
		{"bad keys", `{"vscode.":1,"vscode.a-":1,"vscode.é":1,"vscode.a b":1,"vscode.a/":1,"vscode.-a/b":1,"vscode.ok":1}`, `,"vscode.ok":1`},
		{"reserved prefixes", `{"vscode.mcp/x":1,"vscode.modelcontextprotocol.z/x":1,"vscode.z.mcp/x":1}`, `,"vscode.z.mcp/x":1`},
		{"malformed traceparent", `{"traceparent":"00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=1","vscode.x":1}`, `,"vscode.x":1`},
		{"traceparent of zeros", `{"traceparent":"00-00000000000000000000000000000000-b7ad6b7169203331-01"}`, ``},
		{"traceparent is a number", `{"traceparent":1,"tracestate":"a=1"}`, ``},
		{"traceparent of version ff", `{"traceparent":"ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}`, ``},
		{"traceparent with a parent of zeros", `{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"}`, ``},
		{"traceparent of a later version goes on without a hyphen", `{"traceparent":"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x"}`, ``},
		{"tracestate twice", `{` + parent + `,"tracestate":"a=1","tracestate":"a=2"}`, ``},
		{"tracestate alone", `{"tracestate":"a=1"}`, `,"tracestate":"a=1"`},
		{"good keys", `{"vscode.a_b":1,"vscode.a-b.c":1,"vscode.a-b.c2/d":1,"vscode.` + strings.Repeat("x", 100) + `":1}`,
			`,"vscode.a_b":1,"vscode.a-b.c":1,"vscode.a-b.c2/d":1,"vscode.` + strings.Repeat("x", 100) + `":1`},
		{"bad labels", `{"vscode.a-/b":1,"vscode.1a/b":1,"vscode..a/b":1,"vscode.a_b/c":1}`, ``},
		{"traceparent twice", `{` + parent + `,` + parent + `,"tracestate":"a=1"}`, ``},
		{"traceparent of version 00 is too long", `{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"}`, ``},
		{"traceparent of a later version says more", `{"traceparent":"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"}`,
			`,"traceparent":"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"`},
		{"tracestate is a number", `{` + parent + `,"tracestate":1}`, `,` + parent},
		{"too much", `{"vscode.x":"` + strings.Repeat("x", 16<<10) + `"}`, ``},
		{"_meta is no object", `7`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":` + tt.meta + `,"name":"t"}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + tt.passes + `}}}`)
		})
	}
	t.Run("a list has extra members too", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"vscode.x":1,"y":2}}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `,"vscode.x":1}}}`)
	})
	t.Run("the limit", func(t *testing.T) {
		for _, over := range []int{-1, 0, 1} {
			extra := `"vscode.x":"` + strings.Repeat("x", 16<<10+over-len(`,"vscode.x":""`)) + `"`
			passes := `,` + extra
			if over > 0 {
				passes = ``
			}
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{` + extra + `},"name":"t"}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + passes + `}}}`)
		}
	})
}

// req: W11
func TestT50(t *testing.T) {
	invalid := `F< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"}}}`
	notFound := `F< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`
	up := func(method, params string) string {
		return `U< {"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{` + params + `META}}`
	}
	for _, tt := range []struct{ name, method, params, want string }{
		{"a call", "tools/call", `{"name":"deploy","arguments":{"env":"prod"}}`, up("tools/call", `"name":"deploy","arguments":{"env":"prod"},`)},
		{"bytes of arguments", "tools/call", `{"arguments": {"z":1.0e400,"a":12345678901234567890,"a":"\u00e9\/","s":" "},"name":"x"}`,
			up("tools/call", `"arguments": {"z":1.0e400,"a":12345678901234567890,"a":"\u00e9\/","s":" "},"name":"x",`)},
		{"members that steer a round", "tools/call", `{"inputResponses":{"a":1},"name":"x","requestState":"s","arguments":{},"task":{"ttl":1},"zz":1}`,
			up("tools/call", `"name":"x","arguments":{},`)},
		{"null arguments are absent", "tools/call", `{"name":"x","arguments":null}`, up("tools/call", `"name":"x",`)},
		{"arguments is an array", "tools/call", `{"name":"x","arguments":[]}`, invalid},
		{"no name", "tools/call", `{"arguments":{}}`, invalid},
		{"name is null", "tools/call", `{"name":null}`, invalid},
		{"a cursor", "tools/list", `{"cursor":"p2","x":1}`, up("tools/list", `"cursor":"p2",`)},
		{"an empty cursor", "tools/list", `{"cursor":""}`, up("tools/list", `"cursor":"",`)},
		{"a null cursor is absent", "prompts/list", `{"cursor":null}`, up("prompts/list", ``)},
		{"cursor is a number", "resources/list", `{"cursor":1}`, invalid},
		{"read", "resources/read", `{"uri":"memo://one"}`, up("resources/read", `"uri":"memo://one",`)},
		{"uri is a number", "resources/read", `{"uri":1}`, invalid},
		{"prompt", "prompts/get", `{"name":"p","arguments":{"who":"ada"}}`, up("prompts/get", `"name":"p","arguments":{"who":"ada"},`)},
		{"no uri", "resources/read", `{}`, invalid},
		{"uri is null", "resources/read", `{"uri":null}`, invalid},
		{"no prompt name", "prompts/get", `{"arguments":{}}`, invalid},
		{"arguments is a bool", "tools/call", `{"name":"x","arguments":true}`, invalid},
		{"a prompt argument is null", "prompts/get", `{"name":"p","arguments":{"a":"x","b":null}}`, invalid},
		{"no params at all, where one is needed", "tools/call", `{}`, invalid},
		{"a cursor of resources", "resources/list", `{"cursor":"c"}`, up("resources/list", `"cursor":"c",`)},
		{"a cursor of templates", "resources/templates/list", `{"cursor":"c"}`, up("resources/templates/list", `"cursor":"c",`)},
		{"a cursor of prompts", "prompts/list", `{"cursor":"c"}`, up("prompts/list", `"cursor":"c",`)},
		{"prompt arguments are strings", "prompts/get", `{"name":"p","arguments":{"who":1}}`, invalid},
		{"templates", "resources/templates/list", `{}`, up("resources/templates/list", ``)},
		{"tasks", "tasks/list", `{}`, notFound},
		{"listen", "subscriptions/listen", `{}`, notFound},
		{"subscribe", "resources/subscribe", `{"uri":"memo://one"}`, notFound},
		{"discover", "server/discover", `{}`, notFound},
		{"unknown", "no/such", `{}`, notFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"` + tt.method + `","params":` + tt.params + `}
				` + tt.want)
		})
	}
}
