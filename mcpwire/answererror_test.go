package mcpwire

import (
	"strings"
	"testing"
	"time"
)

// errorsPass plays error objects of the upstream before and after.
func errorsPass(t *testing.T, o Options, request string, table [][2]string) {
	t.Helper()
	for _, row := range table {
		p := opened(t, o)
		p.input("F>", request)
		p.wrote = nil
		p.play(`
			U> {"jsonrpc":"2.0","id":2,"error":` + row[0] + `}
			F< {"jsonrpc":"2.0","id":7,"error":` + row[1] + `}`)
	}
}

// req: P05
func TestT90(t *testing.T) {
	invalid := `{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}`
	errorsPass(t, Options{}, callTool, [][2]string{
		{`{"code":-32602,"message":"Unknown tool","data":{"x": [1]}}`, `{"code":-32602,"message":"Unknown tool","data":{"x": [1]}}`},
		{`{"code":0,"message":"","more":1}`, `{"code":0,"message":"","more":1}`},
		{`{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{}}}}`, `{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{}}}}`},
		{`{"code":1,"message":null}`, `{"code":1,"message":""}`},
		{`{"code":1}`, `{"message":"","code":1}`},
		{`{"code":1.5,"message":"x"}`, invalid},
		{`{"code":"1","message":"x"}`, invalid},
		{`{"message":"x"}`, invalid},
		{`{"code":1,"message":"x","code":"x"}`, invalid},
		{`{"code":-32042,"message":"x","code":1,"data":{"elicitations":[]}}`, invalid},
		{`{"code":1,"message":"x","message":7}`, invalid},
		{`{"code":1,"message":"x","data":1,"data":2}`, invalid},
		{`{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}`, `{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}`},
		{`{"code":-32022,"message":"x"}`, `{"code":-32022,"message":"x"}`},
		{`{}`, invalid},
	})
	notFound := `{"code":-32602,"message":"x","data":{"uri":"memo:\/\/one"}}`
	errorsPass(t, Options{Profile: VSCode}, readMemo, [][2]string{{notFound, notFound}})
	errorsPass(t, Options{}, readMemo, [][2]string{
		{notFound, `{"code":-32002,"message":"x","data":{"uri":"memo:\/\/one"}}`},
		{`{"code":-32602,"message":"x","data":{"uri":"memo://two"}}`, `{"code":-32602,"message":"x","data":{"uri":"memo://two"}}`},
		{`{"code":-32602,"message":"x"}`, `{"code":-32602,"message":"x"}`},
		{`{"code":-32002,"message":"x"}`, `{"code":-32002,"message":"x"}`},
	})
}

// A request that the upstream refuses for its revision is sent once more.
//
// req: U03
func TestT17Request(t *testing.T) {
	refusal := func(id string) string {
		return `
		U> {"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25","2026-07-28"]}}}`
	}
	call := func(id string) string {
		return `
		U< {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"t","arguments":{"a": 1.0},` + meta + `,"progressToken":` + id + `}}}`
	}
	asked := `
		F> {"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"_meta":{"progressToken":"k"},"name":"t","arguments":{"a": 1.0}}}` + call("2") + refusal("2") + call("3")
	t.Run("and answered", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(asked + `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":1}}
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":"x","result":{"content":[]}}`)
		if len(p.timers) != 0 {
			t.Errorf("timers %v at the end", p.timers)
		}
	})
	t.Run("a second refusal passes", func(t *testing.T) {
		opened(t, Options{}).play(asked + refusal("3") + `
			F< {"jsonrpc":"2.0","id":"x","error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25","2026-07-28"]}}}`)
	})
	t.Run("but not after the end of the input", func(t *testing.T) {
		opened(t, Options{}).play(called + `
			! end
			! fire drain
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + refusal("2") + `
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25","2026-07-28"]}}}`)
	})
	t.Run("and has a time limit", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(asked)
		start := p.now
		p.play(`
			! fire request
			F< {"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		if got, want := p.now.Sub(start), time.Hour; got != want {
			t.Errorf("the second one timed out after %v, want %v", got, want)
		}
	})
	t.Run("cancelled afterwards", func(t *testing.T) {
		opened(t, Options{}).play(asked + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	})
}

// req: W07
func TestT93(t *testing.T) {
	want := `{"code":-32603,"message":"The server asked for a URL elicitation in a form that this protocol revision does not allow.","data":{"cause":"url_elicitation_error"}}`
	for _, profile := range []Profile{{}, VSCode} {
		for name := range forwarded() {
			errorsPass(t, Options{Profile: profile}, `{"jsonrpc":"2.0","id":7,"method":"`+name+`","params":`+anyParams+`}`, [][2]string{
				{`{"code":-32042,"message":"x","data":{"elicitations":[{"mode":"url","url":"vscode://…","elicitationId":"1","message":"m"}]}}`, want},
				{`{"data":1,"code":-32042}`, want},
			})
		}
	}
}

// An error that is long is read outside the caller's lock, as an answer is. Meanwhile
// anything may happen to its request.
func TestT90LongError(t *testing.T) {
	long := strings.Repeat("x", maxInside)
	asked := `
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
		! hold`
	for _, tt := range []struct{ name, script string }{
		{"nothing happens", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"` + long + `"}}
			! commit
			F< {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"` + long + `"}}`},
		{"it is cancelled", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"` + long + `"}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			! commit`},
		{"it is sent again", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"` + long + `","data":{"supported":["2026-07-28"]}}}
			! commit
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`},
		{"it is cancelled and not sent again", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"` + long + `","data":{"supported":["2026-07-28"]}}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			! commit`},
		{"the input ends and is drained", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"` + long + `","data":{"supported":["2026-07-28"]}}}
			! end
			! fire drain
			! commit
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"` + long + `","data":{"supported":["2026-07-28"]}}}`},
		{"it has no code", `
			U> {"jsonrpc":"2.0","id":2,"error":{"message":"` + long + `"}}
			! commit
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, Options{})
			p.play(asked + tt.script)
			if used := p.session.core.table.used(); used != 0 {
				t.Errorf("%d slots are in use", used)
			}
		})
	}
}
