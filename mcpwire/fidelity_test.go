package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

const (
	invalidUpstream = `F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`
	invalidRequest  = `"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`
)

// escaped writes the first character of a name as an escape.
func escaped(name string) string { return fmt.Sprintf(`\u%04x%s`, name[0], name[1:]) }

// A member that a rule reads may not stand twice, however it is written: readers
// differ in which one they take. Those that no rule reads may.
//
// req: W11
func TestW11Duplicates(t *testing.T) {
	for _, write := range []func(string) string{func(s string) string { return s }, escaped} {
		envelope := func(member, value string) string { return `,"` + write(member) + `":` + value + `}` }
		for _, tt := range []struct{ member, line, id string }{
			{"jsonrpc", `{"jsonrpc":"2.0","id":7,"method":"ping"` + envelope("jsonrpc", `"2.0"`), `"id":7,`},
			{"id", `{"jsonrpc":"2.0","id":7,"method":"ping"` + envelope("id", `8`), ``},
			{"method", `{"jsonrpc":"2.0","id":7,"method":"ping"` + envelope("method", `"ping"`), `"id":7,`},
			{"params", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{}` + envelope("params", `{}`), `"id":7,`},
		} {
			t.Run("front: "+tt.member, func(t *testing.T) {
				opened(t, Options{}).play("F> " + tt.line + "\nF< {\"jsonrpc\":\"2.0\"," + tt.id + invalidRequest)
			})
		}
		for _, member := range []string{"_meta", "name", "uri", "cursor", "arguments"} {
			t.Run("front: "+member+" of params", func(t *testing.T) {
				opened(t, Options{}).play(`
					F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"` + member + `":null,"x":1,"` + write(member) + `":null}}
					F< {"jsonrpc":"2.0","id":7,` + invalidRequest)
			})
		}
		for _, tt := range []struct{ member, line string }{
			{"jsonrpc", `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}` + envelope("jsonrpc", `"2.0"`)},
			{"id", `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}` + envelope("id", `2`)},
			{"result", `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}` + envelope("result", `{"tools":[]}`)},
			{"error", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}` + envelope("error", `{"code":1,"message":"x"}`)},
		} {
			t.Run("upstream: "+tt.member, func(t *testing.T) {
				p := opened(t, Options{})
				p.input("F>", listTools)
				p.wrote = nil
				p.play("U> " + tt.line + "\n" + invalidUpstream)
			})
		}
		for _, member := range []string{"_meta", "resultType", "inputRequests", "requestState", "nextCursor"} {
			answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
				{"upstream: " + member + " of result", `{"tools":[],"` + member + `":null,"` + write(member) + `":null}`, ``},
			})
		}
	}
}

// What no rule touches passes byte for byte, in both directions.
//
// req: W11
func TestW11Bytes(t *testing.T) {
	const odd = `{"z":1.0e400,"a":-0,"n":12345678901234567890.10,"b":9007199254740993,"a":[ 1 , 2 ],"":"","e":"\u00e9\/\ud83d\ude00\u2028","é":"é","jsonrpc":1,"jsonrpc":2,"_meta":1,"_meta":2,"name":1,"name":2, "x" : { } }`
	for _, profile := range []Profile{{}, VSCode} {
		for _, remote := range []bool{false, true} {
			p := opened(t, Options{Profile: profile, Remote: remote})
			p.play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":` + odd + `,"name":"\u0074\/"}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":` + odd + `,"name":"\u0074\/",META}}
				U> {"x":` + odd + `,"jsonrpc":"2.0","result":{"structuredContent":` + odd + `,"y":` + odd + `,"content":[{"z":` + odd + `,"type":"text","text":"\u0041"}],"_meta":{"com.acme/k":` + odd + `}},"id":2}
				F< {"x":` + odd + `,"jsonrpc":"2.0","result":{"structuredContent":` + odd + `,"y":` + odd + `,"content":[{"z":` + odd + `,"type":"text","text":"\u0041"}],"_meta":{"com.acme/k":` + odd + `}},"id":7}
				F> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"t"}}
				U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}
				U> {"jsonrpc":"2.0","error":{"data":` + odd + `,"message":"\u0041","code":-7,"z":` + odd + `},"id":3}
				F< {"jsonrpc":"2.0","error":{"data":` + odd + `,"message":"\u0041","code":-7,"z":` + odd + `},"id":8}`)
		}
	}
}

// The items of lists keep their order and all that no rule touches (T82, T83).
//
// req: W11
func TestT82(t *testing.T) {
	const annotations = `"annotations":{"audience":["user"],"priority":7,"lastModified":"x"},"size":-1.5,"title":"T"`
	for name, md := range forwarded() {
		if !md.paged {
			continue
		}
		item := func(key string) string {
			s := `{"z":1,"` + md.key + `":"` + key + `",` + annotations
			if name == "tools/list" {
				s += `,"inputSchema":{"type":"object"}`
			}
			return s + `,"_meta":{"progressToken":1}}`
		}
		list := `{"` + memberNames[md.array] + `":[` + item("b:b") + `,` + item("a:a") + `,` + item("b:b") + `,` + item("c:c") + `]}`
		answers(t, Options{Profile: VSCode}, `{"jsonrpc":"2.0","id":7,"method":"`+name+`"}`, []rewriteCase{{name, list, list}})
	}
}

// Every request goes upstream, whatever the server says of caching (T85).
func TestT85(t *testing.T) {
	p := opened(t, Options{})
	for i, hint := range []string{`"ttlMs":3600000,"cacheScope":"public"`, `"ttlMs":-1`, `"ttlMs":"x","cacheScope":7`, `"cacheScope":null`} {
		p.play(fmt.Sprintf(`
			F> %s
			U< {"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{META}}
			U> {"jsonrpc":"2.0","id":%d,"result":{"tools":[],%s}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}`, listTools, i+2, i+2, hint))
	}
}

// Ids that a reader of numbers would mix up stay apart.
//
// req: W12
func TestT5LookAlikes(t *testing.T) {
	ids := []string{`0`, `"0"`, `9007199254740992`, `9007199254740993`, `"9007199254740993"`, `-9007199254740993`, `18446744073709551616`, `"b-2"`, `2`, `"2"`, `"\u0032"`}
	p := opened(t, Options{})
	for i, id := range ids {
		p.play(fmt.Sprintf(`
			F> {"jsonrpc":"2.0","id":%s,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{META}}`, id, i+2))
	}
	for i := len(ids) - 1; i >= 0; i-- {
		p.play(fmt.Sprintf(`
			U> {"jsonrpc":"2.0","id":%d,"result":{"tools":[],"x":%d}}
			F< {"jsonrpc":"2.0","id":%s,"result":{"tools":[],"x":%d}}`, i+2, i, ids[i], i))
	}
}

// The answers that count are one for each request, with a result or an error.
//
// req: W13
func TestT8(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"answers twice", `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}`},
		{"a result and an error", `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]},"error":{"code":1,"message":"x"}}
			` + invalidUpstream},
		{"neither", `
			U> {"jsonrpc":"2.0","id":2}
			` + invalidUpstream},
		{"an error that is a string", `
			U> {"jsonrpc":"2.0","id":2,"error":"x"}
			` + invalidUpstream},
		{"the id of another", `
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":4294967298,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`},
		{"a batch", `
			U> [{"jsonrpc":"2.0","id":2,"result":{"content":[]}}]
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { opened(t, Options{}).play(called + tt.script) })
	}
}

// An error that answers nothing is dropped, with a line of the log (T94).
func TestT94(t *testing.T) {
	p := opened(t, Options{})
	p.play(called + `
		U> {"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}
		U> {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}
		U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	if got := p.logged(EventDropped, "T1") + p.logged(EventDropped, "T8"); got != 2 {
		t.Errorf("logged %d drops, want 2", got)
	}
}

// A notification that has an id is a request, and answered as one; of the upstream it
// is dropped (T7).
func TestNotificationWithAnID(t *testing.T) {
	opened(t, Options{}).play(called + `
		F> {"jsonrpc":"2.0","id":8,"method":"notifications/cancelled","params":{"requestId":7}}
		F< {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
		F> {"jsonrpc":"2.0","id":9,"method":"notifications/initialized"}
		F< {"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
		F> {"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}
		U> {"jsonrpc":"2.0","id":2,"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
		U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
}

// What an editor writes at once, before the first answer, is answered in any order.
func TestEditorPipelines(t *testing.T) {
	p := newPlayer(t, Options{Profile: VSCode})
	p.play(strings.TrimSuffix(handshake, "F> {\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}\n") + `
		F> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}
		F< {"jsonrpc":"2.0","id":2,"result":{}}
		F> {"method":"notifications/initialized","jsonrpc":"2.0"}
		F> {"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{}}
		U< {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{` + meta + `,"io.modelcontextprotocol/logLevel":"info"}}}
		F> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{}}
		U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + meta + `,"io.modelcontextprotocol/logLevel":"info"}}}
		U> {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
		F< {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
		U> {"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}
		F< {"jsonrpc":"2.0","id":3,"result":{"prompts":[]}}`)
}

// An initialize that was cancelled can come again, and the answer to the first one is
// none to the second (T13).
//
// req: W03
func TestT13Again(t *testing.T) {
	newPlayer(t, Options{}).play(discoverFirst + `
		F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
		` + strings.ReplaceAll(discoverFirst, `"id":1,`, `"id":2,`) + `
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}}}
		U> {"jsonrpc":"2.0","id":2,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`)
}
