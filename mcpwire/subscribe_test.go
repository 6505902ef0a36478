package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// req: N01, N02
func TestT162(t *testing.T) {
	opening := initialized + subscribe(1, "u:a") + listenUp(2, uris("a"))
	playListen(t, Options{}, []listenCase{
		{"granted", onlyURIs, watching, ""},
		{"granted under another spelling", onlyURIs, opening + ackUp(2, `{"resourceSubscriptions":["\u0075:a"]}`) + done(1), ""},
		{"not granted", onlyURIs, opening + ackUp(2, uris("b")) + failed(1, CauseSubscriptionRefused), ""},
		{"not granted, and not asked for again", onlyURIs, opening + ackUp(2, uris("")) + failed(1, CauseSubscriptionRefused) +
			subscribe(2, "u:b") + takenBack(2) + endUp(2) + listenUp(3, uris("b")) + ackUp(3, uris("b")) + done(2), ""},
		{"a list of URIs that is none", onlyURIs, opening + ackUp(2, `{"resourceSubscriptions":"u:a"}`) + failed(1, CauseSubscriptionRefused), ""},
		{"a list of other things", onlyURIs, opening + ackUp(2, `{"resourceSubscriptions":[null,["u:a"],{"u:a":1},"u:a"]}`) + done(1), ""},
		{"the stream ends before that", onlyURIs, opening + endUp(2) + failed(1, CauseSubscriptionRefused), ""},
		{"the stream is cancelled before that", onlyURIs, opening + cancelUp(2) + failed(1, CauseSubscriptionRefused), ""},
		{"an error comes instead", onlyURIs, opening + failUp(2, -32603) + failed(1, CauseSubscriptionRefused), ""},
		{"a line comes that is none", onlyURIs, opening + "\nU> " + `{"jsonrpc":"2.0","id":2,"result":{}` + failed(1, CauseSubscriptionRefused), "T1"},
		{"nothing comes", onlyURIs, opening + fireWait + failed(1, CauseTimeout) + takenBack(2), ""},
		{"it is subscribed", onlyURIs, watching + subscribe(2, "u:a") + done(2), ""},
		{"it was never subscribed", onlyURIs, initialized + unsubscribe(1, "u:a") + done(1), ""},
		{"the last one goes", onlyURIs, watching + unsubscribe(2, "u:a") + done(2) + takenBack(2) + updatedUp(2, "u:a") + endUp(2), "T161"},
		{"the last one goes, and its end never comes", onlyURIs, watching + unsubscribe(2, "u:a") + done(2) + takenBack(2) + fireWait, ""},
		{"the last one goes, and comes again in one write", onlyURIs, watching + unsubscribe(2, "u:a") + done(2) + takenBack(2) +
			subscribe(3, "u:a") + endUp(2) + listenUp(3, uris("a")) + ackUp(3, uris("a")) + done(3), ""},
		{"one of two goes", onlyURIs, watching + subscribe(2, "u:b") + takenBack(2) + endUp(2) + listenUp(3, uris("ab")) + ackUp(3, uris("ab")) + done(2) + updatedFront("u:a") +
			unsubscribe(3, "u:a") + takenBack(3) + endUp(3) + listenUp(4, uris("b")) + ackUp(4, uris("b")) + done(3) + updatedFront("u:b"), ""},
		{"subscribe and unsubscribe in one write, before there was a stream", onlyURIs, opening +
			unsubscribe(2, "u:a") + ackUp(2, uris("a")) + done(1) + done(2) + takenBack(2), ""},
		{"subscribe and unsubscribe in one write, while there is a stream", onlyURIs, watching +
			subscribe(2, "u:b") + takenBack(2) + unsubscribe(3, "u:b") + endUp(2) + listenUp(3, uris("a")) + ackUp(3, uris("a")) + done(2) + done(3) + updatedFront("u:a"), ""},
		{"unsubscribe and subscribe in one write, while there is a stream", everything, initialized + listenUp(2, lists) + ackUp(2, lists) +
			subscribe(1, "u:a") + takenBack(2) + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1) +
			unsubscribe(2, "u:a") + takenBack(3) + subscribe(3, "u:a") + endUp(3) + listenUp(4, listsA) + ackUp(4, listsA) + done(2) + done(3) + updatedFront("u:a"), ""},
		{"unsubscribe and subscribe, and then it is refused", everything, initialized + listenUp(2, lists) + ackUp(2, lists) +
			subscribe(1, "u:a") + takenBack(2) + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1) +
			unsubscribe(2, "u:a") + takenBack(3) + subscribe(3, "u:a") + endUp(3) + listenUp(4, listsA) + ackUp(4, lists) + done(2) + failed(3, CauseSubscriptionRefused), ""},
		{"many in one write are one stream", onlyURIs, watching +
			subscribe(2, "u:b") + takenBack(2) + subscribe(3, "u:c") + unsubscribe(4, "u:a") + endUp(2) + listenUp(3, uris("bc")) +
			ackUp(3, uris("cb")) + done(2) + done(3) + done(4), ""},
		{"some granted, some not", onlyURIs, watching +
			subscribe(2, "u:b") + takenBack(2) + subscribe(3, "u:c") + endUp(2) + listenUp(3, uris("abc")) +
			ackUp(3, uris("ac")) + failed(2, CauseSubscriptionRefused) + done(3) + updatedFront("u:a"), ""},
		{"what comes while an acknowledgement is awaited goes into the next one", onlyURIs, opening +
			subscribe(2, "u:b") + subscribe(3, "u:c") + ackUp(2, uris("a")) + done(1) + takenBack(2) + endUp(2) +
			listenUp(3, uris("abc")) + ackUp(3, uris("abc")) + done(2) + done(3) + updatedFront("u:a"), ""},
		{"unsubscribe while it is awaited, and then it is refused", onlyURIs, opening +
			unsubscribe(2, "u:a") + ackUp(2, uris("")) + failed(1, CauseSubscriptionRefused) + done(2), ""},
		{"the same again while it is awaited joins it", onlyURIs, opening +
			subscribe(2, "u:a") + ackUp(2, uris("a")) + done(1) + done(2), ""},
		{"the same again while it is awaited is refused with it", onlyURIs, opening +
			subscribe(2, "u:a") + ackUp(2, uris("")) + failed(1, CauseSubscriptionRefused) + failed(2, CauseSubscriptionRefused), ""},
		{"a URI that is held stays asked for although it is not granted any more", onlyURIs, watching +
			subscribe(2, "u:b") + takenBack(2) + endUp(2) + listenUp(3, uris("ab")) + ackUp(3, uris("b")) + done(2) +
			subscribe(3, "u:c") + takenBack(3) + endUp(3) + listenUp(4, uris("abc")) + ackUp(4, uris("abc")) + done(3) + updatedFront("u:a") + updatedFront("u:b"), ""},
		{"a URI that needs escapes", onlyURIs, initialized + `
			F> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"u:\"\u0001é"}}` +
			listenUp(2, `{"resourceSubscriptions":["u:\"\u0001é"]}`) + ackUp(2, `{"resourceSubscriptions":["u:\"\u0001é"]}`) + done(1), ""},
		{"an id in flight", onlyURIs, opening + `
			F> {"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{"uri":"u:a"}}
			F< {"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`, ""},
		{"no URI", onlyURIs, initialized + `
			F> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":1}}` + failed(1, CauseInvalidParams), ""},
		{"not declared", `"resources":{"listChanged":true}`, subscribe(1, "u:a") + failed(1, CauseMethodNotFound) + unsubscribe(2, "u:a") + failed(2, CauseMethodNotFound), ""},
		{"the upstream is lost while it is awaited", onlyURIs, opening + subscribe(2, "u:b") + `
			! lost upstream_exited` + failed(1, CauseUpstreamExited) + failed(2, CauseUpstreamExited) + subscribe(3, "u:a") + failed(3, CauseUpstreamExited), ""},
		{"after the upstream was lost nothing is subscribed", onlyURIs, watching + `
			! lost upstream_exited` + subscribe(2, "u:a") + failed(2, CauseUpstreamExited), ""},
	})
}

// What the front has cancelled is not answered, and has no effect (T150).
func TestT150Subscribe(t *testing.T) {
	opening := initialized + subscribe(1, "u:a") + listenUp(2, uris("a"))
	playListen(t, Options{}, []listenCase{
		{"while the acknowledgement is awaited", onlyURIs, opening + cancelFront(1) + ackUp(2, uris("a")) + takenBack(2), ""},
		{"and the stream is refused", onlyURIs, opening + cancelFront(1) + failUp(2, -32601), ""},
		{"and another one has joined it", onlyURIs, opening + subscribe(2, "u:a") + cancelFront(1) + ackUp(2, uris("a")) + done(2) + updatedUp(2, "u:a") + updatedFront("u:a"), ""},
		{"while the old stream is drained", everything, active + subscribe(1, "u:a") + takenBack(2) + cancelFront(1) + endUp(2) + listenUp(3, lists), ""},
		{"while the old stream is drained, so that nothing is left", onlyURIs, watching + subscribe(2, "u:b") + takenBack(2) + unsubscribe(3, "u:a") + cancelFront(2) + done(3) + endUp(2), ""},
		{"while it waits for the next stream", onlyURIs, opening + subscribe(2, "u:b") + cancelFront(2) + ackUp(2, uris("a")) + done(1), ""},
		{"to unsubscribe", onlyURIs, watching + subscribe(2, "u:b") + takenBack(2) + unsubscribe(3, "u:a") + endUp(2) + listenUp(3, uris("b")) +
			cancelFront(3) + ackUp(3, uris("b")) + done(2) + takenBack(3) + endUp(3) + listenUp(4, uris("ab")) + ackUp(4, uris("ab")) + updatedFront("u:a") + updatedFront("u:b"), ""},
		{"the one that has overtaken another", onlyURIs, watching + subscribe(2, "u:b") + takenBack(2) + unsubscribe(3, "u:b") + endUp(2) + listenUp(3, uris("a")) +
			cancelFront(3) + ackUp(3, uris("a")) + takenBack(3) + endUp(3) + listenUp(4, uris("ab")) + ackUp(4, uris("ab")) + done(2) + updatedFront("u:a"), ""},
		{"after it was answered", onlyURIs, watching + cancelFront(1), "T150"},
		{"and asked for again under the same id", onlyURIs, opening + cancelFront(1) + subscribe(1, "u:a") + ackUp(2, uris("a")) + done(1), ""},
	})
}

// req: N02
func TestT163(t *testing.T) {
	swap := active + subscribe(1, "u:a") + takenBack(2)
	playListen(t, Options{}, []listenCase{
		{"the end of the old stream opens the new one", everything, swap + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1), ""},
		{"its cancellation too", everything, swap + cancelUp(2) + listenUp(3, listsA) + endUp(2) + ackUp(3, listsA) + done(1), "T8"},
		{"or an error", everything, swap + failUp(2, -32601) + listenUp(3, listsA) + ackUp(3, listsA) + done(1), ""},
		{"or a line that is none", everything, swap + "\nU> " + `{"jsonrpc":"2.0","id":2,"result":` + listenUp(3, listsA), ""},
		{"or the limit", everything, swap + fireWait + listenUp(3, listsA) + endUp(2) + ackUp(3, listsA) + done(1), "T8"},
		{"events of the old stream", everything, swap + changedUp(2, "tools") + endUp(2) + listenUp(3, listsA), "T161"},
		{"events of the old stream, after the new one is asked for", everything, swap + fireWait + listenUp(3, listsA) + changedUp(2, "tools"), "T161"},
		{"events of the old stream, after the new one is there", everything, swap + fireWait + listenUp(3, listsA) + ackUp(3, listsA) + done(1) + changedUp(2, "tools"), "T161"},
		{"events of the new stream before its acknowledgement", everything, swap + endUp(2) + listenUp(3, listsA) + changedUp(3, "tools") + ackUp(3, listsA) + done(1), "T164"},
		{"events of the new stream after the answer", everything, swap + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1) + changedUp(3, "tools") + changedFront("tools"), ""},
		{"an old stream that is acknowledged late", everything, initialized + listenUp(2, lists) + fireWait + takenBack(2) + subscribe(1, "u:a") + ackUp(2, lists) +
			changedUp(2, "tools") + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1) + changedFront("tools") + changedFront("prompts") + changedFront("resources"), ""},
		{"an old stream that is acknowledged again", everything, swap + fireWait + listenUp(3, listsA) + ackUp(2, lists) + changedUp(2, "tools") + ackUp(3, listsA) + done(1), ""},
		{"an old stream that ends twice", everything, swap + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1) + endUp(2) + cancelUp(2) + changedUp(3, "tools") + changedFront("tools"), "T8"},
	})
}

// The old stream is drained as long as the limit says, and no longer than it takes.
func TestT163Drain(t *testing.T) {
	for _, tt := range []struct {
		limits Limits
		want   time.Duration
	}{{Limits{}, 250 * time.Millisecond}, {Limits{ListenDrain: time.Second}, time.Second}} {
		p := ready(t, Options{Limits: tt.limits}, everything)
		p.play(active)
		start := p.now
		p.play(subscribe(1, "u:a") + takenBack(2) + "\n! wait 10ms" + subscribe(2, "u:b") + fireWait +
			listenUp(3, strings.Replace(listsA, `]`, `,"u:b"]`, 1)))
		if got := p.now.Sub(start); got != tt.want {
			t.Errorf("the new stream is asked for after %v, want %v", got, tt.want)
		}
	}
}

// The answer to a change comes with the acknowledgement, the limit of which is the
// only one of the change.
func TestT162Timeout(t *testing.T) {
	p := ready(t, Options{}, onlyURIs)
	p.play(watching)
	start := p.now
	p.play(subscribe(2, "u:b") + takenBack(2) + unsubscribe(3, "u:a") + endUp(2) + listenUp(3, uris("b")) +
		fireWait + failed(2, CauseTimeout) + failed(3, CauseTimeout) + takenBack(3))
	if got, want := p.now.Sub(start), 30*time.Second; got != want {
		t.Errorf("the changes fail after %v, want %v", got, want)
	}
	p.play(endUp(3) + fireWait + listenUp(4, uris("a")) + ackUp(4, uris("a")) + updatedFront("u:a")) // as it was before
	checkListener(t, p)
}

// No more URIs can be subscribed to than the limit says, whichever way they come.
//
// req: N01
func TestURILimit(t *testing.T) {
	const n = 1000
	p := ready(t, Options{}, onlyURIs)
	p.play(initialized)
	want := map[string]bool{}
	for i := range n + 1 {
		uri := fmt.Sprintf("u:%d", i)
		p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"%s"}}`, i, uri))
		if i == n {
			p.want(strings.TrimPrefix(failed(n, CauseBusy), "\n"))
			break
		}
		want[uri] = true
		p.acknowledge()
		p.want(strings.TrimPrefix(done(i), "\n"))
		p.wrote = nil
	}
	p.play(subscribe(n, "u:1") + done(n)) // it is there already
	p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/unsubscribe","params":{"uri":"u:1"}}`, n))
	p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"u:x"}}`, n+1))
	p.acknowledge()
	p.want(strings.TrimPrefix(done(n), "\n"))
	p.want(strings.TrimPrefix(done(n+1), "\n"))
	checkListener(t, p)
}

// acknowledge drains the old stream if there is one, and acknowledges the new one
// with all that it asks for. What was written before the acknowledgement is
// forgotten.
func (p *player) acknowledge() {
	p.t.Helper()
	l := p.session.core.listen
	if l.stage == stageDraining {
		p.input("U>", strings.TrimPrefix(endUp(int(l.stream)), "\nU> "))
	}
	var asked []string
	for _, w := range l.watches {
		if w.inFilter {
			asked = append(asked, `"`+w.uri+`"`)
		}
	}
	p.wrote = nil
	p.input("U>", strings.TrimPrefix(ackUp(int(l.stream), `{"resourceSubscriptions":[`+strings.Join(asked, ",")+`]}`), "\nU> "))
}

// The limits of subscriptions hold where they are set to.
//
// req: N01
func TestURILimitsThatAreSet(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits Limits
		most   int
	}{
		{"URIs", Limits{URIs: 3}, 3},
		{"a byte too few", Limits{URIBytes: 3*2*len("u:a") - 1}, 2},
		{"bytes of URIs", Limits{URIBytes: 3 * 2 * len("u:a")}, 3},
		{"a byte more", Limits{URIBytes: 3*2*len("u:a") + 1}, 3},
	} {
		for _, count := range []int{2, 3, 4} {
			p := ready(t, Options{Limits: tt.limits}, onlyURIs)
			p.play(initialized)
			for i := range count {
				p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"u:%c"}}`, i, 'a'+i))
			}
			if got, want := strings.Count(strings.Join(p.wrote, ""), string(CauseBusy)), max(count-tt.most, 0); got != want {
				t.Errorf("%s: of %d subscriptions %d are refused, want %d", tt.name, count, got, want)
			}
		}
	}
}

// A change has no id upstream, so nothing that the upstream says can mean it.
func TestT5Subscribe(t *testing.T) {
	p := ready(t, Options{}, onlyURIs)
	p.play(initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) + `
		U> {"jsonrpc":"2.0","id":0,"result":{}}
		U> {"jsonrpc":"2.0","id":0,"result":
		U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1}}`)
	if s := p.session.core.table.ofUpstream(0); s != nil {
		t.Errorf("the id 0 upstream is that of a change: %+v", s.method)
	}
	checkListener(t, p)
}

// What is asked for already needs no room.
func TestURILimitTwice(t *testing.T) {
	playListen(t, Options{Limits: Limits{URIs: 1}}, []listenCase{{"twice in one write", onlyURIs, initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) +
		subscribe(2, "u:a") + subscribe(3, "u:b") + failed(3, CauseBusy) + ackUp(2, uris("a")) + done(1) + done(2), ""}})
}

// Changes count as requests in flight.
func TestT9Subscribe(t *testing.T) {
	for _, count := range []int{2, 3, 4} {
		p := ready(t, Options{Limits: Limits{InFlight: 3}}, onlyURIs)
		p.play(initialized)
		for i := range count {
			p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"u:%c"}}`, i, 'a'+i))
		}
		if got, want := strings.Count(strings.Join(p.wrote, ""), string(CauseBusy)), max(count-3, 0); got != want {
			t.Errorf("of %d changes %d are refused, want %d", count, got, want)
		}
		checkListener(t, p)
	}
}

// The editor subscribes under a form of its own of a listed URI, and recognizes an
// update only under that form.
//
// req: W21
func TestW21Subscribe(t *testing.T) {
	p := ready(t, Options{Profile: VSCode}, onlyURIs)
	p.play(initialized + `
		F> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{META}}
		U> {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"ui://w/a%2Fb","name":"x"}]}}
		F< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"ui://w/a%2Fb","name":"x"}]}}` +
		subscribe(2, "ui://w/a/b") + listenUp(3, `{"resourceSubscriptions":["ui://w/a%2Fb"]}`) + ackUp(3, `{"resourceSubscriptions":["ui://w/a%2Fb"]}`) + done(2) +
		updatedUp(3, "ui://w/a%2Fb") + updatedFront("ui://w/a/b") +
		updatedUp(3, "ui://w/a%2Fb/c") + updatedFront("ui://w/a%2Fb/c") +
		subscribe(3, "ui://w/a%2Fb") + done(3) +
		endUp(3) + fireWait + listenUp(4, `{"resourceSubscriptions":["ui://w/a%2Fb"]}`) + ackUp(4, `{"resourceSubscriptions":["ui://w/a%2Fb"]}`) + updatedFront("ui://w/a/b") +
		unsubscribe(4, "ui://w/a/b") + done(4) + takenBack(4))
	again := ready(t, Options{Profile: VSCode}, onlyURIs)
	listed := &again.session.core.listed
	listed.add(&resourceURI{uri: "u:l", forms: []string{"u:f"}}, &again.session.core.options.Limits)
	again.play(initialized + subscribe(1, "u:l") + listenUp(2, uris("l")) + unsubscribe(2, "u:l") + subscribe(3, "u:f") + ackUp(2, uris("l")) +
		done(1) + done(2) + done(3) + updatedUp(2, "u:l") + updatedFront("u:f")) // the last name counts
	listed.add(&resourceURI{uri: "u:m", forms: []string{"u:f"}}, &again.session.core.options.Limits)
	again.play(unsubscribe(4, "u:f") + done(4) + takenBack(2)) // the name still means the same
	strict := ready(t, Options{}, onlyURIs)
	strict.session.core.listed.add(&resourceURI{uri: "ui://w/a%2Fb", forms: []string{"ui://w/a/b"}}, &strict.session.core.options.Limits)
	strict.play(initialized + subscribe(2, "ui://w/a/b") + listenUp(2, `{"resourceSubscriptions":["ui://w/a/b"]}`))
}
