package mcpwire

import (
	"strings"
	"testing"
)

// Over HTTP an older server has headers of its own (which the player checks), a stream that
// the front's notifications are not told by, and sessions.
func TestL10(t *testing.T) {
	for _, revision := range revisionNames[1:] {
		t.Run("revision "+revision, func(t *testing.T) {
			openedLegacy(t, Options{Transport: HTTP}, revision).play(`
				F> ` + callTool + `
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
				U> 2 {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
				F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
				U> 0 {"jsonrpc":"2.0","id":"r","method":"roots/list"}
				F< {"jsonrpc":"2.0","id":"b-1","method":"roots/list"}
				F> {"jsonrpc":"2.0","id":"b-1","result":{"roots":[]}}
				U< {"jsonrpc":"2.0","id":"r","result":{"roots":[]}}
				U> 2 {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
				F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
				C< 2`)
		})
	}
	t.Run("cancelled by a message of its own", func(t *testing.T) {
		openedLegacy(t, Options{Transport: HTTP}, "2025-11-25").play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			C< 2`)
	})
	t.Run("a stream may be asked for once the front is initialized", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP, Eras: LegacyEra})
		p.input("F>", initialize)
		p.input("U>", `1 {"jsonrpc":"2.0","id":1,`+legacyResult)
		var out Steps
		p.line(Front, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, &out)
		if !out.Stream {
			t.Error("no stream")
		}
	})
	t.Run("the first request names no session", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP, Eras: LegacyEra})
		var out Steps
		p.line(Front, initialize, &out)
		if f := out.ToUpstream; len(f) != 1 || !f[0].Opens {
			t.Errorf("frames %+v", f)
		}
	})
	for _, tt := range []struct{ name, script string }{
		{"a status", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			! status 2 404` + failedWith(7, CauseHTTPStatus, 404, "")},
		{"an error in the body of one", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			! status 2 400 {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"x"}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"x"}}`},
		{"not sent, once more", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			! unsent 2 network
			! fire request
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list"}
			! unsent 3 network` + failed(7, CauseNetwork)},
	} {
		t.Run(tt.name, func(t *testing.T) { openedLegacy(t, Options{Transport: HTTP}, "2025-11-25").play(tt.script) })
	}
}

// A session that the server has forgotten is opened once more behind the front's back, and
// what was refused for it, unprocessed, goes out again, once.
//
// req: U10
func TestL10Forgotten(t *testing.T) {
	const again = `{"protocolVersion":"2025-11-25","capabilities":` + frontCan + `,"clientInfo":{"name":"e","version":"1"}}`
	reopens := func(id string) string {
		return `
			U< {"jsonrpc":"2.0","id":` + id + `,"method":"initialize","params":` + again + `}`
	}
	changed := `
			F< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
			F< {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
			F< {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`
	answered := func(id string) string {
		return `
			U> ` + id + ` {"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}}` + changed + `
			U< {"jsonrpc":"2.0","method":"notifications/initialized"}`
	}
	list := `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for _, tt := range []struct{ name, script string }{
		{"and the request goes out again", list + `
			! forgotten 2` + reopens("3") + answered("3") + `
			U< {"jsonrpc":"2.0","id":4,"method":"tools/list"}
			C< 3
			U> 4 {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
			C< 4
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}`},
		{"not twice", list + `
			! forgotten 2` + reopens("3") + answered("3") + `
			U< {"jsonrpc":"2.0","id":4,"method":"tools/list"}
			C< 3
			! forgotten 4` + failedWith(7, CauseHTTPStatus, 404, "")},
		{"others wait; what the front is subscribed to and its level hold again", `
			F> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}
			U< {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}
			U> 2 {"jsonrpc":"2.0","id":2,"result":{}}
			F< {"jsonrpc":"2.0","id":1,"result":{}}
			C< 2
			F> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:b"}}
			U< {"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"a:b"}}
			U> 3 {"jsonrpc":"2.0","id":3,"result":{}}
			F< {"jsonrpc":"2.0","id":1,"result":{}}
			C< 3
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":4,"method":"tools/list"}
			! forgotten 4` + reopens("5") + `
			F> {"jsonrpc":"2.0","id":8,"method":"prompts/list"}
			U> 5 {"jsonrpc":"2.0","id":5,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}}` + changed + `
			U< {"jsonrpc":"2.0","method":"notifications/initialized"}
			U< {"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"error"}}
			U< {"jsonrpc":"2.0","id":8,"method":"resources/subscribe","params":{"uri":"a:b"}}
			U< {"jsonrpc":"2.0","id":9,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":10,"method":"prompts/list"}
			C< 5`},
		{"cancelled meanwhile", list + `
			! forgotten 2` + reopens("3") + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}` + answered("3") + `
			C< 3`},
		{"and it does not open again", list + `
			! forgotten 2` + reopens("3") + `
			! status 3 500` + failedWith(7, CauseHTTPStatus, 500, "")},
		{"another revision", list + `
			! forgotten 2` + reopens("3") + `
			U> 3 {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}` + failed(7, CauseInvalidUpstreamMessage) + `
			C< 3`},
		{"a line that is no message, behind what 2024-11-05 has", list + `
			! forgotten 2` + reopens("3") + `
			U> 0 {"jsonrpc":"2.0","id":3}` + failed(7, CauseInvalidUpstreamMessage)},
		{"no answer", list + `
			! forgotten 2` + reopens("3") + `
			! fire request` + failed(7, CauseTimeout) + `
			C< 3`},
		{"the end of the input", list + `
			! forgotten 2` + reopens("3") + `
			! end
			! fire drain
			C< 3`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedLegacy(t, Options{Transport: HTTP}, "2025-11-25")
			p.play(tt.script)
			if used := p.session.core.table.used(); used != len(p.timers) {
				t.Errorf("%d slots, timers %v", used, p.timers)
			}
		})
	}
}

// req: U17
func TestU17(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "!~": true, strings.Repeat("x", 1024): true,
		"": false, strings.Repeat("x", 1025): false, "a b": false, "a\x7f": false, "é": false, "a\n": false, "\t": false,
	} {
		if got := ValidSession(id); got != want {
			t.Errorf("ValidSession(%.20q) = %v, want %v", id, got, want)
		}
	}
}
