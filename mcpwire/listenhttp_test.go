package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// on has the lines of the upstream in a script come on the response stream of ex.
func on(ex int, script string) string {
	return strings.ReplaceAll(script, "\nU> ", fmt.Sprintf("\nU> %d ", ex))
}

func closed(ex int) string { return fmt.Sprintf("\nC< %d", ex) }

// endOf is the end of a stream by a status or a cause.
func endOf(ex int, how string) string {
	verb, rest, _ := strings.Cut(how, " ")
	return fmt.Sprintf("\n! %s %d %s", verb, ex, rest)
}

func ackOn(ex int, filter string) string { return on(ex, ackUp(ex, filter)) }

// The streams of activeHTTP and watchingHTTP are the request 2, as those of active and
// watching.
var (
	activeHTTP   = initialized + listenUp(2, lists) + ackOn(2, lists)
	watchingHTTP = initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) + ackOn(2, uris("a")) + done(1)
)

// T163 over HTTP: the new stream is opened before the old one is closed, so that no event
// is missed; the answer to the change comes between the events of the two.
//
// req: N01, N02
func TestT163OverHTTP(t *testing.T) {
	const noID = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	changing := activeHTTP + subscribe(1, "u:a") + listenUp(3, listsA)
	playListen(t, Options{Transport: HTTP}, []listenCase{
		{"events of the old stream until the new one is there", everything, changing + on(2, changedUp(2, "tools")) + changedFront("tools") +
			ackOn(3, listsA) + done(1) + closed(2) + on(3, changedUp(3, "tools")) + changedFront("tools"), ""},
		{"no event of the old stream after that", everything, changing + ackOn(3, listsA) + done(1) + closed(2) + on(2, changedUp(2, "tools")), "T161"},
		{"no event of the new stream before that", everything, changing + on(3, changedUp(3, "tools")) + ackOn(3, listsA) + done(1) + closed(2), "T164"},
		{"an acknowledgement of the old stream is none of the new one", everything, changing + on(2, ackUp(3, listsA)), "T161"},
		{"the id of a stream in an event counts for nothing", everything, activeHTTP + on(2, changedUp(7, "tools")) + changedFront("tools") +
			"\nU> 2 " + noID + changedFront("tools"), ""},
		{"an event that comes in the answer to another request", everything, activeHTTP + `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}` + on(3, changedUp(2, "tools")), "T161"},
		{"progress on a stream", everything, activeHTTP + on(2, "\nU> "+`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`), "T145"},
		{"the old stream ends meanwhile", everything, changing + endOf(2, "failed upstream_closed") + ackOn(3, listsA) + done(1) +
			changedFront("tools") + changedFront("prompts") + changedFront("resources"), ""},
		{"the new stream is refused, and the old one stays", everything, changing + on(3, failUp(3, -32602)) + failed(1, CauseSubscriptionRefused) + closed(3) +
			on(2, changedUp(2, "tools")) + changedFront("tools") + subscribe(2, "u:b") + listenUp(4, strings.Replace(listsA, "u:a", "u:b", 1)), ""},
		{"the new stream is refused by its status", everything, changing + endOf(3, "status 403") + failed(1, CauseSubscriptionRefused) +
			on(2, changedUp(2, "tools")) + changedFront("tools"), ""},
		{"the new stream is silent", everything, changing + fireWait + failed(1, CauseTimeout) + closed(3) + on(2, changedUp(2, "tools")) + changedFront("tools"), ""},
		{"both end, the new one first", everything, changing + endOf(3, "status 500") + failed(1, CauseSubscriptionRefused) + endOf(2, "failed network") +
			fireWait + listenUp(4, lists), ""},
		{"both end, the old one first", everything, changing + endOf(2, "failed network") + endOf(3, "status 500") + failed(1, CauseSubscriptionRefused) +
			fireWait + listenUp(4, lists) + ackOn(4, lists) + changedFront("tools") + changedFront("prompts") + changedFront("resources"), ""},
		{"two changes, one after the other", onlyURIs, watchingHTTP + subscribe(2, "u:b") + listenUp(3, uris("ab")) + subscribe(3, "u:c") +
			ackOn(3, uris("ab")) + done(2) + listenUp(4, uris("abc")) + closed(2) + on(3, updatedUp(3, "u:b")) + updatedFront("u:b") +
			ackOn(4, uris("abc")) + done(3) + closed(3) + on(3, updatedUp(3, "u:b")) + on(4, updatedUp(4, "u:c")) + updatedFront("u:c"), "T161"},
		{"two changes, the first one refused", onlyURIs, watchingHTTP + subscribe(2, "u:b") + listenUp(3, uris("ab")) + subscribe(3, "u:c") +
			on(3, failUp(3, -32602)) + failed(2, CauseSubscriptionRefused) + listenUp(4, uris("ac")) + closed(3) + on(2, updatedUp(2, "u:a")) + updatedFront("u:a") +
			ackOn(4, uris("ac")) + done(3) + closed(2), ""},
		{"an old stream still has what the front gave up in vain", onlyURIs, watchingHTTP + subscribe(2, "u:b") + listenUp(3, uris("ab")) + ackOn(3, uris("ab")) + done(2) + closed(2) +
			unsubscribe(3, "u:b") + listenUp(4, uris("a")) + fireWait + failed(3, CauseTimeout) + closed(4) + on(3, updatedUp(3, "u:b")) + updatedFront("u:b"), ""},
		{"the last URI goes", onlyURIs, watchingHTTP + unsubscribe(2, "u:a") + done(2) + closed(2) + on(2, updatedUp(2, "u:a")), "T161"},
		{"a grant of nothing is not replaced by itself", everything, initialized + listenUp(2, lists) + ackOn(2, `{}`) + endOf(2, "failed upstream_closed"), ""},
		{"and has nothing to wait for when it is", everything, initialized + listenUp(2, lists) + ackOn(2, `{}`) + subscribe(1, "u:a") + listenUp(3, listsA) + closed(2) +
			ackOn(3, listsA) + done(1), ""},
		{"cancelled while the new stream is opened", onlyURIs, watchingHTTP + subscribe(2, "u:b") + listenUp(3, uris("ab")) + cancelFront(2) +
			ackOn(3, uris("ab")) + listenUp(4, uris("a")) + closed(2) + ackOn(4, uris("a")) + closed(3), ""},
		{"the front goes", everything, changing + "\n! end" + fireDrain + closed(3) + closed(2), ""},
	})
}

// What only the streams of the past carried is forgotten with the last of them.
func TestT163Forgets(t *testing.T) {
	refused := subscribe(2, "u:b") + listenUp(3, uris("ab")) + endOf(3, "status 500") + failed(2, CauseSubscriptionRefused)
	for name, script := range map[string]string{
		"the new stream was refused": watchingHTTP + refused,
		"a change was cancelled, and the stream without it refused": watchingHTTP + subscribe(2, "u:b") + listenUp(3, uris("ab")) + cancelFront(2) +
			ackOn(3, uris("ab")) + listenUp(4, uris("a")) + closed(2) + endOf(4, "status 500") + closed(3) + fireWait + listenUp(5, uris("a")) + ackOn(5, uris("a")) + updatedFront("u:a"),
	} {
		p := ready(t, Options{Transport: HTTP}, onlyURIs)
		p.play(script)
		if got := len(p.session.core.listen.watches); got != 1 {
			t.Errorf("%s: %d URIs are kept, want 1", name, got)
		}
	}
}

const fireDrain = "\n! fire drain"

// T165 over HTTP: what ends a stream says whether it is opened again.
//
// req: N03
func TestT165OverHTTP(t *testing.T) {
	for _, tt := range []struct {
		end   string
		stops bool
	}{
		{"failed upstream_closed", false},
		{"failed network", false},
		{"unsent network", false},
		{"unsent proxy", false},
		{"failed response_too_large", false},
		{"failed invalid_upstream_message", false},
		{"unsent invalid_token", true},
		{"failed redirect", true},
		{"status 204", true},
		{"status 302", true},
		{"status 400", true},
		{"status 401", true},
		{"status 403", true},
		{"status 404", true},
		{"status 405", true},
		{"status 408", false},
		{"status 410", true},
		{"status 413", true},
		{"status 429", false},
		{"status 500", false},
		{"status 501", true},
		{"status 502", false},
		{"status 503", false},
		{`status 503 {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"x"}}`, false},
		{`status 503 {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"x"}}`, true},
		{`status 503 {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"x"}}`, false},
		{`status 400 {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"x"}}`, true},
		{`status 401 {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"x"}}`, true},
	} {
		for when, before := range map[string]string{"before the acknowledgement": initialized + listenUp(2, lists), "after it": activeHTTP} {
			t.Run(tt.end+" "+when, func(t *testing.T) {
				p := ready(t, Options{Transport: HTTP}, everything)
				p.play(before + endOf(2, tt.end) + endOf(2, tt.end))
				checkListener(t, p)
				kind := EventListenLost
				if tt.stops {
					kind = EventListenStopped
					if len(p.timers) != 0 {
						t.Errorf("timers %v for a stream that is refused", p.timers)
					}
				} else {
					p.play(fireWait + listenUp(3, lists))
				}
				if got := p.logged(kind, "T165"); got != 1 {
					t.Errorf("logged %d times, want once: %+v", got, p.log)
				}
			})
		}
	}
	gap := changedFront("tools") + changedFront("prompts") + changedFront("resources")
	playListen(t, Options{Transport: HTTP}, []listenCase{
		{"a result, and what came meanwhile is told", everything, activeHTTP + on(2, endUp(2)) + closed(2) + fireWait + listenUp(3, lists) + ackOn(3, lists) + gap, ""},
		{"a cancellation", everything, activeHTTP + on(2, cancelUp(2)) + closed(2) + fireWait + listenUp(3, lists), ""},
		{"a cancellation in the answer to another request", everything, activeHTTP + `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}` + on(3, cancelUp(2)), "T151"},
		{"a cancellation of another request", everything, activeHTTP + on(2, cancelUp(3)), "T151"},
		{"no acknowledgement in time", everything, initialized + listenUp(2, lists) + fireWait + closed(2) + fireWait + listenUp(3, lists), ""},
		{"an event that is broken ends nothing", everything, activeHTTP + on(2, "\nU> {") + on(2, changedUp(2, "tools")) + changedFront("tools"), "T1"},
		{"idle for too long, which is no loss", everything, activeHTTP + endOf(2, "failed timeout") + listenUp(3, lists) + ackOn(3, lists), ""},
		{"idle after a loss", everything, activeHTTP + on(2, endUp(2)) + closed(2) + fireWait + listenUp(3, lists) + endOf(3, "failed timeout") +
			fireWait + listenUp(4, lists) + ackOn(4, lists) + gap, ""},
		{"idle at the end", everything, activeHTTP + `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			! end` + endOf(2, "failed timeout") + fireDrain + closed(3), ""},
	})
}

// A stream whose event is too long is lost.
//
// req: U04
func TestT165LongEvent(t *testing.T) {
	p := ready(t, Options{Transport: HTTP}, everything)
	p.play(activeHTTP)
	p.maxLine = 1000
	p.play(on(2, "\nU> "+strings.Repeat("{", 1001)) + closed(2) + fireWait + listenUp(3, lists))
}

// After 401 or 403 no time passes that opens the stream again: a sign-in does, or the front.
//
// req: N03
func TestT165SignedIn(t *testing.T) {
	playListen(t, Options{Transport: HTTP}, []listenCase{
		{"a sign-in", everything, activeHTTP + endOf(2, "status 401") + "\n! wait 24h\n! signed in" + listenUp(3, lists), ""},
		{"a second one", everything, activeHTTP + endOf(2, "status 401") + "\n! signed in" + listenUp(3, lists) + "\n! signed in", ""},
		{"refused again", everything, activeHTTP + endOf(2, "status 403") + "\n! signed in" + listenUp(3, lists) + endOf(3, "status 403") + "\n! wait 24h\n! signed in" + listenUp(4, lists), ""},
		{"another request has no need of it", everything, activeHTTP + "\n! signed in", ""},
		{"a stream that waits goes on waiting", everything, activeHTTP + endOf(2, "status 503") + "\n! signed in" + fireWait + listenUp(3, lists), ""},
		{"before there is a session", everything, "\n! signed in", ""},
		{"a sign-in while the stream is asked for", everything, initialized + listenUp(2, lists) + "\n! signed in" + endOf(2, "status 401") + listenUp(3, lists) +
			endOf(3, "status 401") + "\n! wait 24h\n! signed in" + listenUp(4, lists), ""},
		{"a sign-in while the stream is asked for, which is lost otherwise", everything, initialized + listenUp(2, lists) + "\n! signed in" + endOf(2, "status 404") + "\n! wait 24h", ""},
		{"a sign-in long before", everything, initialized + listenUp(2, lists) + "\n! signed in" + endOf(2, "status 503") + fireWait + listenUp(3, lists) + endOf(3, "status 401") + "\n! wait 24h", ""},
		{"a sign-in that has failed", everything, activeHTTP + endOf(2, "unsent sign_in_no_consent") + "\n! wait 24h\n! signed in" + listenUp(3, lists), ""},
		{"a subscription that is refused", onlyURIs, initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) + endOf(2, "status 403") +
			"\n" + `F< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The server does not send notifications about this resource.","data":{"cause":"subscription_refused"}}}` + "\n! signed in", ""},
		{"a change of the front", everything, activeHTTP + endOf(2, "status 401") + subscribe(1, "u:a") + listenUp(3, listsA), ""},
		{"a sign-in after the front has gone", everything, activeHTTP + `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			! end` + endOf(2, "status 401") + "\n! signed in" + fireDrain + closed(3), ""},
		{"a sign-in while the front goes", everything, activeHTTP + endOf(2, "status 401") + `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			! end` + "\n! signed in" + fireDrain + closed(3), ""},
	})
	newPlayer(t, Options{Transport: HTTP}).play("\n! signed in")
}

// Retry-After is the least wait, up to a limit; it does not make the waits before it
// shorter.
//
// req: N03
func TestT165RetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name, end string
		want      time.Duration
	}{
		{"429", "status 429 7s", 7 * time.Second},
		{"503", "status 503 7s", 7 * time.Second},
		{"less than the wait", "status 503 1ms", 500 * time.Millisecond},
		{"the limit", "status 429 300s", 300 * time.Second},
		{"more than the limit", "status 429 24h", 300 * time.Second},
	} {
		p := ready(t, Options{Transport: HTTP}, everything)
		p.play(activeHTTP + endOf(2, tt.end))
		timer, _ := p.next(TimerListen)
		if got := timer.At.Sub(p.now); got != tt.want {
			t.Errorf("%s: waits %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The table of stages, over HTTP, as [TestStages] has it for stdio.
//
// req: N01, N02, N03
func TestStagesOverHTTP(t *testing.T) {
	const granted = `{"resourceSubscriptions":["u:a"]}`
	setup := map[stage]string{
		stageOff:     ``,
		stageOpening: subscribe(1, "u:a"),
		stageActive:  subscribe(1, "u:a") + ackOn(2, granted),
		stageIdle:    initialized + ackOn(2, `{}`),
		stageWaiting: subscribe(1, "u:a") + ackOn(2, granted) + on(2, endUp(2)),
		stageStopped: subscribe(1, "u:a") + ackOn(2, granted) + endOf(2, "status 401"),
	}
	inputs := map[string]string{
		"change":       subscribe(3, "u:c"),
		"acknowledged": ackOn(2, granted),
		"ended":        on(2, endUp(2)),
		"refused":      endOf(2, "status 403"),
		"failed":       endOf(2, "failed network"),
		"time":         "\n! fire listen",
		"signed in":    "\n! signed in",
	}
	for from, want := range map[stage]map[string]stage{
		stageOff:     {"change": stageOpening, "acknowledged": stageOff, "ended": stageOff, "failed": stageOff, "signed in": stageOff},
		stageOpening: {"change": stageOpening, "acknowledged": stageActive, "ended": stageOff, "time": stageOff, "failed": stageOff, "signed in": stageOpening},
		stageActive:  {"change": stageOpening, "acknowledged": stageActive, "ended": stageWaiting, "refused": stageStopped, "failed": stageWaiting, "signed in": stageActive},
		stageIdle:    {"change": stageOpening, "acknowledged": stageIdle, "ended": stageIdle, "failed": stageIdle, "signed in": stageIdle},
		stageWaiting: {"change": stageOpening, "acknowledged": stageWaiting, "ended": stageWaiting, "time": stageOpening, "signed in": stageWaiting},
		stageStopped: {"change": stageOpening, "acknowledged": stageStopped, "ended": stageStopped, "signed in": stageOpening},
	} {
		for input, to := range want {
			capabilities := onlyURIs
			if from == stageIdle {
				capabilities = onlyURIs + `,"tools":{"listChanged":true}`
			}
			p := ready(t, Options{Transport: HTTP}, capabilities)
			p.inputs(setup[from])
			if got := p.session.core.listen.stage; got != from {
				t.Fatalf("stage %d after the setup of %d", got, from)
			}
			p.inputs(inputs[input])
			if got := p.session.core.listen.stage; got != to {
				t.Errorf("stage %d, %s: becomes %d, want %d", from, input, got, to)
			}
			checkListener(t, p)
		}
	}
}
