package mcpwire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// req: N03
func TestT165(t *testing.T) {
	again := fireWait + listenUp(3, lists)
	for _, tt := range []struct {
		name, end string
		stops     bool
	}{
		{"a result", endUp(2), false},
		{"a cancellation", cancelUp(2), false},
		{"both", endUp(2) + cancelUp(2), false},
		{"both, the other way", cancelUp(2) + endUp(2), false},
		{"a result that is none", "\nU> " + `{"jsonrpc":"2.0","id":2,"result":null}`, false},
		{"a line that is none", "\nU> " + `{"jsonrpc":"2.0","id":2,"result":{]`, false},
		{"the method is unknown", failUp(2, -32601), true},
		{"the parameters are refused", failUp(2, -32602), true},
		{"a capability is missing", failUp(2, -32021), true},
		{"the version is refused", failUp(2, -32022), true},
		{"another error", failUp(2, -32603), false},
		{"an error of an error", "\nU> " + `{"jsonrpc":"2.0","id":2,"error":7}`, false},
	} {
		for when, before := range map[string]string{"before the acknowledgement": initialized + listenUp(2, lists), "after it": active} {
			t.Run(tt.name+" "+when, func(t *testing.T) {
				p := ready(t, Options{}, everything)
				p.play(before + tt.end)
				checkListener(t, p)
				kind := EventListenLost
				if tt.stops {
					kind = EventListenStopped
					if len(p.timers) != 0 {
						t.Errorf("timers %v for a stream that is refused", p.timers)
					}
				} else {
					p.play(again)
				}
				if got := p.logged(kind, "T165"); got != 1 {
					t.Errorf("logged %d times, want once: %+v", got, p.log)
				}
			})
		}
	}
	playListen(t, Options{}, []listenCase{
		{"a change while it waits opens it at once", everything, active + endUp(2) + subscribe(1, "u:a") + listenUp(3, listsA), ""},
		{"a change after it was refused opens it at once", everything, active + failUp(2, -32601) + subscribe(1, "u:a") + listenUp(3, listsA) +
			failUp(3, -32601) + failed(1, CauseSubscriptionRefused) + subscribe(2, "u:b") + listenUp(4, strings.Replace(listsA, "u:a", "u:b", 1)), ""},
		{"a change that came before the loss opens it at once", onlyURIs, initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) +
			subscribe(2, "u:b") + endUp(2) + failed(1, CauseSubscriptionRefused) + listenUp(3, uris("b")), ""},
		{"nothing is left to wait for", onlyURIs, initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) + endUp(2) + failed(1, CauseSubscriptionRefused), ""},
		{"the last URI goes while it waits", onlyURIs, watching + endUp(2) + unsubscribe(2, "u:a") + done(2), ""},
		{"what is there already opens nothing", onlyURIs, watching + endUp(2) + subscribe(2, "u:a") + done(2) + fireWait + listenUp(3, uris("a")), ""},
		{"after a silent one, a change waits for its end", everything, initialized + listenUp(2, lists) + fireWait + takenBack(2) +
			subscribe(1, "u:a") + fireWait + listenUp(3, listsA), ""},
		{"but not if that was seen", everything, initialized + listenUp(2, lists) + fireWait + takenBack(2) + endUp(2) +
			subscribe(1, "u:a") + listenUp(3, listsA), ""},
		{"the upstream is lost while it waits", everything, active + endUp(2) + "\n! lost upstream_exited", ""},
		{"and a late word of it", everything, active + "\n! lost upstream_exited" + endUp(2) + changedUp(2, "tools"), "T161"},
		{"initialized comes again while it waits", everything, active + endUp(2) + initialized, ""},
		{"initialized comes again after it was refused", everything, active + failUp(2, -32601) + initialized, ""},
	})
}

// The wait doubles up to its limit, and starts again after a stream that has lived.
//
// req: N03
func TestT165Wait(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name   string
		limits Limits
		lived  []time.Duration // of each stream, after its acknowledgement; negative: there was none
		want   []time.Duration
	}{
		{"one after the other", Limits{}, []time.Duration{-1, 0, 1, -1, s, 0, 9 * s, -1, 0},
			[]time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s, 30 * s}},
		{"one that has lived", Limits{}, []time.Duration{0, 0, 10*s - 1, 10 * s, 0, 10*s + 1, 0},
			[]time.Duration{s / 2, s, 2 * s, s / 2, s, s / 2, s}},
		{"limits that are set", Limits{Relisten: s, RelistenMax: 3 * s, ListenAlive: 2 * s}, []time.Duration{0, 0, 0, 2*s - 1, 2 * s},
			[]time.Duration{s, 2 * s, 3 * s, 3 * s, s}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := ready(t, Options{Limits: tt.limits}, everything)
			p.play(initialized + listenUp(2, lists))
			for i, lived := range tt.lived {
				id := int(p.session.core.last)
				if lived >= 0 {
					p.input("U>", strings.TrimPrefix(ackUp(id, lists), "\nU> "))
					p.now = p.now.Add(lived)
				}
				p.input("U>", strings.TrimPrefix(endUp(id), "\nU> "))
				start := p.now
				p.input("!", "fire listen")
				p.wrote = nil
				if got := p.now.Sub(start); got != tt.want[i] {
					t.Errorf("after loss %d it waits %v, want %v", i+1, got, tt.want[i])
				}
			}
		})
	}
}

func TestT165Jitter(t *testing.T) {
	for _, tt := range []struct {
		name   string
		random io.Reader
		want   time.Duration
	}{
		{"none", nil, time.Second},
		{"the least", bytes.NewReader(make([]byte, 100)), 800 * time.Millisecond},
		{"the middle", strings.NewReader("\x00\x00\x00\x80"), time.Second},
		{"the most", strings.NewReader("\xff\xff\xff\xff"), 1200 * time.Millisecond},
		{"too few bytes", strings.NewReader("\xff\xff\xff"), time.Second},
		{"an error", iotest.ErrReader(errors.New("x")), time.Second},
	} {
		c := &core{options: Options{Rand: tt.random}}
		if got := c.jitter(time.Second).Round(time.Microsecond); got != tt.want {
			t.Errorf("%s: jitter = %v, want %v", tt.name, got, tt.want)
		}
	}
	p := ready(t, Options{Rand: bytes.NewReader(make([]byte, 4))}, everything)
	p.play(active + endUp(2))
	if got, want := p.timers[TimerID{Kind: TimerListen}].At.Sub(p.now), 400*time.Millisecond; got != want {
		t.Errorf("a session waits %v, want %v", got, want)
	}
}

func TestT166(t *testing.T) {
	both := `"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true}`
	filter := func(uris string) string {
		return `{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":[` + uris + `]}`
	}
	all := initialized + subscribe(1, "u:a") + listenUp(2, filter(`"u:a"`))
	changed := changedFront("tools") + changedFront("prompts")
	cases := []listenCase{
		{"after a loss, everything", both, strings.Replace(all, initialized, "", 1) + ackUp(2, filter(`"u:a"`)) + done(1) + endUp(2) +
			fireWait + listenUp(3, filter(`"u:a"`)) + ackUp(3, filter(`"u:a"`)) + changed + updatedFront("u:a"), ""},
		{"not twice", everything, active + endUp(2) + fireWait + listenUp(3, lists) + ackUp(3, lists) + changed + changedFront("resources") + ackUp(3, lists), "T161"},
		{"not with the next stream", everything, active + endUp(2) + fireWait + listenUp(3, lists) + ackUp(3, lists) + changed + changedFront("resources") +
			subscribe(1, "u:a") + takenBack(3) + endUp(3) + listenUp(4, listsA) + ackUp(4, listsA) + done(1), ""},
		{"only what was granted", both, strings.Replace(all, initialized, "", 1) + ackUp(2, filter(`"u:a"`)) + done(1) + endUp(2) +
			fireWait + listenUp(3, filter(`"u:a"`)) + ackUp(3, `{"promptsListChanged":true}`) + changedFront("prompts"), ""},
		{"after two losses, once", everything, active + endUp(2) + fireWait + listenUp(3, lists) + endUp(3) + fireWait + listenUp(4, lists) + ackUp(4, lists) + changed + changedFront("resources"), ""},
		{"the first stream was never there", everything, initialized + listenUp(2, lists) + endUp(2) + fireWait + listenUp(3, lists) + ackUp(3, lists) + changed + changedFront("resources"), ""},
		{"after a refusal and a change", everything, active + failUp(2, -32601) + subscribe(1, "u:a") + listenUp(3, listsA) + ackUp(3, listsA) + done(1) + changed + changedFront("resources"), ""},
		{"not before the answer to a change, and not for a new URI", onlyURIs, watching + endUp(2) + subscribe(2, "u:b") + listenUp(3, uris("ab")) +
			ackUp(3, uris("ab")) + done(2) + updatedFront("u:a"), ""},
		{"not before the last stream of a chain", onlyURIs, watching + endUp(2) + subscribe(2, "u:b") + listenUp(3, uris("ab")) + subscribe(3, "u:c") +
			ackUp(3, uris("ab")) + done(2) + takenBack(3) + endUp(3) + listenUp(4, uris("abc")) + ackUp(4, uris("abc")) + done(3) + updatedFront("u:a") + updatedFront("u:b"), ""},
	}
	playListen(t, Options{}, cases)
	playListen(t, Options{Profile: Profile{AllowSwapGap: true}}, cases)
}

// After a planned swap only URIs of both streams are told of, and only where the
// profile does not let such a gap be.
func TestT166Swap(t *testing.T) {
	swapped := watching + subscribe(2, "u:b") + takenBack(2) + endUp(2) + listenUp(3, uris("ab")) + ackUp(3, uris("ba")) + done(2)
	playListen(t, Options{}, []listenCase{
		{"a URI comes", onlyURIs, swapped + updatedFront("u:a"), ""},
		{"a URI goes", onlyURIs, swapped + updatedFront("u:a") + unsubscribe(3, "u:b") + takenBack(3) + endUp(3) + listenUp(4, uris("a")) + ackUp(4, uris("a")) + done(3) + updatedFront("u:a"), ""},
		{"no list changes", everything, active + subscribe(1, "u:a") + takenBack(2) + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1), ""},
	})
	playListen(t, Options{Profile: Profile{AllowSwapGap: true}}, []listenCase{{"a gap is allowed", onlyURIs, swapped, ""}})
}

// The end of the stream reaches the front as nothing: no cancellation, whose number
// could be that of a request of its own.
//
// req: N06, W04
func TestT168(t *testing.T) {
	same := active + `
		F> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
		U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}`
	answered := `
		U> {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
		F< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`
	for name, end := range map[string]string{
		"result": endUp(2), "cancelled": cancelUp(2), "both": endUp(2) + cancelUp(2), "both, the other way": cancelUp(2) + endUp(2), "neither": "",
	} {
		t.Run(name, func(t *testing.T) {
			p := ready(t, Options{}, everything)
			p.play(same + end + answered)
			checkListener(t, p)
			if lost := p.logged(EventListenLost, "T165"); end != "" && lost != 1 {
				t.Errorf("%d losses, want 1", lost)
			}
		})
	}
	playListen(t, Options{}, []listenCase{
		{"a cancellation of another request", everything, active + "\nF> " + callTool + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}` + cancelUp(3) + `
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`, "T151"},
		{"a cancellation of a string", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"2"}}` + changedUp(2, "tools") + changedFront("tools"), "T151"},
		{"a cancellation of nothing", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/cancelled"}` + changedUp(2, "tools") + changedFront("tools"), "T151"},
		{"a cancellation of two", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"requestId":2}}` + changedUp(2, "tools") + changedFront("tools"), "T151"},
		{"an answer that names a method is none", everything, active + `
			U> {"jsonrpc":"2.0","id":2,"method":"ping"}` + changedUp(2, "tools") + changedFront("tools"), "T7"},
	})
}

// At the end of the input the stream is taken back with everything else.
func TestT169(t *testing.T) {
	waits := initialized + subscribe(1, "u:a") + listenUp(2, uris("a"))
	for _, tt := range []struct {
		name, capabilities, script string
		later                      string // after the upstream's input has ended
	}{
		{"an active stream", everything, active + "\n! end" + takenBack(2), endUp(2) + changedUp(2, "tools")},
		{"one that is not acknowledged", everything, initialized + listenUp(2, lists) + "\n! end" + takenBack(2), ackUp(2, lists)},
		{"one that is lost", everything, active + endUp(2) + "\n! end", ""},
		{"one that was refused", everything, active + failUp(2, -32601) + "\n! end", ""},
		{"one that is drained, and nothing waits", onlyURIs, watching + unsubscribe(2, "u:a") + done(2) + takenBack(2) + "\n! end", endUp(2)},
		{"none", onlyURIs, initialized + "\n! end", ""},
		{"with a call in flight", everything, active + "\nF> " + callTool + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}
			! end` + changedUp(2, "tools") + changedFront("tools") + `
			! fire drain` + takenBack(3) + takenBack(2), endUp(2)},
		{"with a call that is answered", everything, active + "\nF> " + callTool + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}
			! end
			U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}` + takenBack(2), ""},
		{"lost with a call in flight", everything, active + "\nF> " + callTool + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}
			! end` + endUp(2) + `
			! fire drain` + takenBack(3), ""},
		{"with a change that is answered", onlyURIs, waits + "\n! end" + ackUp(2, uris("a")) + done(1) + takenBack(2), ""},
		{"with a change that is not answered", onlyURIs, waits + "\n! end\n! fire drain" + takenBack(2), ackUp(2, uris("a"))},
		{"with a change while the old stream is drained", onlyURIs, watching + subscribe(2, "u:b") + takenBack(2) + "\n! end\n! fire drain", endUp(2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := ready(t, Options{}, tt.capabilities)
			p.play(tt.script)
			if !p.ended {
				t.Error("the upstream's input stays open")
			}
			p.play(tt.later)
			if _, armed := p.timers[TimerID{Kind: TimerListen}]; armed {
				t.Error("the timer runs on")
			}
			p.play(`! lost upstream_exited`)
			if p.session.core.table.used() != 0 {
				t.Errorf("%d slots are left", p.session.core.table.used())
			}
		})
	}
}

// A stream that is lost before or after the end of the input is not waited for.
func TestT169Lost(t *testing.T) {
	const end = "\n! end"
	for _, script := range []string{end + endUp(2), endUp(2) + end} {
		p := ready(t, Options{}, everything)
		p.play(active + "\nF> " + callTool + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}` + script)
		if _, armed := p.timers[TimerID{Kind: TimerListen}]; armed || p.ended {
			t.Errorf("after %s the session waits to open it again: %v; it has ended: %v", script, armed, p.ended)
		}
	}
}

// A change of roots is of no use to an upstream of 2026-07-28 (T147).
//
// req: N05
func TestT147(t *testing.T) {
	playListen(t, Options{}, []listenCase{{"a change of roots", everything, active + `
		F> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}` + changedUp(2, "tools") + changedFront("tools"), "T148"}})
}
