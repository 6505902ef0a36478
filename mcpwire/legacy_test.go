package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// frontCan are the capabilities of a front that can be asked for everything.
const frontCan = `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}}`

// serverHas are those of a server that has everything.
const serverHas = `{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{},"completions":{},"tasks":{"requests":{"tools":{"call":{}}}}}`

// openedLegacy returns a player whose session is open with a server of this revision, that
// was initialized; the newest request upstream is 1.
func openedLegacy(t testing.TB, o Options, revision string) *player {
	t.Helper()
	o.Eras = LegacyEra
	p := newPlayer(t, o)
	c := ""
	if o.Transport == HTTP {
		c = "\nC< 1"
	}
	p.play(`
		F> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision + `","capabilities":` + frontCan + `,"clientInfo":{"name":"e","version":"1"}}}
		U< {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + revision + `","capabilities":` + frontCan + `,"clientInfo":{"name":"e","version":"1"}}}
		U> ` + p.on(1) + `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + revision + `","capabilities":` + serverHas + `,"serverInfo":{"name":"old","version":"1"},"instructions":"do"}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + revision + `","capabilities":` + serverHas + `,"serverInfo":{"name":"old","version":"1"},"instructions":"do"}}` + c + `
		F> {"jsonrpc":"2.0","method":"notifications/initialized"}
		U< {"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.log = nil
	return p
}

// The revision is agreed on end to end.
//
// req: U11, W17
func TestL3(t *testing.T) {
	initializeOf := func(id, version, capabilities string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":` + capabilities + `,"clientInfo":{"name":"e","version":"1"}}}`
	}
	for _, tt := range []struct{ name, script string }{
		{"the revision of the front goes up, and that of the server down", `
			F> ` + initializeOf("0", "2025-06-18", `{}`) + `
			U< ` + initializeOf("1", "2025-06-18", `{}`) + `
			U> {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1","title":"S","icons":[{"src":"x"}]},"x":1}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1","title":"S","icons":[{"src":"x"}]},"x":1}}`},
		{"one that has no handshake, or is unknown, becomes the newest", `
			F> ` + initializeOf("0", "2026-07-28", `{"x":{}}`) + `
			U< ` + initializeOf("1", "2025-11-25", `{"x":{}}`)},
		{"a server that answers with an unknown one", `
			F> ` + initializeOf("0", "2025-11-25", `{}`) + `
			U< ` + initializeOf("1", "2025-11-25", `{}`) + `
			U> {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2023-01-01","capabilities":{}}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version","supported":["2023-01-01"]}}}`},
		{"capabilities that are none", `
			F> ` + initializeOf("0", "2025-11-25", `{}`) + `
			U< ` + initializeOf("1", "2025-11-25", `{}`) + `
			U> {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":[]}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
		{"refused, it is sent once more with an older revision; then the error stands", `
			F> ` + initializeOf("0", "2025-11-25", `{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"extensions":{"a/b":{}},"roots":{"listChanged":true}}`) + `
			U< ` + initializeOf("1", "2025-11-25", `{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"extensions":{"a/b":{}},"roots":{"listChanged":true}}`) + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"version"}}
			U< ` + initializeOf("2", "2025-06-18", `{"sampling":{},"elicitation":{},"roots":{"listChanged":true}}`) + `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no","data":{"a":1}}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no","data":{"a":1}}}`},
		{"an older one is refused at once", `
			F> ` + initializeOf("0", "2025-06-18", `{}`) + `
			U< ` + initializeOf("1", "2025-06-18", `{}`) + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no"}}`},
		{"tasks that the client hosts are not declared", `
			F> ` + initializeOf("0", "2025-11-25", `{"tasks":{"requests":{}},"roots":{}}`) + `
			U< ` + initializeOf("1", "2025-11-25", `{"roots":{}}`)},
	} {
		t.Run(tt.name, func(t *testing.T) { newPlayer(t, Options{Eras: LegacyEra}).play(tt.script) })
	}
	t.Run("icons of a remote server", func(t *testing.T) {
		newPlayer(t, Options{Eras: LegacyEra, Remote: true}).play(`
			F> ` + initializeOf("0", "2025-11-25", `{}`) + `
			U< ` + initializeOf("1", "2025-11-25", `{}`) + `
			U> {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"icons":[{"src":"https://a.example"}],"name":"s","version":"1"}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)
	})
}

// What holds for every upstream holds here, and everything else passes as it came.
func TestL4(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"ids, and a line that passes as it came", `
			F> { "method" : "tools/call", "id" : "x", "params" : {"name":"t","arguments":{"n":1.50},"y":[]} , "jsonrpc":"2.0"}
			U< { "method" : "tools/call", "id" : 2, "params" : {"name":"t","arguments":{"n":1.50},"y":[]} , "jsonrpc":"2.0"}
			U> {"result":{"content":[{"type":"later"}],"structuredContent":{"a":1.0},"z":1},"id":2,"jsonrpc":"2.0"}
			F< {"result":{"content":[{"type":"later"}],"structuredContent":{"a":1.0},"z":1},"id":"x","jsonrpc":"2.0"}`},
		{"a second initialize", `
			F> ` + initialize + `
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"The session is already initialized.","data":{"cause":"already_initialized"}}}`},
		{"methods that no older server has", `
			F> {"jsonrpc":"2.0","id":7,"method":"server/discover"}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
			F> {"jsonrpc":"2.0","id":7,"method":"a/b"}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`},
		{"pings of both sides (T15)", `
			F> {"jsonrpc":"2.0","id":7,"method":"ping"}
			F< {"jsonrpc":"2.0","id":7,"result":{}}
			U> {"jsonrpc":"2.0","id":"p","method":"ping"}
			U< {"jsonrpc":"2.0","id":"p","result":{}}`},
		{"an id in flight (T5)", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			F> ` + listTools + `
			F< {"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}
			U> {"jsonrpc":"2.0","id":9,"result":{}}
			U> {"jsonrpc":"2.0","id":"2","result":{}}`},
		{"a time limit (T51)", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			! fire request
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`},
		{"cursors (T72)", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"b-b-x"}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"b-x"}}
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":null}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list"}
			U> {"jsonrpc":"2.0","id":3,"result":{"tools":[],"nextCursor":""}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[],"nextCursor":"b-"}}`},
		{"elements and schemas (T73, T80); how a tool runs stays", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[null,{"name":"t","execution":{"taskSupport":"optional"},"inputSchema":{"type":"object","properties":{"a":{"type":"array"}}},"title":"T"}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"t","execution":{"taskSupport":"optional"},"inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{}}}},"title":"T"}]}}`},
		{"an array that is none (T73)", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			U> {"jsonrpc":"2.0","id":2,"result":{}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
		{"errors (T90)", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}`},
		{"cancelled by the front (T150)", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"r"}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"r"}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}`},
		{"the server is lost (T100)", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			! lost upstream_exited
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { openedLegacy(t, Options{Profile: VSCode}, "2025-11-25").play(tt.script) })
	}
	t.Run("icons of a remote server (T84)", func(t *testing.T) {
		openedLegacy(t, Options{Profile: VSCode, Remote: true}, "2025-11-25").play(`
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","icons":[{"src":"file:///x"}],"inputSchema":{"type":"object"}}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}`)
	})
	t.Run("the URI that the editor makes of one (W21)", func(t *testing.T) {
		openedLegacy(t, Options{Profile: VSCode}, "2025-11-25").play(`
			F> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list"}
			U> {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"mem:a%2Fb","name":"r"}]}}
			F< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"mem:a%2Fb","name":"r"}]}}
			F> {"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"mem://dylo78gypa/b"}}
			U< {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"mem:a%2Fb"}}
			U> {"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"mem:a%2Fb","text":""}]}}
			F< {"jsonrpc":"2.0","id":2,"result":{"contents":[{"uri":"mem://dylo78gypa/b","text":""}]}}
			F> {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"mem://dylo78gypa/b"}}
			U< {"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":"mem:a%2Fb"}}
			U> {"jsonrpc":"2.0","id":4,"result":{}}
			F< {"jsonrpc":"2.0","id":2,"result":{}}
			U> {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"mem:a%2Fb"}}
			F< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"mem://dylo78gypa/b"}}
			F> {"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"mem://dylo78gypa/b"}}
			U< {"jsonrpc":"2.0","id":5,"method":"resources/unsubscribe","params":{"uri":"mem:a%2Fb"}}`)
	})
}

// Notifications that may pass do; the others do not.
//
// req: W04
func TestL6(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"changes, without what is of another hop", `
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
			F< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
			U> {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1,"a":1}}}
			F< {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"a":1}}}
			U> {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}
			F< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}
			U> {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":7}}`},
		{"log messages, also before a level is set, and none below it", `
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"a\u0007"}}
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"a\\u0007"}}
			F> {"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"error"}}
			U< {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}
			U> {"jsonrpc":"2.0","id":2,"result":{}}
			F< {"jsonrpc":"2.0","id":7,"result":{}}
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":1}}`},
		{"progress of a request in flight", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"k"}}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":2}}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":1}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":2}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":2}}`},
		{"a cancellation that names a request of the front never passes (T151)", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`},
		{"tasks", `
			U> {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"a","status":"working"}}
			F< {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"a","status":"working"}}`},
		{"others", `
			U> {"jsonrpc":"2.0","method":"notifications/x"}
			U> {"jsonrpc":"2.0","method":"notifications/initialized"}
			U> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"unknown"}}`},
		{"of the front", `
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			F> {"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"_meta":{"x":1}}}
			U< {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
			F> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
			F> {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{}}
			F> {"jsonrpc":"2.0","method":"notifications/x"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			openedLegacy(t, Options{}, "2025-11-25").play(tt.script)
		})
	}
	t.Run("list changes before the front is initialized are told of after it is (F15)", func(t *testing.T) {
		newPlayer(t, Options{Eras: LegacyEra}).play(`
			F> ` + initialize + initializeUp("1") + `
			U> {"jsonrpc":"2.0","id":1,` + legacyResult + `
			F< {"jsonrpc":"2.0","id":0,` + legacyResult + `
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			F< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
			U< {"jsonrpc":"2.0","method":"notifications/initialized"}`)
	})
	t.Run("one that is long", func(t *testing.T) {
		p := openedLegacy(t, Options{Limits: Limits{Notification: 100}}, "2025-11-25")
		p.play(`U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 100) + `"}}`)
		if n := p.logged(EventDropped, "N04"); n != 1 {
			t.Errorf("dropped %d, want 1", n)
		}
	})
}

// Features that 2026-07-28 does not have pass.
func TestL7(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"subscriptions", `
			F> {"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"a:b"}}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"a:b"}}
			U> {"jsonrpc":"2.0","id":2,"result":{}}
			F< {"jsonrpc":"2.0","id":7,"result":{}}
			F> {"jsonrpc":"2.0","id":7,"method":"resources/unsubscribe","params":{"uri":"a:b"}}
			U< {"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"a:b"}}
			U> {"jsonrpc":"2.0","id":3,"result":{}}
			F< {"jsonrpc":"2.0","id":7,"result":{}}`},
		{"tasks", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","task":{"ttl":1}}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","task":{"ttl":1}}}
			U> {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"a","status":"working"}}}
			F< {"jsonrpc":"2.0","id":7,"result":{"task":{"taskId":"a","status":"working"}}}
			F> {"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"a"}}
			U< {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"a"}}
			U> {"jsonrpc":"2.0","id":3,"result":{"taskId":"a","status":"completed"}}
			F< {"jsonrpc":"2.0","id":7,"result":{"taskId":"a","status":"completed"}}
			F> {"jsonrpc":"2.0","id":7,"method":"tasks/list"}
			U< {"jsonrpc":"2.0","id":4,"method":"tasks/list"}
			U> {"jsonrpc":"2.0","id":4,"result":{"tasks":[{"taskId":"a"},{}],"nextCursor":null}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tasks":[{"taskId":"a"}]}}
			F> {"jsonrpc":"2.0","id":7,"method":"tasks/result","params":{"taskId":"a","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"},"b":1}}}
			U< {"jsonrpc":"2.0","id":5,"method":"tasks/result","params":{"taskId":"a","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}}
			U> {"jsonrpc":"2.0","id":5,"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { openedLegacy(t, Options{}, "2025-11-25").play(tt.script) })
	}
	t.Run("progress of a call goes on when it has become a task", func(t *testing.T) {
		p := openedLegacy(t, Options{}, "2025-11-25")
		p.play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","task":{},"_meta":{"progressToken":"k"}}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","task":{},"_meta":{"progressToken":2}}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":1}}
			U> {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"a","status":"working"}}}
			F< {"jsonrpc":"2.0","id":7,"result":{"task":{"taskId":"a","status":"working"}}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":2,"message":"m"}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":2,"message":"m"}}`)
		passed := 0
		for n := range 100 {
			p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":%d}}`, n+3))
			passed += len(p.wrote)
			p.wrote = nil
		}
		if passed != 8 { // two of the ten at once are gone
			t.Errorf("%d of 100 passed at once, want 8", passed)
		}
		for id := 3; id < 3+maxTasks; id++ {
			p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"n"}}}`)
			p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"task":{"taskId":"a"}}}`, id))
		}
		p.wrote = nil
		p.now = p.now.Add(time.Minute)
		p.play(`
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":500}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"n","progress":1}}`)
	})
	t.Run("tasks came with 2025-11-25", func(t *testing.T) {
		openedLegacy(t, Options{}, "2025-06-18").play(`
			F> {"jsonrpc":"2.0","id":8,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{"_meta":{}}}
			F> {"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"a"}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
			U> {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"a","status":"working"}}`)
	})
	t.Run("a level that was set before the handshake", func(t *testing.T) {
		newPlayer(t, Options{Eras: LegacyEra}).play(`
			F> {"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"warning"}}
			F< {"jsonrpc":"2.0","id":7,"result":{}}
			F> ` + initialize + initializeUp("1") + `
			U> {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"}}}
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			U< {"jsonrpc":"2.0","method":"notifications/initialized"}
			U< {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}
			U> {"jsonrpc":"2.0","id":2,"result":{}}`)
	})
}

// -32042 tells the editor to open pages: only pages that it may be asked to open.
//
// req: W07
func TestL8(t *testing.T) {
	passes := func(list string) bool {
		p := openedLegacy(t, Options{}, "2025-11-25")
		p.input("F>", callTool)
		p.wrote = nil
		p.input("U>", `{"jsonrpc":"2.0","id":2,"error":{"code":-32042,"message":"m","data":{"elicitations":`+list+`}}}`)
		return len(p.wrote) == 1 && strings.Contains(p.wrote[0], `"code":-32042`)
	}
	page := `{"mode":"url","elicitationId":"e1","url":"https://a.example/x","message":"m"}`
	for list, want := range map[string]bool{
		`[` + page + `]`:              true,
		`[` + page + `,` + page + `]`: true,
		`[]`:                          false,
		`{}`:                          false,
		`[` + page + `,7]`:            false,
		`[` + strings.Replace(page, "https://a.example/x", "vscode://x", 1) + `]`:         false,
		`[` + page + `,` + strings.Replace(page, "https://", "https://u:p@", 1) + `]`:     false,
		`[` + strings.Replace(page, `"url",`, `"form",`, 1) + `]`:                         false,
		`[` + strings.Replace(page, `"elicitationId":"e1",`, ``, 1) + `]`:                 false,
		`[` + strings.Replace(page, `"mode":"url"`, `"mode":"url","mode":"url"`, 1) + `]`: false,
		`[` + strings.Repeat(page+`,`, 16) + page + `]`:                                   false,
	} {
		if got := passes(list); got != want {
			t.Errorf("%s passes: %v, want %v", list, got, want)
		}
	}
	openedLegacy(t, Options{}, "2025-11-25").play(`
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
		U> {"jsonrpc":"2.0","id":2,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e\u0031","url":"HTTPS://A.example/x","message":"m"}]}}}
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e\u0031","url":"https://a.example/x","message":"m"}]}}}
		U> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
		F< {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
		U> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t"}}
		U> {"jsonrpc":"2.0","id":3,"error":{"code":-32042,"message":"m"}}
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server asked for a URL elicitation in a form that this protocol revision does not allow.","data":{"cause":"url_elicitation_error"}}}`)
}

// What a server of both eras lets slip of 2026-07-28 does not reach the front, and of the
// front's _meta goes up what does elsewhere.
//
// req: W09, W10
func TestL9(t *testing.T) {
	openedLegacy(t, Options{}, "2025-11-25").play(`
		F> ` + listTools + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
		U> {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":1,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},"a":1}}}
		F< {"jsonrpc":"2.0","id":7,"result":{"tools":[],"_meta":{"a":1}}}
		F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"vscode.a":1,"other":2,"io.modelcontextprotocol/logLevel":"debug","progressToken":5,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}
		U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","_meta":{"vscode.a":1,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","progressToken":3}}}
		F> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"_meta":{"x":1},"name":"t"}}
		U< {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{},"name":"t"}}
		F> {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"_meta":7,"name":"t"}}
		U< {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{},"name":"t"}}`)
}

// L12: who asks for what of whom. A server of 2026-07-28 gets the first row, whatever the
// front asks for (TestT14, TestO9).
//
// req: W17
func TestL12(t *testing.T) {
	for _, asks := range revisionNames[1:] {
		for _, has := range revisionNames[1:] {
			t.Run(fmt.Sprintf("front %s, server %s", asks, has), func(t *testing.T) {
				p := newPlayer(t, Options{})
				p.input("F>", strings.Replace(initialize, "2025-11-25", asks, 1))
				p.input("U>", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)
				p.wrote = nil
				p.play(`
					U> {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"` + has + `","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
					F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + has + `","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
					F> {"jsonrpc":"2.0","method":"notifications/initialized"}
					U< {"jsonrpc":"2.0","method":"notifications/initialized"}
					F> ` + listTools + `
					U< {"jsonrpc":"2.0","id":3,"method":"tools/list"}
					U> {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"t","title":"T","inputSchema":{"type":"object"}}]}}
					F< {"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"t","title":"T","inputSchema":{"type":"object"}}]}}`)
			})
		}
	}
}
