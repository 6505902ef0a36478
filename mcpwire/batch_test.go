package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// A front of 2025-03-26 may send arrays, and gets one for each, once all requests in it are
// answered.
//
// req: W17
func TestO2(t *testing.T) {
	const (
		noMessage = `"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`
		up        = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
		call      = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":%d}}}`
	)
	upCall := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t",%s`, id, strings.Replace(up, `{}}}}`, fmt.Sprintf(`{},"progressToken":%d}}}`, id), 1))
	}
	for _, tt := range []struct{ name, script string }{
		{"requests, a notification and a ping", `
			F> [` + fmt.Sprintf(call, 1, 1) + `,{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"p","method":"ping"},` + fmt.Sprintf(call, 2, 2) + `]
			U< ` + upCall(2) + `
			U< ` + upCall(3) + `
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{}}}
			F< [{"jsonrpc":"2.0","id":"p","result":{}},{"jsonrpc":"2.0","id":2,"result":{"content":[]}},{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}]}}]`},
		{"notifications alone have no answer", `
			F> [{"jsonrpc":"2.0","method":"notifications/x"}]`},
		{"an empty one", `
			F> []
			F< {"jsonrpc":"2.0","id":null,` + noMessage},
		{"what is no message", `
			F> [1,[],{"jsonrpc":"2.0","id":1.5,"method":"x"},{"jsonrpc":"2.0","id":3},{"jsonrpc":"2.0","id":4,"method":"a/b"}]
			F< [{"jsonrpc":"2.0","id":null,` + noMessage + `,{"jsonrpc":"2.0","id":null,` + noMessage + `,{"jsonrpc":"2.0","id":1.5,` + noMessage + `,{"jsonrpc":"2.0","id":3,` + noMessage + `,{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}]`},
		{"initialize", `
			F> [` + strings.Replace(initialize, `"id":0`, `"id":9`, 1) + `]
			F< [{"jsonrpc":"2.0","id":9,"error":{"code":-32600,"message":"The session is already initialized.","data":{"cause":"already_initialized"}}}]`},
		{"an id that is in flight", `
			F> [` + fmt.Sprintf(call, 1, 1) + `,{"jsonrpc":"2.0","id":1,"method":"tools/list"}]
			U< ` + upCall(2) + `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< [{"jsonrpc":"2.0","id":null,` + noMessage + `,{"jsonrpc":"2.0","id":1,"result":{"content":[]}}]`},
		{"one request cancelled, two batches, and one outside", `
			F> [` + fmt.Sprintf(call, 1, 1) + `,` + fmt.Sprintf(call, 2, 2) + `]
			U< ` + upCall(2) + `
			U< ` + upCall(3) + `
			F> [` + fmt.Sprintf(call, 3, 3) + `]
			U< ` + upCall(4) + `
			F> ` + fmt.Sprintf(call, 4, 4) + `
			U< ` + upCall(5) + `
			U> {"jsonrpc":"2.0","id":5,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":4,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","id":4,"result":{"content":[]}}
			F< [{"jsonrpc":"2.0","id":3,"result":{"content":[]}}]
			F> [{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]
			F< [{"jsonrpc":"2.0","id":2,"result":{"content":[]}}]
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`},
		{"the server is lost", `
			F> [` + fmt.Sprintf(call, 1, 1) + `]
			U< ` + upCall(2) + `
			! lost upstream_exited
			F< [{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}]`},
		{"an array of the server is none (T2)", `
			F> ` + fmt.Sprintf(call, 1, 1) + `
			U< ` + upCall(2) + `
			U> [{"jsonrpc":"2.0","id":2,"result":{"content":[]}}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedAs(t, Options{}, "2025-03-26", "{}")
			p.play(tt.script)
			c := p.session.core
			if c.table.used() == 0 && (len(c.batches) > 0 || c.table.held != 0) {
				t.Errorf("%d batches and %d bytes are left", len(c.batches), c.table.held)
			}
		})
	}
	t.Run("the limit of requests counts each", func(t *testing.T) {
		p := openedAs(t, Options{Limits: Limits{InFlight: 1}}, "2025-03-26", "{}")
		p.play(`
			F> [` + fmt.Sprintf(call, 1, 1) + `,` + fmt.Sprintf(call, 2, 2) + `]
			U< ` + upCall(2) + `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< [{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Too many requests are in flight.","data":{"cause":"busy"}}},{"jsonrpc":"2.0","id":1,"result":{"content":[]}}]`)
	})
	t.Run("answers that are too much to hold", func(t *testing.T) {
		p := openedAs(t, Options{Limits: Limits{Held: 1000}}, "2025-03-26", "{}")
		p.play(`
			F> [` + fmt.Sprintf(call, 1, 1) + `]
			U< ` + upCall(2) + `
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 1000) + `"}]}}
			F< [{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The answer of the server is too large.","data":{"cause":"response_too_large"}}}]`)
	})
	for n, want := range map[int]string{maxBatch: "", maxBatch + 1: `F< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The message is too large.","data":{"cause":"too_large"}}}`} {
		p := openedAs(t, Options{}, "2025-03-26", "{}")
		p.play(`
			F> [` + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/x"},`, n-1) + `{"jsonrpc":"2.0","method":"notifications/x"}]
			` + want)
	}
	for _, revision := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		id := `"id":null,`
		if revision == "2025-11-25" {
			id = ""
		}
		openedAs(t, Options{}, revision, "{}").play(`
			F> [{"jsonrpc":"2.0","id":1,"method":"ping"}]
			F< {"jsonrpc":"2.0",` + id + noMessage)
	}
	newPlayer(t, Options{}).play(`
		F> [` + initialize + `]
		F< {"jsonrpc":"2.0","id":null,` + noMessage)
}

// An array of an older server is taken apart, where the revision has any.
func TestL11(t *testing.T) {
	play := func(revision, answer string) {
		openedLegacy(t, Options{}, revision).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> [{"jsonrpc":"2.0","method":"notifications/tools/list_changed"},1,{"jsonrpc":"2.0","id":"r","method":"ping"},{"jsonrpc":"2.0","id":2,"result":{"content":[]}}]` + answer)
	}
	play("2025-03-26", `
		F< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
		U< {"jsonrpc":"2.0","id":"r","result":{}}`)
	for _, revision := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		play(revision, ``)
	}
	t.Run("with a list, whose tools are mended outside", func(t *testing.T) {
		openedLegacy(t, Options{}, "2025-03-26").play(`
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			F> ` + strings.Replace(listPrompts, `"id":7`, `"id":8`, 1) + `
			U< {"jsonrpc":"2.0","id":3,"method":"prompts/list"}
			U> [{"jsonrpc":"2.0","id":3,"result":{"prompts":[]}},{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}]
			F< {"jsonrpc":"2.0","id":8,"result":{"prompts":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}`)
	})
}
