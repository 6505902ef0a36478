package mcpwire

import "testing"

// The answer to a list is shaped outside the caller's lock. Meanwhile anything may
// happen to its request.
func TestShapeKeptBack(t *testing.T) {
	const (
		asked = `
			F> ` + listTools + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
			! hold
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[],"ttlMs":1}}`
		answered = `
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}`
		exited = `"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`
	)
	for _, tt := range []struct{ name, script string }{
		{"nothing happens", `
			! commit` + answered},
		{"the upstream is lost", `
			! lost upstream_exited
			F< {"jsonrpc":"2.0","id":7,` + exited + `
			! commit`},
		{"the upstream is lost twice", `
			! lost upstream_stalled
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server does not read its input.","data":{"cause":"upstream_stalled"}}}
			! lost upstream_exited
			! commit
			F> {"jsonrpc":"2.0","id":8,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":8,"error":{"code":-32603,"message":"The server does not read its input.","data":{"cause":"upstream_stalled"}}}`},
		{"the id is used again after the loss", `
			! lost upstream_exited
			F< {"jsonrpc":"2.0","id":7,` + exited + `
			F> ` + listTools + `
			F< {"jsonrpc":"2.0","id":7,` + exited + `
			! commit`},
		{"a second answer", `
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[],"x":1}}
			! commit` + answered},
		{"a bad line with the id", `
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[01]}}
			! commit` + answered},
		{"the id of the front once more", `
			F> {"jsonrpc":"2.0","id":7,"method":"ping"}
			F< {"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}
			! commit` + answered},
		{"another request", `
			F> {"jsonrpc":"2.0","id":8,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			U> {"jsonrpc":"2.0","id":3,"result":{"tools":[],"x":1}}
			! commit` + answered + `
			F< {"jsonrpc":"2.0","id":8,"result":{"tools":[],"x":1}}`},
		{"the input ends and is drained", `
			! end
			! fire drain
			! commit` + answered},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, Options{})
			p.play(asked)
			if _, ok := p.next(TimerRequest); ok {
				t.Error("the time limit runs on although the answer is here")
			}
			p.play(tt.script)
			if got := p.session.core.table.used(); got != 0 {
				t.Errorf("%d slots are taken at the end, want 0", got)
			}
			if len(p.session.core.table.byFront) == 0 || p.session.core.table.ofFront([]byte(`7`)) != nil {
				t.Error("the id of the front is still taken")
			}
		})
	}
}

// The end of the input cancels initialize too, and then no timer speaks for it.
func TestT21DuringInitialize(t *testing.T) {
	p := newPlayer(t, Options{})
	p.play(discoverFirst + `
		! end
		! fire drain
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if !p.ended {
		t.Error("the upstream's input stays open")
	}
	if len(p.timers) != 0 {
		t.Errorf("timers %v after the cancellation", p.timers)
	}
	p.play(`! lost upstream_exited`)
}

// A frame holds until the session is called again, and no longer.
func TestFrameUntilNextCall(t *testing.T) {
	p := opened(t, Options{Profile: VSCode})
	var out Steps
	p.line(Front, callTool, &out)
	if got, want := string(out.ToUpstream[0].AppendTo(nil)), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",`+meta+`}}}`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	out.Reset()
	p.line(Upstream, `{"jsonrpc":"2.0","id":2,"result":{"content":[],"ttlMs":1}}`, &out)
	if got, want := string(out.ToFront[0].AppendTo(nil)), `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What ends every request ends them in the order in which they came, also where one has
// gone upstream a second time since.
func TestOrderOfArrival(t *testing.T) {
	const exited = `"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`
	opened(t, Options{}).play(`
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
		F> {"jsonrpc":"2.0","id":8,"method":"tools/list"}
		U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
		U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		U< {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t",META}}
		! lost upstream_exited
		F< {"jsonrpc":"2.0","id":7,` + exited + `
		F< {"jsonrpc":"2.0","id":8,` + exited)
}
