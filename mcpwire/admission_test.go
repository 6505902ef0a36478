package mcpwire

import (
	"fmt"
	"testing"
	"time"
)

// A request that was refused unprocessed, and would be let in now, goes out once more with
// a new id, whatever it is.
//
// req: U10
func TestU10Admission(t *testing.T) {
	t.Run("a call", func(t *testing.T) {
		openedHTTP(t, Options{}, `"resources":{}`).overHTTP(`
			F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
			! again 2 1
			U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
			A< 1
			! again 3 5
			U< {"jsonrpc":"2.0","id":4,"method":"resources/list","params":{METAHTTP}}
			A< 5
			U> 4 {"jsonrpc":"2.0","id":4,"result":{"resources":[]}}
			C< 4
			F< {"jsonrpc":"2.0","id":7,"result":{"resources":[]}}`)
	})
	t.Run("nothing was done since", func(t *testing.T) {
		openedHTTP(t, Options{}, `"resources":{}`).overHTTP(`
			F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
			! again 2 4
			U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
			A< 4
			! again 3 4` + failedWith(7, CauseHTTPStatus, 401, ""))
	})
	t.Run("the next request begins anew", func(t *testing.T) {
		openedHTTP(t, Options{}, `"resources":{}`).overHTTP(`
			F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
			! again 2 4
			U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
			A< 4
			! status 3 401` + failedWith(7, CauseHTTPStatus, 401, "") + `
			F> {"jsonrpc":"2.0","id":8,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":4,"method":"resources/list","params":{METAHTTP}}`)
	})
}

// Where the session itself has something to ask, that goes out once more, too, and so does
// a later round of a request.
//
// req: U10
func TestU10AdmissionOfOthers(t *testing.T) {
	t.Run("discover", func(t *testing.T) {
		newPlayer(t, Options{Transport: HTTP}).overHTTP(`
			F> ` + initialize + `
			U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{METAHTTP}}
			! again 1 2
			U< {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{METAHTTP}}
			A< 2
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
			C< 2`)
	})
	t.Run("the list of tools that a call reads", func(t *testing.T) {
		openedHTTP(t, Options{}, `"tools":{}`).overHTTP(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{METAHTTP}}
			! again 2 1
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{METAHTTP}}
			A< 1
			U> 3 {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
			C< 3
			U< {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a",METAHTTP}}
			H< Mcp-Name: a
			A< 1`)
	})
	t.Run("a later round", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP})
		p.overHTTP(`
			F> ` + initialize + `
			U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{METAHTTP}}
			U> 1 {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
			C< 1
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			F> {"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p"}}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p",METAHTTP}}
			H< Mcp-Name: p
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}}
			C< 2
			! fire request
			U< {"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p","requestState":"s",METAHTTP}}
			H< Mcp-Name: p
			! again 3 1
			U< {"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"p","requestState":"s",METAHTTP}}
			H< Mcp-Name: p
			A< 1`)
	})
	t.Run("the stream of notifications", func(t *testing.T) {
		p := newPlayer(t, Options{Transport: HTTP})
		p.overHTTP(`
			F> ` + initialize + `
			U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{METAHTTP}}
			U> 1 {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
			C< 1
			F> {"jsonrpc":"2.0","method":"notifications/initialized"}
			U< {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},METAHTTP}}
			! again 2 1
			U< {"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},METAHTTP}}`)
	})
}

// An error can say what came before it.
//
// req: S23
func TestS23After(t *testing.T) {
	p := openedHTTP(t, Options{}, `"resources":{}`)
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}`)
	var out Steps
	p.session.Failed(p.now, 2, Failure{Cause: CauseSignInCooldown, After: CauseSignInDeclined, Status: 401, Sent: true}, &out)
	want := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"%s %s","data":{"cause":"sign_in_cooldown"}}}`,
		CauseSignInDeclined.Text(), CauseSignInCooldown.Text())
	if got := string(out.ToFront[0].AppendTo(nil)); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}

// The time in which a request waits for a person does not count against its limit, and
// what goes out once more has the whole of it.
//
// req: U03
func TestU03Extend(t *testing.T) {
	p := openedHTTP(t, Options{}, `"resources":{}`)
	due := func() time.Duration {
		timer, _ := p.next(TimerRequest)
		return timer.At.Sub(p.now)
	}
	check := func(want time.Duration) {
		t.Helper()
		if got := due(); got != want {
			t.Errorf("the request is given up after %v, want %v", got, want)
		}
	}
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
		! wait 1m`)
	check(time.Minute)
	p.overHTTP("! extend 2 5m")
	check(6 * time.Minute)
	p.overHTTP("! extend 9 5m") // of no request
	check(6 * time.Minute)
	p.overHTTP(`
		! wait 4m
		! again 2 1
		U< {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{METAHTTP}}
		A< 1`)
	check(2 * time.Minute)
	p.overHTTP("! fire request" + failed(7, CauseTimeout) + "\nC< 3")
}
