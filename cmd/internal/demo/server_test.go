package demo

import (
	"strings"
	"testing"
)

// The server of the demo keeps to its revision, so that the demo shows a bridge
// that must keep to it as well.
func TestServe(t *testing.T) {
	const version = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	const watch = `{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"watch",` + version + `}}`
	call := func(name, members string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `",` + members + version + `}}`
	}
	for _, tt := range []struct{ name, request, want string }{
		{"no _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The request does not name its protocol version"}}`},
		{"another version", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}`},
		{"a method of older revisions", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` + version + `}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`},
		{"discover", `{"jsonrpc":"2.0","id":"a","method":"server/discover","params":{` + version + `}}`,
			`{"jsonrpc":"2.0","id":"a",` + discovery + `}`},
		{"unknown cursor", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x",` + version + `}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown cursor"}}`},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, ""},
		{"no log without a level", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build",` + version + `}}`,
			`{"jsonrpc":"2.0","id":1,` + done("built") + `}`},
		{"no progress without a token", watch, ""},
		{"an answer after the cancellation", watch + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}`,
			`{"jsonrpc":"2.0","id":"w",` + done("released") + `}`},
		{"another request is cancelled", watch + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, ""},
		{"a stream", `{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + version + `}}`,
			`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3},"notifications":{"toolsListChanged":true}}}`},
		{"a question", call("install", ``), `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` +
			`"setup":{"method":"elicitation/create","params":{"mode":"url","message":"One click to finish","url":"vscode://demo.tools/setup"}}},` + serverInfo + `}}`},
		{"its answer", call("install", `"inputResponses":{"setup":{"action":"decline"}},`), `{"jsonrpc":"2.0","id":1,` + failed("not installed") + `}`},
		{"a state of its own", call("notes", `"requestState":"state-2",`), `{"jsonrpc":"2.0","id":1,` + done("published") + `}`},
		{"a state of nobody", call("notes", `"requestState":"state-3",`), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown state"}}`},
		{"no JSON", `{`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := Serve(strings.NewReader(tt.request+"\n"), &out); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(out.String(), "\n"); got != tt.want {
				t.Errorf("answer to %s =\n%s\nwant\n%s", tt.request, got, tt.want)
			}
		})
	}
}
