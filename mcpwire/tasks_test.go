package mcpwire

import (
	"strings"
	"testing"
)

// Core tasks of 2025-11-25 are not translated (T180).
//
// req: W19
func TestT180(t *testing.T) {
	const tasks = `"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{}}`
	p := newPlayer(t, Options{Profile: VSCode})
	p.play(strings.Replace(discoverFirst, `"capabilities":{}`, `"capabilities":{`+tasks+`}`, 1) + `
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},` + tasks + `}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`)
	for _, method := range []string{"tasks/get", "tasks/list", "tasks/result", "tasks/cancel", "tasks/update"} {
		p.play(`
			F> {"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"taskId":"x"}}
			F< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`)
	}
	opened(t, Options{Profile: VSCode}).play(`
		F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"task":{"ttl":1},"name":"t","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}}
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
		U> {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"x","status":"working"}}
		U> {"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"x"}}
		F> {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"x","status":"working"}}
		U> {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"x","content":[]}}
		` + invalidUpstream)
	answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
		{"execution goes", `{"tools":[{"name":"t","execution":{"taskSupport":"required"},"inputSchema":{"type":"object"}}]}`, `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`},
	})
}
