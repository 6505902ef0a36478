package mcpwire

import (
	"strings"
	"testing"
	"time"
)

// initializeUp is the initialize request that goes upstream under this id for the one of
// discoverFirst.
func initializeUp(id string) string {
	return `
	U< {"jsonrpc":"2.0","id":` + id + `,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"e","version":"1"}}}`
}

const (
	legacyResult = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}`
	modernResult = `"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`
	modernFront  = `"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`
)

// Whatever else than a modern answer comes to server/discover, the server is initialized
// on the same pipe.
//
// req: U11
func TestL1(t *testing.T) {
	fallsBack := initializeUp("2") + `
		U> {"jsonrpc":"2.0","id":2,` + legacyResult + `
		F< {"jsonrpc":"2.0","id":0,` + legacyResult
	invalid := `
		F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`
	answer := func(s string) string { return `U> {"jsonrpc":"2.0","id":1,` + s + `}` }
	failure := func(code, data string) string {
		return answer(`"error":{"code":` + code + `,"message":"x"` + data + `}`)
	}
	for _, tt := range []struct{ name, script string }{
		{"method not found", failure("-32601", "") + fallsBack},
		{"invalid params", failure("-32602", "") + fallsBack},
		{"invalid request", failure("-32600", "") + fallsBack},
		{"code 0", failure("0", "") + fallsBack},
		{"an error that is none", answer(`"error":{}`) + fallsBack},
		{"a result that is no object", answer(`"result":[]`) + fallsBack},
		{"a result without versions", answer(`"result":{}`) + fallsBack},
		{"only older versions", answer(`"result":{"supportedVersions":["2025-11-25","2025-06-18"],"capabilities":{}}`) + fallsBack},
		{"-32022 with older versions alone", failure("-32022", `,"data":{"supported":["2025-06-18"]}`) + fallsBack},
		{"a line that is no message fails initialize", `U> {"jsonrpc":"2.0","id":1}` + invalid},
		{"-32020 is modern", failure("-32020", "") + invalid},
		{"-32021 is modern", failure("-32021", "") + invalid},
		{"only unknown versions", answer(`"result":{"supportedVersions":["2099-01-01"]}`) + `
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version","supported":["2099-01-01"]}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { newPlayer(t, Options{}).play(discoverFirst + tt.script) })
	}
}

// A server that keeps silent is initialized after a while, and server/discover stays. The
// first useful answer decides.
//
// req: U11
func TestL1Silence(t *testing.T) {
	silence := discoverFirst + `
		! fire request` + initializeUp("2")
	late := `
		F> ` + listTools + `
		U< {"jsonrpc":"2.0","id":3,"method":"tools/list"}`
	for _, tt := range []struct{ name, script string }{
		{"an older server answers", `
			U> {"jsonrpc":"2.0","id":2,` + legacyResult + `
			F< {"jsonrpc":"2.0","id":0,` + legacyResult + `
			U> {"jsonrpc":"2.0","id":1,` + modernResult + strings.Replace(late, `,"method"`, `,"method"`, 1)},
		{"a slow modern server answers both", `
			U> {"jsonrpc":"2.0","id":1,` + modernResult + `
			F< {"jsonrpc":"2.0","id":0,` + modernFront + `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}`},
		{"a slow modern server answers initialize first", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}
			U> {"jsonrpc":"2.0","id":1,` + modernResult + `
			F< {"jsonrpc":"2.0","id":0,` + modernFront},
		{"a slow older server refuses server/discover first", `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}
			U> {"jsonrpc":"2.0","id":2,` + legacyResult + `
			F< {"jsonrpc":"2.0","id":0,` + legacyResult},
		{"it refuses initialize and then server/discover: it is asked once more", `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"wait"}}
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}` + initializeUp("3") + `
			U> {"jsonrpc":"2.0","id":3,` + legacyResult + `
			F< {"jsonrpc":"2.0","id":0,` + legacyResult},
		{"another revision is to be asked for", `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
			U< {"jsonrpc":"2.0","id":3,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
			U> {"jsonrpc":"2.0","id":2,` + legacyResult + `
			U> {"jsonrpc":"2.0","id":3,` + modernResult + `
			F< {"jsonrpc":"2.0","id":0,` + modernFront},
		{"no answer at all", `
			! fire request
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			U> {"jsonrpc":"2.0","id":2,` + legacyResult},
		{"the front cancels", `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			U> {"jsonrpc":"2.0","id":2,` + legacyResult},
		{"the front cancels and asks again: what was asked before counts no more", `
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + strings.ReplaceAll(discoverFirst, `"id":1,`, `"id":3,`) + `
			U> {"jsonrpc":"2.0","id":1,` + modernResult + `
			U> {"jsonrpc":"2.0","id":2,` + legacyResult},
		{"the input ends", `
			! end
			! fire drain
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{})
			start := p.now
			p.play(silence)
			if got := p.now.Sub(start); got != 10*time.Second {
				t.Errorf("initialize was sent after %v", got)
			}
			p.play(tt.script)
			if got := p.now.Sub(start); got > time.Minute {
				t.Errorf("all of it took %v", got)
			}
			if n := p.session.core.table.used(); len(p.timers) != n {
				t.Errorf("%d slots, timers %v", n, p.timers)
			}
		})
	}
	t.Run("not where it would be too late", func(t *testing.T) {
		newPlayer(t, Options{Limits: Limits{Discover: 5 * time.Second}}).play(discoverFirst + `
			! fire request
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	})
}

// Nothing goes upstream after the end of the front's input.
func TestL1End(t *testing.T) {
	newPlayer(t, Options{}).play(discoverFirst + `
		! end
		! fire drain
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
		U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)
}

// Once a server was modern it is never initialized, whatever it answers later; a time that
// ran out, or an answer that came to nothing, is no evidence.
//
// req: U11
func TestU11(t *testing.T) {
	again := strings.ReplaceAll(discoverFirst, `"id":1,`, `"id":2,`)
	t.Run("modern and broken", func(t *testing.T) {
		newPlayer(t, Options{}).play(discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}` + again + `
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"x"}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}}}`)
	})
	t.Run("refused once for its handshake, it is asked again", func(t *testing.T) {
		newPlayer(t, Options{}).play(discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}` + initializeUp("2") + `
			! lost upstream_exited
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`)
	})
	t.Run("only the newest is wanted", func(t *testing.T) {
		newPlayer(t, Options{Eras: ModernEra}).play(discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}
			F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks only an older protocol revision, and was asked for the newest one alone.","data":{"cause":"upstream_legacy"}}}`)
	})
	t.Run("only older ones are wanted", func(t *testing.T) {
		newPlayer(t, Options{Eras: LegacyEra}).play(`
			F> ` + initialize + initializeUp("1") + `
			U> {"jsonrpc":"2.0","id":1,` + legacyResult + `
			F< {"jsonrpc":"2.0","id":0,` + legacyResult)
	})
}

// Over HTTP the status tells, too.
//
// req: U11
func TestL2(t *testing.T) {
	const discover = `
		F> ` + initialize + `
		U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{METAHTTP}}`
	fallsBack := initializeUp("2") + `
		U> 2 {"jsonrpc":"2.0","id":2,` + legacyResult + `
		F< {"jsonrpc":"2.0","id":0,` + legacyResult + `
		C< 2`
	for _, tt := range []struct{ name, script string }{
		{"400", `! status 1 400` + fallsBack},
		{"400 and an error", `! status 1 400 ` + wireFailure(1, -32600) + fallsBack},
		{"400 and older versions alone", `! status 1 400 {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}}` + fallsBack},
		{"404", `! status 1 404` + fallsBack},
		{"405", `! status 1 405` + fallsBack},
		{"406", `! status 1 406` + fallsBack},
		{"404 and -32601", `! status 1 404 ` + wireFailure(1, -32601) + fallsBack},
		{"200 and an error", `U> 1 ` + wireFailure(1, -32601) + strings.Replace(fallsBack, "U> 2", "C< 1\nU> 2", 1)},
		{"401", `! status 1 401` + failedWith(0, CauseHTTPStatus, 401, "")},
		{"500", `! status 1 500` + failedWith(0, CauseHTTPStatus, 500, "")},
		{"503 and an error", `! status 1 503 ` + wireFailure(1, -32601) + failedWith(0, CauseHTTPStatus, 503, "")},
		{"the connection is lost", `! failed 1 network` + failed(0, CauseNetwork)},
		{"no answer in time", `! fire request` + failed(0, CauseTimeout) + "\nC< 1"},
		{"initialize is no method either: what 2024-11-05 has", `! status 1 405` + initializeUp("2") + `
			! status 2 405` + initializeUp("3") + `
			U> 0 {"jsonrpc":"2.0","id":3,` + strings.Replace(legacyResult, "2025-11-25", "2024-11-05", 1) + `
			F< {"jsonrpc":"2.0","id":0,` + strings.Replace(legacyResult, "2025-11-25", "2024-11-05", 1) + `
			C< 3
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			U< {"jsonrpc":"2.0","method":"notifications/initialized"}`},
		{"neither is that", `! status 1 405` + initializeUp("2") + `
			! status 2 405` + initializeUp("3") + `
			! status 3 404` + failedWith(0, CauseHTTPStatus, 404, "")},
		{"refused in the words of 2026-07-28, and no older one", `! status 1 404 ` + wireFailure(1, -32601) + initializeUp("2") + `
			! status 2 405` + initializeUp("3") + `
			! status 3 405` + failedWith(0, CauseHTTPStatus, 404, "") + strings.Replace(discover, `"id":1,`, `"id":4,`, 1) + `
			! status 4 404` + failed(0, CauseUpstreamLegacy)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{Transport: HTTP})
			p.overHTTP(discover + "\n" + tt.script)
		})
	}
}
