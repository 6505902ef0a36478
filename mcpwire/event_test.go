package mcpwire

import "testing"

// Whatever the session answers by an error of its own, the log says with which
// cause; initialize has a line of its own.
func TestEventOfEveryRefusal(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         Event
	}{
		{"an unknown method", `
			F> {"jsonrpc":"2.0","id":1,"method":"no/such"}
			F< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`,
			Event{Kind: EventRefused, Cause: CauseMethodNotFound}},
		{"bad parameters", `
			F> {"jsonrpc":"2.0","id":1,"method":"resources/read"}
			F< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"}}}`,
			Event{Kind: EventRefused, Method: "resources/read", Cause: CauseInvalidParams}},
		{"a bad line", `
			F> {
			F< {"jsonrpc":"2.0","error":{"code":-32700,"message":"The message could not be parsed.","data":{"cause":"parse_error"}}}`,
			Event{Kind: EventRefused, Cause: CauseParseError}},
		{"a question", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"":{}}}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server asked for input in a way that is not allowed.","data":{"cause":"input_refused","detail":""}}}`,
			Event{Kind: EventRefused, Method: "tools/call", Cause: CauseInputRefused}},
		{"the end of the input", `
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			! end
			! fire drain
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
			Event{Kind: EventUnanswered, Rule: "T21", Count: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, Options{})
			p.play(tt.script)
			n := 0
			for _, e := range p.log {
				if e == tt.want {
					n++
				}
			}
			if n != 1 {
				t.Errorf("logged %+v %d times, want once; the log is %+v", tt.want, n, p.log)
			}
		})
	}
}
