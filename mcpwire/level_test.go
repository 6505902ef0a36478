package mcpwire

import (
	"fmt"
	"testing"
)

func message(rest string) string {
	return `
		U> {"jsonrpc":"2.0","method":"notifications/message","params":{` + rest + `}}`
}

const warningSet = `
	F> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"warning"}}
	F< {"jsonrpc":"2.0","id":1,"result":{}}`

// req: N04
func TestT43(t *testing.T) {
	t.Run("none until the front sets one", func(t *testing.T) {
		opened(t, Options{}).play(called)
	})
	t.Run("the latest", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(warningSet + `
			F> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}
			F< {"jsonrpc":"2.0","id":2,"result":{}}
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + `,"io.modelcontextprotocol/logLevel":"debug"}}}`)
	})
	t.Run("set before the session was ready", func(t *testing.T) {
		p := newPlayer(t, Options{})
		p.play(warningSet + handshake + `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + `,"io.modelcontextprotocol/logLevel":"warning"}}}`)
	})
	t.Run("not where the server has no log", func(t *testing.T) {
		newPlayer(t, Options{}).play(warningSet + discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
			F> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` +
			message(`"level":"error","data":1`))
	})
}

// req: W04, N04
func TestT145(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"at the level", warningSet + message(`"level":"warning","logger":"l","data":{"a": [1]}`) + `
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"l","data":{"a": [1]}}}`},
		{"above it", warningSet + message(`"data":null,"level":"emergency"`) + `
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"data":null,"level":"emergency"}}`},
		{"below it", warningSet + message(`"level":"notice","data":1`)},
		{"other members and keys of _meta", warningSet + message(`"x":1,"_meta":{"progressToken":1,"com.acme/k":1},"level":"error","y":2,"data":1`) + `
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1,"_meta":{"com.acme/k":1}}}`},
		{"nothing left of _meta", warningSet + message(`"level":"error","_meta":{"progressToken":1},"data":1`) + `
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}`},
		{"no data", warningSet + message(`"level":"error"`)},
		{"an unknown level", warningSet + message(`"level":"loud","data":1`)},
		{"a level that is a number", warningSet + message(`"level":3,"data":1`)},
		{"a logger that is a number", warningSet + message(`"level":"error","logger":7,"data":1`)},
		{"before a level is set", message(`"level":"emergency","data":1`)},
	} {
		t.Run(tt.name, func(t *testing.T) { opened(t, Options{}).play(tt.script) })
	}
}

// req: N04
func TestT145Rate(t *testing.T) {
	p := opened(t, Options{})
	p.play(warningSet)
	send := func(n int) (passed int) {
		for i := range n {
			p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":%d}}`, i))
		}
		passed = len(p.wrote)
		p.wrote = nil
		return passed
	}
	if got := send(150); got != 100 {
		t.Errorf("%d messages pass at once, want 100", got)
	}
	p.play(`! wait 1s`)
	if got := send(150); got != 50 {
		t.Errorf("%d messages pass in the next second, want 50", got)
	}
}

// req: N04
func TestT146(t *testing.T) {
	opened(t, Options{}).play(warningSet + `
		F> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"loud"}}
		F< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"}}}` +
		message(`"level":"error","data":1`) + `
		F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}
		F> {"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"emergency"}}
		F< {"jsonrpc":"2.0","id":3,"result":{}}` +
		message(`"level":"alert","data":1`))
}
