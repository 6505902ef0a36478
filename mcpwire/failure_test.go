package mcpwire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// failedWith is an error of the session whose data has more than its cause.
func failedWith(id int, c Cause, status int, more string) string {
	return fmt.Sprintf("\nF< "+`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"%s: %d.","data":{"cause":"%s","status":%d%s}}}`,
		id, strings.TrimSuffix(c.Text(), "."), status, c, status, more)
}

// wireFailure is an error of the upstream, and what the front gets of it.
func wireFailure(id, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"x"}}`, id, code)
}

// The table of statuses, for a request of the front. Each fails alone: the next one goes
// out.
//
// req: U02
func TestT203(t *testing.T) {
	relayed := "\nF< " + wireFailure(7, -32000)
	for _, tt := range []struct{ name, end, want string }{
		{"202", "status 2 202", failed(7, CauseInvalidUpstreamMessage)},
		{"204", "status 2 204", failed(7, CauseInvalidUpstreamMessage)},
		{"301", "status 2 301", failedWith(7, CauseRedirect, 301, "")},
		{"302", "status 2 302", failedWith(7, CauseRedirect, 302, "")},
		{"307 that was not followed", "status 2 307", failedWith(7, CauseRedirect, 307, "")},
		{"400", "status 2 400", failedWith(7, CauseHTTPStatus, 400, "")},
		{"400 and an error", "status 2 400 " + wireFailure(2, -32000), relayed},
		{"400 and -32021", "status 2 400 " + wireFailure(2, -32021), "\nF< " + wireFailure(7, -32021)},
		{"400 and the error of another request", "status 2 400 " + wireFailure(1, -32000), failedWith(7, CauseHTTPStatus, 400, "")},
		{"400 and an id that is a string", `status 2 400 {"jsonrpc":"2.0","id":"2","error":{"code":-32000,"message":"x"}}`, failedWith(7, CauseHTTPStatus, 400, "")},
		{"400 and a result", `status 2 400 {"jsonrpc":"2.0","id":2,"result":{"resources":[]}}`, failedWith(7, CauseHTTPStatus, 400, "")},
		{"400 and a notification", `status 2 400 {"jsonrpc":"2.0","method":"x"}`, failedWith(7, CauseHTTPStatus, 400, "")},
		{"401", "status 2 401", failedWith(7, CauseHTTPStatus, 401, "")},
		{"403", "status 2 403", failedWith(7, CauseHTTPStatus, 403, "")},
		{"404", "status 2 404", failedWith(7, CauseHTTPStatus, 404, "")},
		{"404 and -32601", "status 2 404 " + wireFailure(2, -32601), "\nF< " + wireFailure(7, -32601)},
		{"405", "status 2 405", failedWith(7, CauseHTTPStatus, 405, "")},
		{"406", "status 2 406", failedWith(7, CauseHTTPStatus, 406, "")},
		{"408", "status 2 408", failedWith(7, CauseHTTPStatus, 408, "")},
		{"413", "status 2 413", failedWith(7, CauseHTTPStatus, 413, "")},
		{"415", "status 2 415", failedWith(7, CauseHTTPStatus, 415, "")},
		{"429", "status 2 429", failedWith(7, CauseHTTPStatus, 429, "")},
		{"429 and a pause", "status 2 429 2s", failedWith(7, CauseHTTPStatus, 429, `,"retryAfter":2`)},
		{"429 and a pause of part of a second", "status 2 429 1500ms", failedWith(7, CauseHTTPStatus, 429, `,"retryAfter":2`)},
		{"429, a pause and an error", "status 2 429 2s " + wireFailure(2, -32000), relayed},
		{"500", "status 2 500", failedWith(7, CauseHTTPStatus, 500, "")},
		{"501", "status 2 501", failedWith(7, CauseHTTPStatus, 501, "")},
		{"503 and an error", "status 2 503 " + wireFailure(2, -32000), relayed},
		{"511", "status 2 511", failedWith(7, CauseHTTPStatus, 511, "")},
		{"600", "status 2 600", failedWith(7, CauseHTTPStatus, 600, "")},

		{"the connection is lost", "failed 2 network", failed(7, CauseNetwork)},
		{"the stream ends", "failed 2 upstream_closed", failed(7, CauseUpstreamClosed)},
		{"no media type of the protocol", "failed 2 invalid_upstream_message", failed(7, CauseInvalidUpstreamMessage)},
		{"an encoding", "failed 2 content_encoding", failed(7, CauseContentEncoding)},
		{"a body that is too large", "failed 2 response_too_large", failed(7, CauseResponseTooLarge)},
		{"a certificate", "unsent 2 tls", failed(7, CauseTLS)},
		{"a proxy", "unsent 2 proxy", failed(7, CauseProxy)},
		{"a token that no header can hold", "unsent 2 invalid_token", failed(7, CauseInvalidToken)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, `"resources":{}`)
			p.overHTTP(`
				F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
				U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
				! ` + tt.end + tt.want + `
				! ` + tt.end + `
				F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
				U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
				U> 3 {"jsonrpc":"2.0","id":3,"result":{"resources":[]}}
				C< 3
				F< {"jsonrpc":"2.0","id":7,"result":{"resources":[]}}`)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", n, p.timers)
			}
		})
	}
}

// The table of statuses, for server/discover: only what an older server answers tells that
// it is one. Whatever it was, the next initialize asks again.
//
// req: U02
func TestT203Discover(t *testing.T) {
	const discover = `
		F> ` + initialize + `
		U< {"jsonrpc":"2.0","id":%d,"method":"server/discover","params":{METAHTTP}}`
	for _, tt := range []struct{ name, end, want string }{
		{"400", "status 1 400", failed(0, CauseUpstreamLegacy)},
		{"400 and an error", "status 1 400 " + wireFailure(1, -32600), failed(0, CauseUpstreamLegacy)},
		{"404", "status 1 404", failed(0, CauseUpstreamLegacy)},
		{"404 and -32601", "status 1 404 " + wireFailure(1, -32601), failed(0, CauseUpstreamLegacy)},
		{"405", "status 1 405", failed(0, CauseUpstreamLegacy)},
		{"400 and -32020", "status 1 400 " + wireFailure(1, -32020), failed(0, CauseHeaderMismatch)},
		{"400 and -32021", "status 1 400 " + wireFailure(1, -32021), failed(0, CauseInvalidUpstreamMessage)},
		{"202", "status 1 202", failed(0, CauseInvalidUpstreamMessage)},
		{"302", "status 1 302", failedWith(0, CauseRedirect, 302, "")},
		{"401", "status 1 401", failedWith(0, CauseHTTPStatus, 401, "")},
		{"401 and an error", "status 1 401 " + wireFailure(1, -32601), failedWith(0, CauseHTTPStatus, 401, "")},
		{"403", "status 1 403", failedWith(0, CauseHTTPStatus, 403, "")},
		{"406", "status 1 406", failed(0, CauseUpstreamLegacy)},
		{"415", "status 1 415", failedWith(0, CauseHTTPStatus, 415, "")},
		{"429 and a pause", "status 1 429 7s", failedWith(0, CauseHTTPStatus, 429, `,"retryAfter":7`)},
		{"500", "status 1 500", failedWith(0, CauseHTTPStatus, 500, "")},
		{"503 and an error", "status 1 503 " + wireFailure(1, -32601), failedWith(0, CauseHTTPStatus, 503, "")},
		{"a page of the network that wants a sign-in", "failed 1 invalid_upstream_message", failed(0, CauseInvalidUpstreamMessage)},
		{"a certificate", "unsent 1 tls", failed(0, CauseTLS)},
		{"the connection is lost", "failed 1 network", failed(0, CauseNetwork)},
		{"the stream ends", "failed 1 upstream_closed", failed(0, CauseUpstreamClosed)},
		{"no answer in time", "fire request", failed(0, CauseTimeout) + "\nC< 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{Transport: HTTP, Eras: ModernEra})
			p.overHTTP(fmt.Sprintf(discover, 1) + `
				! ` + tt.end + tt.want + fmt.Sprintf(discover, 2))
		})
	}
	t.Run("401 in the log", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP})
		p.overHTTP(fmt.Sprintf(discover, 1) + `
			! status 1 401` + failedWith(0, CauseHTTPStatus, 401, ""))
		want := Event{Kind: EventInitializeFailed, Method: "initialize", Cause: CauseHTTPStatus, Status: 401}
		if !slices.Contains(p.log, want) {
			t.Errorf("log = %+v, want %+v in it", p.log, want)
		}
	})
	t.Run("400 and -32022", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP})
		p.overHTTP(fmt.Sprintf(discover, 1) + `
			! status 1 400 {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
			U< {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{METAHTTP}}
			! status 2 400 {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}}` + failed(0, CauseUpstreamLegacy))
	})
}

// T17 and T34 over HTTP: a modern error comes with status 400.
func TestT203ModernErrors(t *testing.T) {
	p := openedHTTP(t, Options{}, `"resources":{}`)
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
		! status 2 400 {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
		! status 3 400 {"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		F> {"jsonrpc":"2.0","id":8,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":4,"method":"resources/list","params":{METAHTTP}}
		! status 4 400 {"jsonrpc":"2.0","id":4,"error":{"code":-32021,"message":"x","data":{"requiredCapabilities":["sampling"]}}}
		F< {"jsonrpc":"2.0","id":8,"error":{"code":-32021,"message":"x","data":{"requiredCapabilities":["sampling"]}}}`)
}

// T52: only what surely did not reach the upstream goes out again, once.
func TestT52OverHTTP(t *testing.T) {
	const list = `
		F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
		! unsent 2 network`
	for _, tt := range []struct{ name, script string }{
		{"a request", list + `
			! fire request
			U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
			U> 3 {"jsonrpc":"2.0","id":3,"result":{"resources":[]}}
			C< 3
			F< {"jsonrpc":"2.0","id":7,"result":{"resources":[]}}`},
		{"a second time", list + `
			! fire request
			U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
			! unsent 3 network` + failed(7, CauseNetwork)},
		{"cancelled in the pause", list + cancelFront(7)},
		{"the front goes in the pause", list + `
			! end
			! fire drain`},
		{"a list that the session asks for itself", "\nF> " + callDeploy + listUp(2, "") + `
			! unsent 2 network
			! fire request` + listUp(3, "") + pageUp(3, aTool("deploy", region), "") + deployUp(4) + deployHeaders + doneUp(4, 7)},
		{"of two calls that wait for the list", "\nF> " + callDeploy + listUp(2, "") + "\nF> " + strings.Replace(callDeploy, `"id":7`, `"id":8`, 1) + `
			! unsent 2 network
			! fire request` + listUp(4, "") + pageUp(4, aTool("deploy", region), "") + deployUp(5) + deployHeaders + `
			! fire request` + deployUp(6) + deployHeaders + doneUp(5, 8) + doneUp(6, 7)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, `"tools":{},"resources":{}`)
			p.overHTTP(tt.script)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", n, p.timers)
			}
		})
	}
	t.Run("the pause", func(t *testing.T) {
		p := openedHTTP(t, Options{}, `"resources":{}`)
		p.overHTTP(list)
		timer, _ := p.next(TimerRequest)
		if got := timer.At.Sub(p.now); got != 250*time.Millisecond {
			t.Errorf("the pause is %v", got)
		}
	})
	t.Run("discover", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP})
		p.overHTTP(`
			F> ` + initialize + `
			U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{METAHTTP}}
			! unsent 1 network
			! fire request
			U< {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{METAHTTP}}
			! unsent 2 network` + failed(0, CauseNetwork))
	})
}

// T202: what comes in the response to a request.
//
// req: U02
func TestT202(t *testing.T) {
	const (
		call = `
			F> {"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p","_meta":{"progressToken":"t"}}}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":2}}}
			H< Mcp-Name: p
			F> {"jsonrpc":"2.0","id":8,"method":"prompts/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{METAHTTP}}`
		answer = `
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"messages":[]}}
			C< 2
			F< {"jsonrpc":"2.0","id":7,"result":{"messages":[]}}`
		other = `
			U> 3 {"jsonrpc":"2.0","id":3,"result":{"prompts":[]}}
			C< 3
			F< {"jsonrpc":"2.0","id":8,"result":{"prompts":[]}}`
	)
	for _, tt := range []struct {
		name, script string
		dropped      string // the rule of what is dropped
	}{
		{"the answer", answer, ""},
		{"a second answer", answer + `
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"messages":[]}}`, "T8"},
		{"the answer to another request", `
			U> 2 {"jsonrpc":"2.0","id":3,"result":{"prompts":[]}}` + answer, "T202"},
		{"an answer with a string for an id", `
			U> 2 {"jsonrpc":"2.0","id":"2","result":{"messages":[]}}` + answer, "T202"},
		{"an answer with the id null", `
			U> 2 {"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}` + answer, "T1"},
		{"a request", `
			U> 2 {"jsonrpc":"2.0","id":2,"method":"roots/list"}` + answer, "T7"},
		{"a request under another id", `
			U> 2 {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{}}` + answer, "T7"},
		{"progress", `
			U> 2 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}` + answer, ""},
		{"progress of another request", `
			U> 3 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}` + answer, "T140"},
		{"progress after the answer", answer + `
			U> 2 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`, "T145"},
		{"a log message after the answer", answer + `
			U> 2 {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`, "T145"},
		{"an event of a stream", `
			U> 2 {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}` + answer, "T161"},
		{"a cancellation", `
			U> 2 {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + answer, "T151"},
		{"another notification", `
			U> 2 {"jsonrpc":"2.0","method":"notifications/x"}` + answer, "T145"},
		{"an event that is no JSON", `
			U> 2 hello` + answer, "T1"},
		{"an event that is broken, for another request", `
			U> 2 {"jsonrpc":"2.0","id":3,"result":{"messages":[01]}}` + answer, "T1"},
		{"an answer that is broken", `
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"messages":[01]}}` + failed(7, CauseInvalidUpstreamMessage) + `
			C< 2`, "T1"},
		{"the end without an answer", `
			! failed 2 upstream_closed` + failed(7, CauseUpstreamClosed), ""},
		{"the end after the answer", answer + `
			! failed 2 upstream_closed`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, `"prompts":{}`)
			p.overHTTP(call + tt.script + other)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", n, p.timers)
			}
			if got := p.logged(EventDropped, tt.dropped); tt.dropped != "" && got != 1 {
				t.Errorf("%d dropped by %s: %v", got, tt.dropped, p.log)
			}
		})
	}
}

// An event that is too long fails its request, whatever else is in it, and no other.
//
// req: U04
func TestU04LongEvent(t *testing.T) {
	p := openedHTTP(t, Options{}, `"prompts":{}`)
	p.maxLine = 1000
	long := strings.Repeat("x", 1000)
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"prompts/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{METAHTTP}}
		F> {"jsonrpc":"2.0","id":8,"method":"prompts/list"}
		U< {"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{METAHTTP}}
		U> 2 {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + long + `"}}` + failed(7, CauseResponseTooLarge) + `
		C< 2
		U> 2 {"jsonrpc":"2.0","id":3,"result":{"prompts":["` + long + `"]}}
		U> 3 {"jsonrpc":"2.0","id":3,"result":{"prompts":[]}}
		C< 3
		F< {"jsonrpc":"2.0","id":8,"result":{"prompts":[]}}`)
}

// T84: an upstream over HTTP is remote, whatever the options say.
//
// req: W08
func TestT84OverHTTP(t *testing.T) {
	openedHTTP(t, Options{}, `"prompts":{}`).overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"prompts/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{METAHTTP}}
		U> 2 {"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"p","icons":[{"src":"https://x/i.png"}]}]}}
		C< 2
		F< {"jsonrpc":"2.0","id":7,"result":{"prompts":[{"name":"p"}]}}`)
}
