package matrix

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// features are the rows of the matrix, in the order in which a session has them.
var features = slices.Concat([]feature{
	{name: "opening", rows: []string{rowRevision}, has: always, works: opening},
	{name: "ping", rows: []string{rowPing}, has: beforeModern, works: ping},
	{name: "list", rows: []string{rowLists}, has: always, works: lists},
	{name: "call", rows: []string{rowLists}, has: offers("call"), works: call},
	{name: "read", rows: []string{rowLists}, has: ours, works: reads},
	{name: "progress", rows: []string{rowProgress}, has: offers("progress"), works: progress},
	{name: "cancel", rows: []string{rowCancel}, has: offers("cancel"), works: cancel},
	{name: "log", rows: []string{rowLog}, has: offers("log"), works: logs},
}, asking, changing, shaping)

func always(*pair) bool         { return true }
func ours(p *pair) bool         { return p.up.scripted != "" }
func beforeModern(p *pair) bool { return !p.modern() }

// offers reports whether the upstream has a tool for a feature.
func offers(feature string) func(p *pair) bool {
	return func(p *pair) bool { _, ok := p.up.tools[feature]; return ok }
}

// use calls the tool of a feature, and returns the answer if it is a good one.
func (p *pair) use(t *testing.T, feature string) message {
	t.Helper()
	u := p.up.tools[feature]
	m := p.call(u.tool, u.arguments)
	if m.Error != nil || at(m.Result, "isError") == true || !strings.Contains(m.text(), u.want) {
		t.Errorf("call of %s: %s, want %q", u.tool, m.brief(), u.want)
	}
	return m
}

// opening wants the revision that the table promises.
func opening(t *testing.T, p *pair) {
	want := p.front.rev
	if !p.modern() && p.rev != rev20260728 {
		want = p.rev // the answer of the server, whatever it is
	}
	if p.agreed != want || p.offers.Error != nil {
		t.Errorf("opened with %q: %s, want %s", p.agreed, p.offers.brief(), want)
	}
	if p.modern() && at(p.offers.Result, "supportedVersions", 0) != rev20260728 {
		t.Errorf("discovered %s", p.offers.brief())
	}
	if at(p.offers.Result, "capabilities", "tools") == nil {
		t.Errorf("opened with %s, want tools", p.offers.brief())
	}
}

func ping(t *testing.T, p *pair) {
	if m := p.request("ping", nil); m.Error != nil || m.Result == nil {
		t.Errorf("ping: %s", m.brief())
	}
}

func lists(t *testing.T, p *pair) {
	for _, list := range [][2]string{{"tools/list", "tools"}, {"prompts/list", "prompts"}, {"resources/list", "resources"}} {
		if at(p.offers.Result, "capabilities", list[1]) == nil {
			continue
		}
		if m := p.request(list[0], object{}); at(m.Result, list[1], 0, "name") == nil {
			t.Errorf("%s: %s", list[0], m.brief())
		}
	}
}

func call(t *testing.T, p *pair) { p.use(t, "call") }

func reads(t *testing.T, p *pair) {
	if m := p.request("resources/read", object{"uri": resourceURI}); at(m.Result, "contents", 0, "text") != "memo one" {
		t.Errorf("resources/read: %s", m.brief())
	}
	if m := p.request("prompts/get", object{"name": "greet"}); at(m.Result, "messages", 0, "content", "text") != "greetings" {
		t.Errorf("prompts/get: %s", m.brief())
	}
	if at(p.offers.Result, "capabilities", "completions") == nil {
		return // of the first revision, which has the method and not the capability
	}
	m := p.request("completion/complete", object{
		"ref": object{"type": "ref/prompt", "name": "greet"}, "argument": object{"name": "who", "value": "a"},
	})
	if at(m.Result, "completion", "values", 0) != "ada" {
		t.Errorf("completion/complete: %s", m.brief())
	}
}

// progressOf returns the progress that came for a token.
func (p *pair) progressOf(token string) (all []float64) {
	for _, m := range p.notes {
		if m.Method == "notifications/progress" && at(m.Params, "progressToken") == token {
			n, _ := at(m.Params, "progress").(float64)
			all = append(all, n)
		}
	}
	return all
}

func progress(t *testing.T, p *pair) {
	u := p.up.tools["progress"]
	m := p.request("tools/call", object{"name": u.tool, "arguments": orEmpty(u.arguments), "_meta": object{"progressToken": "p-1"}})
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.progressOf("p-1")
	if m.Error != nil || len(got) == 0 || !slices.IsSorted(got) || len(slices.Compact(got)) < 3 {
		t.Errorf("progress %v, then %s; want at least 3 that increase", got, m.brief())
	}
}

// cancel wants a call that has begun to have no answer once it is cancelled, and the server
// to know.
func cancel(t *testing.T, p *pair) {
	u := p.up.tools["cancel"]
	id := p.send("tools/call", object{"name": u.tool, "arguments": orEmpty(u.arguments), "_meta": object{"progressToken": "p-2"}})
	if !p.until(func() bool { return len(p.progressOf("p-2")) > 0 }) {
		t.Fatal("the call has not begun")
	}
	p.tell("notifications/cancelled", object{"requestId": jsonNumber(id), "reason": "the user does not want it"})
	if p.up.scripted != "" {
		p.hears(t, "the end of wait")
	}
	p.use(t, "call")
	p.mu.Lock()
	defer p.mu.Unlock()
	if m, ok := p.answers[id]; ok {
		t.Errorf("a cancelled call is answered: %s", m.brief())
	}
}

// hears waits until the server has heard something.
func (p *pair) hears(t *testing.T, what string) {
	t.Helper()
	for start := time.Now(); time.Since(start) < patience; { // each time around is a request and its answer
		if strings.Contains(p.front.call("heard", nil).text(), what) {
			return
		}
	}
	t.Errorf("the server has not heard %q: %s", what, p.front.call("heard", nil).brief())
}

func logs(t *testing.T, p *pair) {
	if p.modern() {
		p.level = "debug"
		defer func() { p.level = "" }()
	} else if m := p.request("logging/setLevel", object{"level": "debug"}); m.Error != nil {
		t.Errorf("logging/setLevel: %s", m.brief())
	}
	p.use(t, "log")
	if !p.noted("notifications/message") {
		t.Error("no log message came")
	}
}

// orEmpty keeps arguments that are not there from being written as null.
func orEmpty(arguments object) object {
	if arguments == nil {
		return object{}
	}
	return arguments
}

// jsonNumber is an id as it is written.
func jsonNumber(id string) json.RawMessage { return json.RawMessage(id) }
