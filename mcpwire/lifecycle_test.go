package mcpwire

import (
	"strings"
	"testing"
	"time"
)

func TestT10(t *testing.T) {
	p := opened(t, Options{})
	if p.session.core.table.used() != 0 || len(p.timers) != 0 {
		t.Errorf("after the handshake %d requests in flight, timers %v", p.session.core.table.used(), p.timers)
	}
}

func TestT11(t *testing.T) {
	const invalid = `"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"`
	for _, tt := range []struct{ name, params, want string }{
		{"no version", `{"capabilities":{},"clientInfo":{"name":"e","version":"1"}}`, invalid + `,"supported":["2024-11-05","2025-03-26","2025-06-18","2025-11-25"]}}`},
		{"version is a number", `{"protocolVersion":7,"capabilities":{},"clientInfo":{"name":"e","version":"1"}}`, invalid + `,"supported":["2024-11-05","2025-03-26","2025-06-18","2025-11-25"],"requested":7}}`},
		{"a long version is not repeated", `{"protocolVersion":[` + strings.Repeat(`1,`, 60) + `1],"capabilities":{},"clientInfo":{}}`, invalid + `,"supported":["2024-11-05","2025-03-26","2025-06-18","2025-11-25"]}}`},
		{"no capabilities", `{"protocolVersion":"2025-11-25","clientInfo":{"name":"e","version":"1"}}`, invalid + `}}`},
		{"clientInfo is a string", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":"e"}`, invalid + `}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{})
			p.play(`F> {"jsonrpc":"2.0","id":0,"method":"initialize","params":` + tt.params + `}
				F< {"jsonrpc":"2.0","id":0,` + tt.want + `}`)
		})
	}
	t.Run("clientInfo without version stays here", func(t *testing.T) {
		newPlayer(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"e"}}}
			U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	})
}

const discoverFirst = `
	F> ` + initialize + `
	U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
`

// req: W03
func TestT12(t *testing.T) {
	notInitialized := `"error":{"code":-32600,"message":"The session is not initialized.","data":{"cause":"not_initialized"}}}`
	already := `"error":{"code":-32600,"message":"The session is already initialized.","data":{"cause":"already_initialized"}}}`
	t.Run("before initialize", func(t *testing.T) {
		newPlayer(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":"a","method":"ping"}
			F< {"jsonrpc":"2.0","id":"a","result":{}}
			F> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}
			F< {"jsonrpc":"2.0","id":1,"result":{}}
			F> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"loud"}}
			F< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"}}}
			F> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":3,` + notInitialized + `
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}`)
	})
	t.Run("while initialize waits", func(t *testing.T) {
		newPlayer(t, Options{}).play(discoverFirst + `
			F> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
			F< {"jsonrpc":"2.0","id":1,` + already + `
			F> {"jsonrpc":"2.0","id":2,"method":"ping"}
			F< {"jsonrpc":"2.0","id":2,"result":{}}
			F> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":3,` + notInitialized)
	})
	t.Run("logging/setLevel while initialize waits", func(t *testing.T) {
		newPlayer(t, Options{}).play(discoverFirst + `
			F> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"emergency"}}
			F< {"jsonrpc":"2.0","id":1,"result":{}}
			F> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel"}
			F< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"}}}`)
	})
	t.Run("a second initialize after the first changes nothing", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
			F< {"jsonrpc":"2.0","id":1,` + already + `
			F> {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{META}}`)
	})
	t.Run("requests are served before initialized", func(t *testing.T) {
		p := newPlayer(t, Options{})
		p.play(strings.TrimSuffix(handshake, "F> {\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}\n"))
		p.play(`F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}`)
	})
	t.Run("after a failure the next initialize starts afresh", func(t *testing.T) {
		newPlayer(t, Options{Eras: ModernEra}).play(discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}}}
			` + strings.ReplaceAll(discoverFirst, `"id":1,`, `"id":2,`))
	})
}

func TestT13(t *testing.T) {
	p := newPlayer(t, Options{})
	p.play(discoverFirst + `
		F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
		F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
		F< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"The session is not initialized.","data":{"cause":"not_initialized"}}}`)
	if len(p.timers) != 0 {
		t.Errorf("timers after the cancellation: %v", p.timers)
	}
}

func TestT14(t *testing.T) {
	for asked, got := range map[string]string{
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "2024-11-05": "2024-11-05",
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25", "2024-11-05 ": "2025-11-25",
	} {
		p := newPlayer(t, Options{})
		p.input("F>", strings.Replace(initialize, `"protocolVersion":"2025-11-25"`, `"protocolVersion":"`+asked+`"`, 1))
		p.wrote = nil
		p.play(`
			U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + got + `","capabilities":{},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`)
	}
}

func TestT15(t *testing.T) {
	opened(t, Options{}).play(`
		F> {"jsonrpc":"2.0","id":"p","method":"ping","params":{"_meta":{"x":1}}}
		F< {"jsonrpc":"2.0","id":"p","result":{}}`)
}

func TestT16(t *testing.T) {
	legacy := `"error":{"code":-32603,"message":"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}}}`
	for _, tt := range []struct{ name, result, want string }{
		{"the modern one among others", `{"supportedVersions":["2025-11-25","2026-07-28","2099-01-01"],"capabilities":{}}`,
			`"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`},
		{"only older ones", `{"supportedVersions":["2025-11-25","2025-06-18"],"capabilities":{}}`, legacy},
		{"unknown ones", `{"supportedVersions":["2099-01-01"],"capabilities":{}}`,
			`"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version","supported":["2099-01-01"]}}}`},
		{"no list", `{"capabilities":{}}`, legacy},
		{"a list with more than strings", `{"supportedVersions":[7,"2026-07-28",null],"capabilities":[]}`,
			`"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
		{"a long list is not repeated", `{"supportedVersions":["` + strings.Repeat("x", 1024) + `"]}`,
			`"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version"}}}`},
		{"not a list", `{"supportedVersions":"2026-07-28","capabilities":{}}`, legacy},
		{"not an object", `[]`, legacy},
	} {
		t.Run(tt.name, func(t *testing.T) {
			newPlayer(t, Options{Eras: ModernEra}).play(discoverFirst + `
				U> {"jsonrpc":"2.0","id":1,"result":` + tt.result + `}
				F< {"jsonrpc":"2.0","id":0,` + tt.want)
		})
	}
}

func TestT17(t *testing.T) {
	again := `
		U< {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	refusal := func(id, data string) string {
		return `
		U> {"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32022,"message":"version","data":` + data + `}}`
	}
	newPlayer(t, Options{Eras: ModernEra}).play(discoverFirst + refusal("1", `{"supported":["2026-07-28"]}`) + again + refusal("2", `{}`) + `
		F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version"}}}
		` + strings.ReplaceAll(discoverFirst, `"id":1,`, `"id":3,`) + refusal("3", `{"supported":["2026-07-28"]}`) + strings.ReplaceAll(again, `"id":2,`, `"id":4,`))
	unsupported := `"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version"`
	for _, tt := range []struct{ name, script string }{
		{"a modern one is asked for once more", refusal("1", `{"supported":["2026-07-28"]}`) + again + `
			U> {"jsonrpc":"2.0","id":2,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`},
		{"but not twice", refusal("1", `{"supported":["2026-07-28"]}`) + again + refusal("2", `{"supported":["2026-07-28"]}`) + `
			F< {"jsonrpc":"2.0","id":0,` + unsupported + `,"supported":["2026-07-28"]}}}`},
		{"older ones", refusal("1", `{"supported":["2025-06-18"]}`) + `
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}}}`},
		{"no list", refusal("1", `{"supported":7}`) + `
			F< {"jsonrpc":"2.0","id":0,` + unsupported + `}}}`},
		{"unknown ones", refusal("1", `{"supported":["1999-01-01"]}`) + `
			F< {"jsonrpc":"2.0","id":0,` + unsupported + `,"supported":["1999-01-01"]}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { newPlayer(t, Options{Eras: ModernEra}).play(discoverFirst + tt.script) })
	}
}

func TestL1ModernEra(t *testing.T) {
	for code, want := range map[string]string{
		"-32601": `"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}`,
		"-32602": `"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}`,
		"0":      `"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}`,
		"-32020": `"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}`,
		"-32021": `"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}`,
	} {
		newPlayer(t, Options{Eras: ModernEra}).play(discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"x"}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":` + want + `}}`)
	}
}

// req: U06, U03
func TestT18(t *testing.T) {
	p := newPlayer(t, Options{Eras: ModernEra})
	start := p.now
	p.play(discoverFirst + `
		! fire request
		F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
		` + strings.ReplaceAll(discoverFirst, `"id":1,`, `"id":2,`))
	if got, want := p.now.Sub(start), 60*time.Second; got != want {
		t.Errorf("discover timed out after %v, want %v", got, want)
	}
}

// req: W03
func TestT19(t *testing.T) {
	refused := `"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}`
	newPlayer(t, Options{}).play(`
		F> {"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover","params":{}}
		F< {"jsonrpc":"2.0","id":"server-discover-probe-1",` + refused + discoverFirst + `
		F> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}
		F< {"jsonrpc":"2.0","id":1,` + refused)
}

func TestT20(t *testing.T) {
	for _, tt := range []struct{ name, result, want string }{
		{"title and icons", `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"instructions":"do","_meta":{"io.modelcontextprotocol/serverInfo":{"version":"2","name":"s","title":"S","icons":[{"src":"file:///i.png"}],"x":1},"com.acme/k":1}}`,
			`"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"version":"2","name":"s","title":"S","icons":[{"src":"file:///i.png"}]},"instructions":"do","_meta":{"com.acme/k":1}}}`},
		{"serverInfo at the top", `{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"2"}}`,
			`"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"2"}}}`},
		{"no name", `{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"version":"2"},"instructions":7}`,
			`"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`},
		{"asks for input", `{"resultType":"input_required","supportedVersions":["2026-07-28"],"capabilities":{}}`,
			`"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
		{"capabilities are a list", `{"supportedVersions":["2026-07-28"],"capabilities":[]}`,
			`"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			newPlayer(t, Options{}).play(discoverFirst + `
				U> {"jsonrpc":"2.0","id":1,"result":` + tt.result + `}
				F< {"jsonrpc":"2.0","id":0,` + tt.want)
		})
	}
}

func TestT21(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(`! end`)
		if !p.ended {
			t.Error("the upstream's input stays open")
		}
	})
	t.Run("an answer in time", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			! end`)
		if p.ended {
			t.Error("the upstream's input ended while a request is in flight")
		}
		p.play(`
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
		if !p.ended || len(p.timers) != 0 {
			t.Errorf("ended = %v, timers %v after the last answer", p.ended, p.timers)
		}
	})
	t.Run("an answer after the cancellation", func(t *testing.T) {
		p := opened(t, Options{})
		start := p.now
		p.play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			! end
			! fire drain
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
		if got, want := p.now.Sub(start), 250*time.Millisecond; got != want || !p.ended {
			t.Errorf("cancelled after %v, want %v; ended = %v", got, want, p.ended)
		}
	})
	t.Run("server/discover is not repeated", func(t *testing.T) {
		p := newPlayer(t, Options{})
		p.play(discoverFirst + `
			! end
			! fire drain
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"version","data":{"supported":["2026-07-28"]}}}`)
		if used := p.session.core.table.used(); used != 0 || len(p.timers) != 0 {
			t.Errorf("%d slots and timers %v at the end", used, p.timers)
		}
	})
	t.Run("no answer at all", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			! end
			! fire drain
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			! lost upstream_exited`)
	})
}

// req: N05
func TestT22(t *testing.T) {
	opened(t, Options{}).play(`
		F> {"jsonrpc":"2.0","method":"notifications/initialized","params":{}}
		F> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
		F> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
}

// req: U01
func TestT100(t *testing.T) {
	exited := `"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`
	t.Run("requests in flight", func(t *testing.T) {
		opened(t, Options{}).play(`
			F> ` + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			F> {"jsonrpc":"2.0","id":"8","method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			! lost upstream_exited
			F< {"jsonrpc":"2.0","id":7,` + exited + `
			F< {"jsonrpc":"2.0","id":"8",` + exited + `
			F> {"jsonrpc":"2.0","id":9,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":9,` + exited)
	})
	t.Run("during initialize", func(t *testing.T) {
		newPlayer(t, Options{}).play(discoverFirst + `
			! lost upstream_exited
			F< {"jsonrpc":"2.0","id":0,` + exited)
	})
	t.Run("before initialize", func(t *testing.T) {
		p := newPlayer(t, Options{})
		p.play(`
			! lost upstream_exited
			F> ` + initialize + `
			F< {"jsonrpc":"2.0","id":0,` + exited)
		if got := p.logged(EventInitializeFailed, ""); got != 1 {
			t.Errorf("logged the failure %d times, want once", got)
		}
	})
}
