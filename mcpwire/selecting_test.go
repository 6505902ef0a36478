package mcpwire

import (
	"strings"
	"testing"
	"time"
)

// embedded are the options of a session in the program of its server.
func embedded() Options { return Options{Selection: &Selection{Grace: 2 * time.Second}} }

// The path that a session has taken, by the pair that it has.
const (
	pathNone   = "none"
	pathLegacy = "legacy"
	pathModern = "modern"
)

func (p *player) path() string {
	switch p.session.pair.(type) {
	case *selecting:
		return pathNone
	case *relay:
		return pathModern
	}
	return pathLegacy
}

// req: E01
func TestE01FirstRequestSelects(t *testing.T) {
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	for _, tt := range []struct{ name, line, want string }{
		{"initialize", initialize, pathLegacy},
		{"initialize behind its params", `{"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}},"method":"initialize","id":"x","jsonrpc":"2.0"}`, pathLegacy},
		{"initialize with escapes", `{"jsonrpc":"2.0","id":1,"method":"\u0069nitialize","params":{}}`, pathLegacy},
		{"initialize that is refused", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, pathLegacy},
		{"initialize with the version of the server", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{}}}`, pathLegacy},
		{"initialize as a value", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"initialize","arguments":{"method":"initialize"}}}`, pathModern},
		{"initialize as an id", `{"jsonrpc":"2.0","id":"initialize","method":"tools/list"}`, pathModern},
		{"initialize in capitals", `{"jsonrpc":"2.0","id":1,"method":"Initialize","params":{}}`, pathModern},
		{"a longer name", `{"jsonrpc":"2.0","id":1,"method":"initialize2","params":{}}`, pathModern},
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, pathModern},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"x/y"}`, pathModern},
		{"server/discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`, pathNone},
		{"initialize without an id", `{"jsonrpc":"2.0","method":"initialize","params":{}}`, pathNone},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, pathNone},
		{"a notification about initialize", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"initialize"}}`, pathNone},
		{"a result", `{"jsonrpc":"2.0","id":1,"result":{"method":"initialize"}}`, pathNone},
		{"an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"initialize"}}`, pathNone},
		{"a broken result", `{"jsonrpc":"2.0","id":null,"result":{}}`, pathNone},
		{"initialize that is cut off", `{"jsonrpc":"2.0","id":1,"method":"initialize"`, pathModern},
		{"initialize without a usable id", `{"jsonrpc":"2.0","id":null,"method":"initialize","params":{}}`, pathModern},
		{"initialize twice in a list", "[" + initialize + "]", pathModern},
		{"initialize that is too deep", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":` + deep + `}}`, pathModern},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, embedded())
			p.input("F>", tt.line)
			if got := p.path(); got != tt.want {
				t.Errorf("the session took the path %s, want %s", got, tt.want)
			}
			if tt.want != pathNone {
				return
			}
			p.wrote = nil
			for line, want := range map[string]string{initialize: pathLegacy, listTools: pathModern} {
				p := newPlayer(t, embedded())
				p.input("F>", tt.line)
				p.input("F>", line)
				if got := p.path(); got != want {
					t.Errorf("the request behind it took the path %s, want %s", got, want)
				}
			}
		})
	}
}

// What was selected stays, whatever comes.
//
// req: E01
func TestE01SelectionStands(t *testing.T) {
	t.Run("legacy", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play(handshake + `
			F> {"jsonrpc":"2.0","id":1,"method":"server/discover"}
			F< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
			F> {"jsonrpc":"2.0","id":2,"method":"ping"}
			F< {"jsonrpc":"2.0","id":2,"result":{}}
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}`)
	})
	t.Run("modern", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			F> {"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}
			F< {"jsonrpc":"2.0","id":"i","error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}
			F> {"jsonrpc":"2.0","id":8,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	})
}

// req: E02
func TestE02FirstLines(t *testing.T) {
	const (
		tooDeep = `"error":{"code":-32600,"message":"The message is nested too deeply.","data":{"cause":"too_deep"}}}`
		noJSON  = `"error":{"code":-32700,"message":"The message could not be parsed.","data":{"cause":"parse_error"}}}`
		invalid = `"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`
	)
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	long := func(bytes int) string {
		line := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":""}}`
		return strings.Replace(line, `""`, `"`+strings.Repeat("x", bytes-len(line))+`"`, 1)
	}
	for _, tt := range []struct{ name, line, want, path string }{
		{"too long", long(1001), "", pathNone},
		{"too long and no JSON", strings.Repeat("x", 1001), "", pathNone},
		{"as long as may be", long(1000), "-", pathLegacy},
		{"too deep", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":` + deep + `}}`, `F< {"jsonrpc":"2.0","id":1,` + tooDeep, pathModern},
		{"no JSON", `hello`, `F< {"jsonrpc":"2.0",` + noJSON, pathModern},
		{"no UTF-8", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":"` + "\xff" + `"}}`, `F< {"jsonrpc":"2.0","id":1,` + noJSON, pathModern},
		{"no request", `{"jsonrpc":"1.0","id":1,"method":"initialize"}`, `F< {"jsonrpc":"2.0","id":1,` + invalid, pathModern},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, embedded())
			p.maxLine = 1000
			p.input("F>", tt.line)
			if got := p.path(); got != tt.path {
				t.Errorf("the session took the path %s, want %s", got, tt.path)
			}
			if got := strings.Join(p.wrote, "\n"); got != tt.want && tt.want != "-" {
				t.Errorf("wrote %s, want %s", got, tt.want)
			}
		})
	}
}

// req: E03
func TestE03DiscoverSelectsNothing(t *testing.T) {
	const (
		ask    = `{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		passed = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		found  = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}}}}`
		asked  = "\nF> " + ask + "\nU< " + passed
		answer = "\nU> " + `{"jsonrpc":"2.0","id":1,` + found + "\nF< " + `{"jsonrpc":"2.0","id":"d",` + found
		opens  = `
			F> ` + initialize + `
			U< {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
		opened = `
			U> {"jsonrpc":"2.0","id":2,` + found + `
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"2"}}}`
	)
	for _, tt := range []struct{ name, script, want string }{
		{"answered", asked + answer, pathNone},
		{"asked twice", asked + answer + strings.NewReplacer(`"id":1,`, `"id":2,`).Replace(asked+answer), pathNone},
		{"answered by an error", asked + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":[],"requested":"x"}}}
			F< {"jsonrpc":"2.0","id":"d","error":{"code":-32022,"message":"no","data":{"supported":[],"requested":"x"}}}`, pathNone},
		{"cancelled", asked + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"d"}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			U> {"jsonrpc":"2.0","id":1,"result":{}}`, pathNone},
		{"the server talks meanwhile", asked + `
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
			U> {"jsonrpc":"2.0","id":1,"method":"roots/list"}` + answer, pathNone},
		{"then a request", asked + answer + `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}`, pathModern},
		{"then initialize", asked + answer + opens + opened, pathLegacy},
		{"initialize comes first", asked + opens + answer + opened, pathLegacy},
		{"answered in the midst of a session", asked + opens + opened + answer, pathLegacy},
		{"a request comes first", asked + `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}` + answer, pathModern},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, embedded())
			p.play(tt.script)
			if got := p.path(); got != tt.want {
				t.Errorf("the session took the path %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("refused", func(t *testing.T) {
		o := embedded()
		o.Selection.RefuseDiscover = true
		p := newPlayer(t, o)
		p.play("F> " + ask + `
			F< {"jsonrpc":"2.0","id":"d","error":{"code":-32601,"message":"The method is not available.","data":{"cause":"method_not_found"}}}` +
			strings.Replace(opens, `"id":2`, `"id":1`, 1))
		if got := p.path(); got != pathLegacy {
			t.Errorf("the session took the path %s, want %s", got, pathLegacy)
		}
	})
}

// req: E05
func TestE05OverTheLimit(t *testing.T) {
	busy := `"error":{"code":-32603,"message":"Too many requests are in flight.","data":{"cause":"busy"}}}`
	o := embedded()
	o.Limits.InFlight = 2
	t.Run("modern", func(t *testing.T) {
		newPlayer(t, o).play(`
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			F> {"jsonrpc":"2.0","id":2,"method":"x/y"}
			U< {"jsonrpc":"2.0","id":2,"method":"x/y"}
			F> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":3,` + busy + `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			F> {"jsonrpc":"2.0","id":4,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	})
	t.Run("before the selection", func(t *testing.T) {
		newPlayer(t, o).play(`
			F> {"jsonrpc":"2.0","id":1,"method":"server/discover"}
			U< {"jsonrpc":"2.0","id":1,"method":"server/discover"}
			F> {"jsonrpc":"2.0","id":2,"method":"server/discover"}
			U< {"jsonrpc":"2.0","id":2,"method":"server/discover"}
			F> {"jsonrpc":"2.0","id":3,"method":"server/discover"}
			F< {"jsonrpc":"2.0","id":3,` + busy)
	})
	t.Run("legacy", func(t *testing.T) {
		newPlayer(t, o).play(handshake + `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
			F> {"jsonrpc":"2.0","id":8,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			F> {"jsonrpc":"2.0","id":9,"method":"tools/list"}
			F< {"jsonrpc":"2.0","id":9,` + busy)
	})
	t.Run("bytes", func(t *testing.T) {
		o := embedded()
		o.Limits.Held = 100
		newPlayer(t, o).play(`
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 100) + `"}}
			F< {"jsonrpc":"2.0","id":1,` + busy)
	})
}

// req: E06
func TestE06EndOfInput(t *testing.T) {
	cancelled := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`
	t.Run("nothing was selected", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play("! end")
		p.wantEnded()
	})
	t.Run("legacy cancels at once", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play(handshake + `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}
			! end
			X< ` + cancelled + `2}}`)
		p.wantEnded()
		p.play(`
			U> {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}`)
	})
	t.Run("legacy while it opens", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play(discoverFirst + "! end\nX< " + cancelled + "1}}")
		p.wantEnded()
	})
	t.Run("modern gives the grace", func(t *testing.T) {
		p := newPlayer(t, embedded())
		begun := p.now
		p.play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			F> {"jsonrpc":"2.0","id":8,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
			! end
			U> {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}
			F< {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}`)
		if p.ended {
			t.Error("the upstream was ended while a request was in flight")
		}
		p.play("! fire drain\nX< " + cancelled + "2}}")
		if got, want := p.now.Sub(begun), 2*time.Second; got != want {
			t.Errorf("cancelled after %v, want %v", got, want)
		}
		p.wantEnded()
		p.play(`
			U> {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}
			F< {"jsonrpc":"2.0","id":8,"result":{"resultType":"complete"}}`)
	})
	t.Run("modern ends when all is answered", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			! end
			U> {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}
			F< {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}`)
		p.wantEnded()
	})
	t.Run("nobody waits for a stream of notifications", func(t *testing.T) {
		p := newPlayer(t, embedded())
		p.play(`
			F> {"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{}}
			U< {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}
			! end
			X< ` + cancelled + `1}}`)
		p.wantEnded()
	})
}

// wantEnded checks that the session has nothing more to send upstream.
func (p *player) wantEnded() {
	p.t.Helper()
	if !p.ended || len(p.timers) != 0 {
		p.t.Errorf("ended %v, timers %v, want the end and no timer", p.ended, p.timers)
	}
}
