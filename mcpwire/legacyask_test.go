package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	askForName  = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}`
	askForRoots = `{"jsonrpc":"2.0","id":"r","method":"roots/list"}`
	sample      = `"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}`
	namedForm   = `"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}`
)

// Requests of the server reach the front with ids of the bridge, checked; so do the
// answers the server, with its own.
//
// req: I01, I02, I03, I04, I05
func TestL5(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"a form", `
			U> ` + askForName + `
			F< {"jsonrpc":"2.0","id":"b-1",` + namedForm + `
			F> {"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{"a":"x"},"_meta":{"x":1}}}
			U< {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"a":"x"}}}`},
		{"a form that is declined loses its content", `
			U> ` + askForName + `
			F< {"jsonrpc":"2.0","id":"b-1",` + namedForm + `
			F> {"jsonrpc":"2.0","id":"b-1","result":{"action":"decline","content":{"a":"x"}}}
			U< {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`},
		{"an answer that does not fit its form", `
			U> ` + askForName + `
			F< {"jsonrpc":"2.0","id":"b-1",` + namedForm + `
			F> {"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{}}}
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The client gave no answer that is valid."}}`},
		{"an answer that is no message (T126)", `
			U> ` + askForName + `
			F< {"jsonrpc":"2.0","id":"b-1",` + namedForm + `
			F> {"jsonrpc":"2.0","id":"b-1"}
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The client gave no answer that is valid."}}`},
		{"an error of the front keeps its code and not its text (I04)", `
			U> ` + askForName + `
			F< {"jsonrpc":"2.0","id":"b-1",` + namedForm + `
			F> {"jsonrpc":"2.0","id":"b-1","error":{"code":-7,"message":"at line 3 of /home/u","data":{}}}
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-7,"message":"The client answered with an error."}}`},
		{"a form that nests", `
			U> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The client must not be asked for this."}}`},
		{"a page, and its end", `
			U> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/","elicitationId":"e\u0031","task":{}}}
			F< {"jsonrpc":"2.0","id":"b-1","method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/","elicitationId":"e\u0031"}}
			F> {"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{"a":1}}}
			U< {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
			U> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1","x":1}}
			F< {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`},
		{"a page that must not be shown is declined", `
			U> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"vscode://a","elicitationId":"e1"}}
			U< {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}
			U> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`},
		{"a page without an id", `
			U> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/"}}
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The client must not be asked for this."}}`},
		{"roots, only local ones (I05)", `
			U> ` + askForRoots + `
			F< {"jsonrpc":"2.0","id":"b-1","method":"roots/list"}
			F> {"jsonrpc":"2.0","id":"b-1","result":{"roots":[{"uri":"file:///w","name":"w"},{"uri":"vscode-vfs://github/x"}]}}
			U< {"jsonrpc":"2.0","id":"r","result":{"roots":[{"uri":"file:///w","name":"w"}]}}`},
		{"sampling in a call, with what it is about", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","id":7,` + strings.Replace(sample, `"maxTokens":5`, `"maxTokens":5,"includeContext":"none","x":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"},"progressToken":"p","io.modelcontextprotocol/serverInfo":{}}`, 1) + `
			F< {"jsonrpc":"2.0","id":"b-1",` + strings.Replace(sample, `"maxTokens":5`, `"maxTokens":5,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"},"progressToken":"p"}`, 1) + `
			F> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
			U< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
			F> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"q","progress":1}}
			F> {"jsonrpc":"2.0","id":"b-1","result":{"role":"assistant","content":{"type":"text","text":"!"},"model":"m","x":1}}
			U< {"jsonrpc":"2.0","id":7,"result":{"role":"assistant","content":{"type":"text","text":"!"},"model":"m"}}`},
		{"sampling with tools that the front has not declared", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","id":7,` + strings.Replace(sample, `"maxTokens":5`, `"maxTokens":5,"tools":[]`, 1) + `
			U< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"The client must not be asked for this."}}`},
		{"another method", `
			U> {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"a"}}
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method is not available."}}`},
		{"an id that is in use", `
			U> ` + askForRoots + `
			F< {"jsonrpc":"2.0","id":"b-1","method":"roots/list"}
			U> ` + askForRoots + `
			F> {"jsonrpc":"2.0","id":"b-1","result":{"roots":[]}}
			U< {"jsonrpc":"2.0","id":"r","result":{"roots":[]}}`},
		{"taken back by the server", `
			U> ` + askForRoots + `
			F< {"jsonrpc":"2.0","id":"b-1","method":"roots/list"}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r","reason":"x"}}
			W< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b-1","reason":"The server does not need this any more."}}
			F> {"jsonrpc":"2.0","id":"b-1","result":{"roots":[]}}`},
		{"the server is lost", `
			U> ` + askForRoots + `
			F< {"jsonrpc":"2.0","id":"b-1","method":"roots/list"}
			! lost upstream_exited
			W< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b-1","reason":"The server does not need this any more."}}
			F> {"jsonrpc":"2.0","id":"b-1","result":{"roots":[]}}`},
		{"at the end", `
			U> ` + askForRoots + `
			F< {"jsonrpc":"2.0","id":"b-1","method":"roots/list"}
			! end`},
		{"answers that nothing waits for (T6)", `
			F> {"jsonrpc":"2.0","id":"b-1","result":{}}
			F> {"jsonrpc":"2.0","id":1,"result":{}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedLegacy(t, Options{}, "2025-11-25")
			p.play(tt.script)
			if held, open := p.session.core.table.held, len(p.session.core.inquiries.open); open == 0 && p.session.core.table.used() == 0 && held != 0 {
				t.Errorf("%d bytes are held for nothing", held)
			}
		})
	}
	t.Run("what the front has not declared", func(t *testing.T) {
		p := newPlayer(t, Options{Eras: LegacyEra})
		p.play(`
			F> ` + initialize + initializeUp("1") + `
			U> {"jsonrpc":"2.0","id":1,` + legacyResult + `
			F< {"jsonrpc":"2.0","id":0,` + legacyResult + `
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			U< {"jsonrpc":"2.0","method":"notifications/initialized"}
			U> ` + askForRoots + `
			U< {"jsonrpc":"2.0","id":"r","error":{"code":-32601,"message":"The client has not declared this."}}
			U> {"jsonrpc":"2.0","id":2,` + sample + `
			U< {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"The client has not declared this."}}
			U> ` + askForName + `
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The client has not declared this."}}`)
	})
	t.Run("what the revision that was agreed on does not have", func(t *testing.T) {
		p := newPlayer(t, Options{Eras: LegacyEra})
		p.input("F>", strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+frontCan, 1))
		p.input("U>", `{"jsonrpc":"2.0","id":1,`+strings.Replace(legacyResult, "2025-11-25", "2025-03-26", 1))
		p.input("F>", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.wrote = nil
		p.play(`
			U> ` + askForName + `
			U< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The client has not declared this."}}`)
	})
	t.Run("before the front is initialized", func(t *testing.T) {
		p := newPlayer(t, Options{Eras: LegacyEra})
		p.input("F>", strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+frontCan, 1))
		p.input("U>", `{"jsonrpc":"2.0","id":1,`+legacyResult)
		p.wrote = nil
		p.play(`
			U> ` + askForRoots + `
			U< {"jsonrpc":"2.0","id":"r","error":{"code":-32600,"message":"The client is not initialized."}}
			U> {"jsonrpc":"2.0","id":1,"method":"ping"}
			U< {"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	t.Run("a form that is long is read outside", func(t *testing.T) {
		long := strings.Repeat("m", maxInside)
		p := openedLegacy(t, Options{}, "2025-11-25")
		p.play(`
			! hold
			U> ` + strings.Replace(askForName, `"m"`, `"`+long+`"`, 1) + `
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			! commit
			! hold
			U> ` + strings.Replace(askForName, `"m"`, `"`+long+`"`, 1) + `
			! commit
			F< {"jsonrpc":"2.0","id":"b-2",` + strings.Replace(namedForm, `"m"`, `"`+long+`"`, 1) + `
			! hold
			F> {"jsonrpc":"2.0","id":"b-2","result":{"action":"accept","content":{"a":"` + long + `"}}}
			F> {"jsonrpc":"2.0","id":"b-2","result":{"action":"decline"}}`)
		if len(p.timers) > 0 {
			t.Errorf("an answer that is there runs out of time: %v", p.timers)
		}
		p.play(`
			! commit
			U< {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"a":"` + long + `"}}}
			U> ` + askForName + `
			F< {"jsonrpc":"2.0","id":"b-3",` + namedForm + `
			! hold
			F> {"jsonrpc":"2.0","id":"b-3","result":{"action":"accept","content":{"a":"` + long + `"}}}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			! commit`)
	})
}

// A server that was refused the model is not let ask again, where the front would then
// allow it without asking a person.
//
// req: I15
func TestL5RefusalHolds(t *testing.T) {
	p := openedLegacy(t, Options{Profile: VSCode}, "2025-11-25")
	p.play(`
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
		U> {"jsonrpc":"2.0","id":1,` + sample + `
		F< {"jsonrpc":"2.0","id":"b-1",` + sample + `
		F> {"jsonrpc":"2.0","id":"b-1","error":{"code":-32000,"message":"no"}}
		U< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"The client answered with an error."}}
		U> {"jsonrpc":"2.0","id":2,` + sample + `
		U< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"The client answered with an error."}}`)
}

// The model is there for what a person does: not while nothing of that is in flight.
//
// req: I16
func TestI16(t *testing.T) {
	refused := `
		U> {"jsonrpc":"2.0","id":1,` + sample + `
		U< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The client has no request in flight that this could be for."}}`
	asked := `
		U> {"jsonrpc":"2.0","id":1,` + sample + `
		F< {"jsonrpc":"2.0","id":"b-1",` + sample
	for _, tt := range []struct {
		name, script string
		o            Options
	}{
		{"nothing in flight", refused, Options{}},
		{"a list", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}` + refused, Options{}},
		{"a call", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}` + asked, Options{}},
		{"a call that has ended", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}` + refused, Options{}},
		{"the result of a task", `
			F> {"jsonrpc":"2.0","id":7,"method":"tasks/result","params":{"taskId":"a"}}
			U< {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"a"}}` + asked, Options{}},
		{"allowed by option", asked, Options{SampleAnytime: true}},
	} {
		t.Run(tt.name, func(t *testing.T) { openedLegacy(t, tt.o, "2025-11-25").play(tt.script) })
	}
}

// req: U18
func TestU18(t *testing.T) {
	roots := func(n int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, n) }
	asked := func(n int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":"b-%d","method":"roots/list"}`, n) }
	t.Run("eight at a time", func(t *testing.T) {
		p := openedLegacy(t, Options{}, "2025-11-25")
		for n := 1; n <= 8; n++ {
			p.play(`
				U> ` + roots(n) + `
				F< ` + asked(n))
		}
		p.play(`
			U> ` + roots(9) + `
			U< {"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"Too many requests to the client are open."}}
			F> {"jsonrpc":"2.0","id":"b-3","result":{"roots":[]}}
			U< {"jsonrpc":"2.0","id":3,"result":{"roots":[]}}
			U> ` + roots(9) + `
			F< ` + asked(9))
	})
	for name, tt := range map[string]struct {
		request string
		wait    time.Duration
	}{"roots": {askForRoots, time.Minute}, "a form": {strings.Replace(askForName, `"id":1`, `"id":"r"`, 1), time.Hour}} {
		t.Run("time limit of "+name, func(t *testing.T) {
			p := openedLegacy(t, Options{}, "2025-11-25")
			start := p.now
			p.input("U>", tt.request)
			p.wrote = nil
			p.play(`
				! fire inquiry
				W< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b-1","reason":"The server does not need this any more."}}
				U< {"jsonrpc":"2.0","id":"r","error":{"code":-32603,"message":"The client did not answer in time."}}
				F> {"jsonrpc":"2.0","id":"b-1","result":{"roots":[]}}`)
			if got := p.now.Sub(start); got != tt.wait {
				t.Errorf("it ended after %v, want %v", got, tt.wait)
			}
		})
	}
	t.Run("the rate (I13)", func(t *testing.T) {
		p := openedLegacy(t, Options{}, "2025-11-25")
		for n := 1; n <= 20; n++ {
			p.play(`
				U> ` + roots(n) + `
				F< ` + asked(n) + `
				F> {"jsonrpc":"2.0","id":"b-` + fmt.Sprint(n) + `","result":{"roots":[]}}
				U< {"jsonrpc":"2.0","id":` + fmt.Sprint(n) + `,"result":{"roots":[]}}`)
		}
		start := p.now
		p.play(`
			U> ` + roots(21) + `
			F> {"jsonrpc":"2.0","id":"b-21","result":{"roots":[]}}
			! fire inquiry
			F< ` + asked(21))
		if got := p.now.Sub(start); got != 100*time.Millisecond {
			t.Errorf("the 21st waited %v", got)
		}
	})
}
