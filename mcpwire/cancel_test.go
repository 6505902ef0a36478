package mcpwire

import "testing"

const called = `
	F> ` + callTool + `
	U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}`

// req: W13
func TestT150(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"a request in flight", called + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"the user \u0041"}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"the user \u0041"}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}`},
		{"an error comes late", called + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			U> {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}
			! lost upstream_exited`},
		{"the id may be used again", called + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":1}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`},
		{"twice", called + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`},
		{"other ids", called + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled"}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b-1"}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`},
		{"after the answer", called + `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`},
		{"while the answer is shaped", `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
			! hold
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			! commit`},
		{"while the input is drained", called + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			! end`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, Options{})
			p.play(tt.script)
			if p.session.core.table.used() != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", p.session.core.table.used(), p.timers)
			}
		})
	}
}
