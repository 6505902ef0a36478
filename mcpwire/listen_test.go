package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// everything are the capabilities of an upstream that has all there is to listen to.
const everything = `"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true}`

// onlyURIs are those of one that has nothing but subscriptions.
const onlyURIs = `"resources":{"subscribe":true}`

// ready returns a player whose upstream has declared these capabilities, and whose
// front has not said that it is initialized.
func ready(t *testing.T, o Options, capabilities string) *player {
	t.Helper()
	p := newPlayer(t, o)
	p.play(strings.Split(handshake, "U> ")[0])
	p.input("U>", p.on(1)+`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{`+capabilities+`}}}`)
	p.wrote, p.log = nil, nil
	return p
}

const initialized = `
	F> {"jsonrpc":"2.0","method":"notifications/initialized"}`

// Parts of scripts. An id is that of a request upstream.

func listenUp(id int, filter string) string {
	return fmt.Sprintf("\nU< "+`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":%s,META}}`, id, filter)
}

func ackUp(id int, filter string) string {
	return fmt.Sprintf("\nU> "+`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"notifications":%s}}`, id, filter)
}

func endUp(id int) string {
	return fmt.Sprintf("\nU> "+`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%[1]d}}}`, id)
}

func cancelUp(id int) string {
	return fmt.Sprintf("\nU> "+`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

func failUp(id, code int) string {
	return fmt.Sprintf("\nU> "+`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"x"}}`, id, code)
}

func takenBack(id int) string {
	return fmt.Sprintf("\nX< "+`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

func changedUp(id int, what string) string {
	return fmt.Sprintf("\nU> "+`{"jsonrpc":"2.0","method":"notifications/%s/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, what, id)
}

func updatedUp(id int, uri string) string {
	return fmt.Sprintf("\nU> "+`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"%s","_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, uri, id)
}

func changedFront(what string) string {
	return "\nF< " + `{"jsonrpc":"2.0","method":"notifications/` + what + `/list_changed"}`
}

func updatedFront(uri string) string {
	return "\nF< " + `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"}}`
}

func subscribe(id int, uri string) string {
	return fmt.Sprintf("\nF> "+`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"%s"}}`, id, uri)
}

func unsubscribe(id int, uri string) string {
	return fmt.Sprintf("\nF> "+`{"jsonrpc":"2.0","id":%d,"method":"resources/unsubscribe","params":{"uri":"%s"}}`, id, uri)
}

func done(id int) string { return fmt.Sprintf("\nF< "+`{"jsonrpc":"2.0","id":%d,"result":{}}`, id) }

func cancelFront(id int) string {
	return fmt.Sprintf("\nF> "+`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

func failed(id int, c Cause) string {
	return fmt.Sprintf("\nF< "+`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"%s","data":{"cause":"%s"}}}`, id, c.Code(), c.Text(), c)
}

const (
	lists    = `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}`
	listsA   = `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["u:a"]}`
	fireWait = "\n! fire listen"
)

// uris returns a filter with these URIs, each a letter.
func uris(letters string) string {
	var all []string
	for _, c := range letters {
		all = append(all, fmt.Sprintf(`"u:%c"`, c))
	}
	return `{"resourceSubscriptions":[` + strings.Join(all, ",") + `]}`
}

// watching is a session that is subscribed to u:a by the stream 2.
var watching = initialized + subscribe(1, "u:a") + listenUp(2, uris("a")) + ackUp(2, uris("a")) + done(1)

// active is a session that listens for list changes by the stream 2.
var active = initialized + listenUp(2, lists) + ackUp(2, lists)

// checkListener checks what must be true of a listener between any two inputs.
func checkListener(t testing.TB, p *player) {
	t.Helper()
	l, waits := p.session.core.listen, 0
	p.session.core.table.each(func(s *slot) {
		if s.phase == phaseSubscribing && !s.quiet {
			waits++
		}
	})
	if waits != len(l.changes) {
		t.Errorf("%d slots wait for a stream, the listener knows %d", waits, len(l.changes))
	}
	_, armed := p.timers[TimerID{Kind: TimerListen}]
	if want := l.stage == stageOpening || l.stage == stageDraining || l.stage == stageWaiting; armed != want {
		t.Errorf("in stage %d the timer runs: %v, want %v", l.stage, armed, want)
	}
	if len(l.changes) > 0 && l.stage != stageOpening && l.stage != stageDraining {
		t.Errorf("in stage %d, %d changes wait for nothing", l.stage, len(l.changes))
	}
}

// A listenCase is a script against an upstream with these capabilities.
type listenCase struct {
	name, capabilities, script string
	dropped                    string // a rule by which one thing was dropped
}

func playListen(t *testing.T, o Options, cases []listenCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			p := ready(t, o, tt.capabilities)
			p.play(tt.script)
			checkListener(t, p)
			if tt.dropped != "" && p.logged(EventDropped, tt.dropped) != 1 {
				t.Errorf("the log has %d events of rule %s, want 1: %+v", p.logged(EventDropped, tt.dropped), tt.dropped, p.log)
			}
		})
	}
}

// req: N01
func TestT160(t *testing.T) {
	playListen(t, Options{}, []listenCase{
		{"everything", everything, initialized + listenUp(2, lists), ""},
		{"only tools", `"tools":{"listChanged":true}`, initialized + listenUp(2, `{"toolsListChanged":true}`), ""},
		{"only prompts", `"prompts":{"listChanged":true}`, initialized + listenUp(2, `{"promptsListChanged":true}`), ""},
		{"only resources", `"resources":{"listChanged":true}`, initialized + listenUp(2, `{"resourcesListChanged":true}`), ""},
		{"nothing", `"tools":{},"logging":{}`, initialized, ""},
		{"nothing but subscriptions waits for one", onlyURIs, initialized + subscribe(1, "u:a") + listenUp(2, uris("a")), ""},
		{"not before the front is initialized", everything, `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}` + initialized + listenUp(3, lists), ""},
		{"once", everything, active + initialized, ""},
		{"not from an upstream that is lost", everything, "\n! lost upstream_exited" + initialized, ""},
		{"unless the front subscribes before that", everything, subscribe(1, "u:a") + listenUp(2, listsA) + initialized + ackUp(2, listsA) + done(1), ""},
		{"a level of the log does not go with it", everything + `,"logging":{}`, `
			F> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}` + done(1) + initialized + listenUp(2, lists), ""},
		{"the acknowledgement is not passed on, and limits no request", everything, active + `
			F> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}
			U> {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
			F< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`, ""},
	})
}

// req: N01, W04
func TestT161(t *testing.T) {
	const id = `"io.modelcontextprotocol/subscriptionId"`
	playListen(t, Options{}, []listenCase{
		{"tools", everything, active + changedUp(2, "tools") + changedFront("tools"), ""},
		{"prompts", everything, active + changedUp(2, "prompts") + changedFront("prompts"), ""},
		{"resources", everything, active + changedUp(2, "resources") + changedFront("resources"), ""},
		{"updated", onlyURIs, watching + updatedUp(2, "u:a") + updatedFront("u:a"), ""},
		{"updated below a subscribed URI", onlyURIs, watching + updatedUp(2, "u:a/b") + updatedFront("u:a/b"), ""},
		{"updated as it was written", onlyURIs, watching + updatedUp(2, `\u0075:\/\/é`) + updatedFront(`\u0075:\/\/é`), ""},
		{"what else stands in _meta", everything, active + `
			U> {"params":{"_meta":{"com.acme/k":1.0,` + id + `:2,"progressToken":1}},"method":"notifications/tools/list_changed","jsonrpc":"2.0"}
			F< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"com.acme/k":1.0}}}`, ""},
		{"no other member", onlyURIs, watching + `
			U> {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"title":"x","uri":"u:a","_meta":{` + id + `:2,"k":1}}}
			F< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u:a","_meta":{"k":1}}}`, ""},
		{"before initialized", everything, changedUp(2, "tools"), "T161"},
		{"before the acknowledgement", everything, initialized + listenUp(2, lists) + changedUp(2, "tools"), "T164"},
		{"of another stream", everything, active + changedUp(3, "tools"), "T161"},
		{"of a string id", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{` + id + `:"2"}}}`, "T161"},
		{"of a fraction", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{` + id + `:2.5}}}`, "T161"},
		{"of two ids", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{` + id + `:2,` + id + `:2}}}`, "T161"},
		{"without an id", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "T161"},
		{"of a kind that was not granted", everything, initialized + listenUp(2, lists) + ackUp(2, `{"toolsListChanged":true}`) +
			changedUp(2, "prompts") + changedUp(2, "tools") + changedFront("tools"), "T161"},
		{"updated, and no URI was granted", everything, active + updatedUp(2, "u:a"), "T161"},
		{"updated without a URI", onlyURIs, watching + `
			U> {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{` + id + `:2}}}`, "T161"},
		{"updated with half a character", onlyURIs, watching + updatedUp(2, `\ud800`), "T161"},
		{"the tasks of an extension", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/tasks","params":{"_meta":{` + id + `:2}}}`, "T145"},
		{"a message on the stream", everything + `,"logging":{}`, active + `
			F> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}` + done(1) + `
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1,"_meta":{` + id + `:2}}}`, "T145"},
		{"progress on the stream", everything, active + `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"k"}}}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",` + meta + `,"progressToken":3}}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1,"_meta":{` + id + `:2}}}`, "T145"},
		{"progress for the stream", everything, active + `
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`, "T140"},
	})
}

// A storm of events passes whole, and leaves nothing behind.
func TestT161Storm(t *testing.T) {
	p := ready(t, Options{}, everything)
	p.play(active)
	event := strings.TrimPrefix(changedUp(2, "tools"), "\nU> ")
	for range 10_000 {
		p.input("U>", event)
		p.play(changedFront("tools"))
	}
	if p.session.core.table.used() != 0 || len(p.timers) != 0 || len(p.log) != 0 {
		t.Errorf("%d slots, %d timers, %d log events are left", p.session.core.table.used(), len(p.timers), len(p.log))
	}
}

// An event that the upstream wrote before an answer reaches the front before it.
func TestT167(t *testing.T) {
	p := ready(t, Options{}, everything)
	p.play(active + `
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",META}}` +
		changedUp(2, "tools") + changedFront("tools") + `
		U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
}

func TestT164(t *testing.T) {
	opening := initialized + listenUp(2, lists)
	playListen(t, Options{}, []listenCase{
		{"a second one changes nothing", everything, active + ackUp(2, `{}`) + changedUp(2, "tools") + changedFront("tools"), "T161"},
		{"of another stream", everything, opening + ackUp(3, lists), "T161"},
		{"of a string id", everything, opening + `
			U> {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"2"},"notifications":` + lists + `}}`, "T161"},
		{"without a filter", everything, opening + ackUp(2, `null`), "T164"},
		{"a filter twice", everything, opening + `
			U> {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{},"notifications":` + lists + `}}`, "T164"},
		{"a flag twice", everything, opening + ackUp(2, `{"toolsListChanged":true,"toolsListChanged":true}`), "T164"},
		{"a broken one, then a whole one", everything, opening + ackUp(2, `[]`) + ackUp(2, lists) + changedUp(2, "tools") + changedFront("tools"), "T164"},
		{"kinds that nobody asked for", `"tools":{"listChanged":true}`, initialized + listenUp(2, `{"toolsListChanged":true}`) +
			ackUp(2, `{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["u:a"],"taskIds":["t"]}`) +
			changedUp(2, "prompts"), "T161"},
		{"URIs that nobody asked for", `"tools":{"listChanged":true},` + onlyURIs, initialized + listenUp(2, `{"toolsListChanged":true}`) +
			ackUp(2, `{"toolsListChanged":true,"resourceSubscriptions":["u:a"]}`) + updatedUp(2, "u:a"), "T161"},
		{"a flag that is no literal true", everything, opening + ackUp(2, `{"toolsListChanged":1,"promptsListChanged":true}`) + changedUp(2, "tools"), "T161"},
		{"nothing granted, the stream ends, no new one", everything, opening + ackUp(2, `{}`) + endUp(2), ""},
		{"nothing granted, the stream is cancelled", everything, opening + ackUp(2, `{}`) + cancelUp(2), ""},
		{"nothing granted, an error ends it", everything, opening + ackUp(2, `{"toolsListChanged":false}`) + failUp(2, -32603), ""},
		{"nothing granted, then a change of the front", everything, opening + ackUp(2, `{}`) + endUp(2) +
			subscribe(1, "u:a") + listenUp(3, listsA) + ackUp(3, listsA) + done(1), ""},
		{"nothing granted, then a change while the stream is there", everything, opening + ackUp(2, `{}`) +
			subscribe(1, "u:a") + takenBack(2) + endUp(2) + listenUp(3, listsA) + ackUp(3, listsA) + done(1), ""},
		{"events of an idle stream", everything, opening + ackUp(2, `{}`) + changedUp(2, "tools"), "T161"},
	})
}

// Less than was asked for is worth a line.
func TestT164Narrowed(t *testing.T) {
	for _, tt := range []struct {
		filter string
		want   int
	}{{lists, 0}, {`{"toolsListChanged":true}`, 2}, {`{}`, 3}} {
		p := ready(t, Options{}, everything)
		p.play(initialized + listenUp(2, lists) + ackUp(2, tt.filter))
		if got := p.logged(EventNarrowed, "T164"); got != tt.want {
			t.Errorf("after %s, %d kinds are missing, want %d", tt.filter, got, tt.want)
		}
	}
}

// The acknowledgement may take as long as the limit says.
func TestT164Limit(t *testing.T) {
	for _, tt := range []struct {
		limits Limits
		want   time.Duration
	}{{Limits{}, 30 * time.Second}, {Limits{Listen: time.Second}, time.Second}} {
		p := ready(t, Options{Limits: tt.limits}, everything)
		start := p.now
		p.play(initialized + listenUp(2, lists) + fireWait + takenBack(2))
		if got := p.now.Sub(start); got != tt.want {
			t.Errorf("the stream is given up after %v, want %v", got, tt.want)
		}
		p.play(ackUp(2, lists) + changedUp(2, "tools") + endUp(2) + fireWait + listenUp(3, lists)) // late, and dropped
		checkListener(t, p)
	}
}
