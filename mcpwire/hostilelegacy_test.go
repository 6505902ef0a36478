package mcpwire

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A server of an older revision that keeps to nothing and a client with moods of its own
// play sessions, as in TestHostileSession. What must hold: each request of the front is
// answered once at most, and at the end of the server exactly once unless it was
// cancelled; ids upstream and of questions are never used twice; what the server asked is
// answered once at most; only questions are cancelled at the front; and nothing is left.
func TestHostileLegacySession(t *testing.T) { playHostileLegacy(t, Stdio) }

// The same over HTTP, where sessions are forgotten.
func TestHostileLegacySessionOverHTTP(t *testing.T) { playHostileLegacy(t, HTTP) }

func playHostileLegacy(t *testing.T, transport Transport) {
	var sum legacyTally
	for i := range uint64(*hostileSessions) {
		seed := *hostileSeed + i
		if newHostileLegacy(t, seed, transport).play(&sum); t.Failed() {
			t.Fatalf("play it again: go test ./mcpwire -run '^%s$' -v -hostile 1 -hostile.seed %d", t.Name(), seed)
		}
	}
	t.Logf("%+v", sum)
	if n := *hostileSessions; n >= 100 && min(sum.opened, sum.answered, sum.asked, sum.replied, sum.withdrawn, sum.progress, sum.cancelled) < n/20 {
		t.Errorf("the sessions reach too little: %+v", sum)
	}
	if *hostileSessions >= 100 && transport == HTTP && sum.reopened == 0 {
		t.Error("no session was opened anew")
	}
}

// A legacyTally counts what sessions have reached.
type legacyTally struct {
	opened, answered, asked, replied, withdrawn, progress, cancelled, reopened, arrays int
}

type hostileLegacy struct {
	*player
	maker  maker
	script []string
	spoken string // the revision
	sides  []Side // of the shapes that are held

	made    int
	open    map[string]bool // raw ids of the front's requests
	newest  uint64          // id upstream
	running []uint64        // requests upstream that were not answered
	asks    map[string]bool // ids of questions that are open
	lastAsk int
	theirs  map[string]int // raw ids of the server's requests that are open, and how often each is
	tally   *legacyTally
}

func newHostileLegacy(t *testing.T, seed uint64, transport Transport) *hostileLegacy {
	g := maker{rand.New(rand.NewPCG(seed, 1)), 100}
	g.wild = [...]int{5, 20, 100, 300}[g.IntN(4)]
	o := Options{Transport: transport, Eras: []Eras{AnyEra, LegacyEra}[g.IntN(2)], Remote: g.in(20), SampleAnytime: g.in(30), Rand: zeros{}}
	if g.in(50) {
		o.Profile = VSCode
	}
	if g.in(40) {
		o.Limits = Limits{InFlight: 1 + g.IntN(6), Held: 1 + g.IntN(20_000), Inquiries: 1 + g.IntN(3), InputRate: 1 + g.IntN(3), InputBurst: 1 + g.IntN(4), ProgressBurst: 1, ProgressRate: 2}
	}
	h := &hostileLegacy{player: newPlayer(t, o), maker: g, open: map[string]bool{}, asks: map[string]bool{}, theirs: map[string]int{}}
	h.hold = true
	h.spoken = g.one(Revision20251125, Revision20251125, Revision20250618, Revision20250326, Revision20241105)
	return h
}

func (h *hostileLegacy) play(tally *legacyTally) {
	h.tally = tally
	defer func() {
		if p := recover(); p != nil {
			h.t.Errorf("panic: %v", p)
			defer panic(p)
		}
		if h.t.Failed() {
			h.t.Log(strings.Join(h.script, "\n"))
		}
	}()
	for range 20 + h.maker.IntN(200) {
		if h.move(); h.t.Failed() {
			return
		}
	}
	h.commitAll()
	if h.session.core.overHTTP() {
		h.expireAll()
	} else {
		h.do("! lost", func(out *Steps) { h.session.Lost(h.now, CauseUpstreamExited, out) })
	}
	c := h.session.core
	if len(h.open) > 0 || len(h.asks) > 0 || c.table.used() != 0 || c.table.held != 0 {
		h.t.Errorf("left: requests %v, questions %v, %d slots, %d bytes", h.open, h.asks, c.table.used(), c.table.held)
	}
	if len(h.timers) > 0 {
		h.t.Errorf("timers are left: %v", h.timers)
	}
}

// expireAll lets time pass until nothing waits any more.
func (h *hostileLegacy) expireAll() {
	for i := 0; len(h.timers) > 0 && i < 2000 && !h.t.Failed(); i++ {
		h.fire()
		h.commitAll()
	}
}

func (h *hostileLegacy) move() {
	g := h.maker
	switch n := g.IntN(100); {
	case n < 45:
		h.say(Upstream, h.several(h.upstreamText))
	case n < 85:
		h.say(Front, h.several(h.frontText))
	case n < 90:
		h.commitAll()
	case n < 95:
		h.fire()
	case h.session.core.overHTTP() && len(h.running) > 0:
		ex := h.running[g.IntN(len(h.running))]
		f := Failure{Sent: g.in(70)}
		switch g.IntN(3) {
		case 0:
			f.Status, f.InSession = statusNotFound, h.session.core.legacy
		case 1:
			f.Status = []int{400, 404, 405, 500, 202}[g.IntN(5)]
		default:
			f.Cause = CauseNetwork
		}
		h.ended(ex)
		h.do(fmt.Sprintf("! failed %d %+v", ex, f), func(out *Steps) { h.session.Failed(h.now, Exchange(ex), f, out) })
	}
}

// several is a line, or now and then an array of some.
func (h *hostileLegacy) several(text func() string) string {
	if h.spoken != Revision20250326 && h.maker.in(98) || h.maker.in(80) {
		return text()
	}
	lines := make([]string, h.maker.IntN(5))
	for i := range lines {
		lines[i] = text()
	}
	return "[" + strings.Join(lines, ",") + "]"
}

// fire lets the next timer fire.
func (h *hostileLegacy) fire() {
	var first Timer
	for _, t := range h.timers {
		if first.At.IsZero() || t.At.Before(first.At) || t.At.Equal(first.At) && t.ID.N < first.ID.N {
			first = t
		}
	}
	if first.At.IsZero() {
		return
	}
	if first.At.After(h.now) {
		h.now = first.At
	}
	delete(h.timers, first.ID)
	h.do(fmt.Sprint("! fire ", first.ID), func(out *Steps) { h.session.Fired(h.now, first.ID, out) })
}

func (h *hostileLegacy) say(side Side, line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	h.commitOf(side)
	h.exchange = 0
	if side == Upstream && h.session.core.overHTTP() && len(h.running) > 0 && h.maker.in(80) {
		h.exchange = Exchange(h.running[h.maker.IntN(len(h.running))])
		var m struct{ ID uint64 }
		if json.Unmarshal([]byte(line), &m) == nil && slices.Contains(h.running, m.ID) {
			h.exchange = Exchange(m.ID)
		}
	}
	h.learnEach(side, line)
	op := "F> "
	if side == Upstream {
		op = fmt.Sprintf("U> %d ", h.exchange)
	}
	before := len(h.held)
	h.do(op+line, func(out *Steps) { h.line(side, line, out) })
	for range len(h.held) - before {
		h.sides = append(h.sides, side)
	}
	if h.maker.in(60) {
		h.commitOf(side)
	}
}

func (h *hostileLegacy) commitAll() { h.commitOf(Front); h.commitOf(Upstream) }

func (h *hostileLegacy) commitOf(side Side) {
	for {
		i := slices.Index(h.sides, side)
		if i < 0 {
			return
		}
		shape := h.held[i]
		h.held, h.sides = slices.Delete(h.held, i, i+1), slices.Delete(h.sides, i, i+1)
		shape.Run()
		h.do("! commit", func(out *Steps) { h.session.Shaped(h.now, shape, out) })
	}
}

// do calls the session and checks what it writes.
func (h *hostileLegacy) do(what string, call func(out *Steps)) {
	if len(what) > 600 {
		what = what[:600]
	}
	h.script = append(h.script, what)
	var out Steps
	call(&out)
	h.tally.reopened += count(slices.ContainsFunc(out.Log, func(e Event) bool { return e.Kind == EventReopened }))
	for _, ex := range out.Close {
		h.ended(uint64(ex))
	}
	h.carryOut(&out)
	for _, line := range h.wrote {
		h.script = append(h.script, "  "+line[:min(len(line), 600)])
		if !strings.HasPrefix(line, "C<") && !strings.HasPrefix(line, "H<") {
			h.check(line)
		}
	}
	h.wrote = nil
	if used, due := h.session.core.table.used(), len(h.timers); used > 0 && due == 0 && len(h.held) == 0 {
		h.t.Errorf("%d slots wait for nothing", used)
	}
}

type wireMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		RequestID json.RawMessage
	}
	Result, Error json.RawMessage
}

// check checks a line that was written.
func (h *hostileLegacy) check(line string) {
	op, text, _ := strings.Cut(line, " ")
	var elements []json.RawMessage
	if op == "F<" && json.Unmarshal([]byte(text), &elements) == nil {
		for _, e := range elements {
			h.check("F< " + string(e))
		}
		h.tally.arrays++
		return
	}
	var m wireMessage
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		h.t.Errorf("%v: %s", err, text)
		return
	}
	id := string(m.ID)
	switch {
	case op == "W<":
		if q := string(m.Params.RequestID); !h.asks[q] {
			h.t.Errorf("%s withdraws nothing", line)
		} else {
			delete(h.asks, q)
			h.tally.withdrawn++
		}
	case op == "F<" && m.Method == "":
		if id == "" || id == "null" {
			return
		}
		if !h.open[id] {
			h.t.Errorf("%s answers nothing", line)
		}
		delete(h.open, id)
		h.tally.answered += count(m.Result != nil)
		h.checkFront(line)
	case op == "F<" && id != "":
		n, err := strconv.Atoi(strings.Trim(id, `"b-`))
		if err != nil || n <= h.lastAsk {
			h.t.Errorf("%s has an id that was used", line)
		}
		h.lastAsk = max(h.lastAsk, n)
		h.asks[id] = true
		h.tally.asked++
	case op == "F<":
		h.tally.progress += count(m.Method == methodProgress)
		if m.Method == methodCancelled {
			h.t.Errorf("%s reached the front", line)
		}
	case op == "X<":
		h.tally.cancelled++
	case op == "U<" && m.Method != "" && id != "":
		n, err := strconv.ParseUint(id, 10, 32)
		if err != nil || n <= h.newest {
			h.t.Errorf("%s has an id that was used", line)
		}
		h.newest = max(h.newest, n)
		h.running = append(h.running, n)
		h.tally.opened += count(n == 2)
	case op == "U<" && m.Method == "":
		if h.theirs[id] == 0 {
			h.t.Errorf("%s answers nothing", line)
		}
		h.theirs[id]--
		h.tally.replied++
	}
}

// ended says that a request upstream is over.
func (h *hostileLegacy) ended(ex uint64) {
	h.running = slices.DeleteFunc(h.running, func(n uint64) bool { return n == ex })
}

// learnEach takes note of a line, or of what it is an array of where it may be one.
func (h *hostileLegacy) learnEach(side Side, line string) {
	var elements []json.RawMessage
	switch {
	case json.Unmarshal([]byte(line), &elements) != nil:
		h.learn(side, line)
	case h.session.core.front == revision20250326:
		o := jsonrpc.ReaderOptions{Batches: true}
		if side == Upstream {
			o.MaxDepth, o.AllowLoneSurrogates = 512, true
		}
		if _, err := jsonrpc.Parse([]byte(line), &o); err != nil {
			return
		}
		for _, e := range elements {
			h.learn(side, string(e))
		}
	}
}

// learn takes note of a line that comes in.
func (h *hostileLegacy) learn(side Side, line string) {
	if side == Upstream {
		if _, err := jsonrpc.Parse([]byte(line), &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true}); err != nil {
			return // it is no message
		}
	}
	var m wireMessage
	var raw struct{ ID json.RawMessage }
	if json.Unmarshal([]byte(line), &raw) != nil || json.Unmarshal([]byte(line), &m) != nil {
		m = wireMessage{Method: "?", ID: raw.ID}
	}
	id := string(m.ID)
	switch {
	case side == Front && m.Method == "":
		delete(h.asks, id)
	case side == Front && id != "":
		h.open[id] = true // one that is in use is answered without it
	case side == Front && m.Method == methodCancelled:
		if h.session.core.table.ofFront([]byte(m.Params.RequestID)) != nil {
			delete(h.open, string(m.Params.RequestID))
		}
	case side == Upstream && m.Method != "" && id != "":
		h.theirs[id]++
	case side == Upstream && m.Method == methodCancelled:
		h.theirs[string(m.Params.RequestID)] = 0
	}
}

func (h *hostileLegacy) frontText() string {
	g := h.maker
	h.made++
	id := g.one(strconv.Itoa(h.made), strconv.Itoa(h.made), quoted(strconv.Itoa(h.made)), quoted("b-"+strconv.Itoa(h.made)))
	switch n := g.IntN(100); {
	case h.newest == 0 || n < 3:
		return g.object("jsonrpc", `"2.0"`, "id", id, "method", `"initialize"`, "params", g.object("protocolVersion", quoted(h.spoken),
			"clientInfo", `{"name":"e","version":"1"}`, "capabilities", g.one(frontCan, frontCan, `{}`)))
	case n < 12:
		return g.object("jsonrpc", `"2.0"`, "method", quoted(g.one(methodInitialized, methodRootsChanged, methodProgress, "x")), "params", g.maybe(30, `{"progressToken":1,"progress":1}`))
	case n < 50:
		asks := slices.Sorted(func(yield func(string) bool) {
			for id := range h.asks {
				if !yield(id) {
					return
				}
			}
		})
		if len(asks) == 0 {
			return g.object("jsonrpc", `"2.0"`, "id", `"b-99"`, "result", "{}")
		}
		result := g.one(`{"roots":[]}`, `{"action":"accept","content":{"name":"x"}}`, `{"action":"decline"}`, `{"role":"assistant","content":{"type":"text","text":"`+strings.Repeat("x", 1<<g.IntN(13))+`"},"model":"m"}`, g.odd())
		failure := ""
		if g.in(10) {
			result, failure = "", g.one(`{"code":-1,"message":"at /home"}`, `{}`, `{"code":-32000}`)
		}
		return g.object("jsonrpc", `"2.0"`, "id", asks[g.IntN(len(asks))], "result", result, "error", failure)
	case n < 58 && len(h.open) > 0:
		for id := range h.open {
			if h.session.core.table.ofFront([]byte(id)) != nil {
				return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
			}
		}
	}
	method := g.one(methodCallTool, methodCallTool, methodCallTool, methodListTools, "resources/list", methodReadResource, "prompts/get", "prompts/list",
		methodSubscribe, methodUnsubscribe, methodSetLevel, "tasks/get", "tasks/list", methodTaskResult, "completion/complete", methodDiscover, methodPing)
	params := g.object("name", `"n"`, "uri", `"a:b"`, "level", `"debug"`, "cursor", g.maybe(20, g.one(`"b-"`, `"c"`, "null", "7")), "task", g.maybe(10, "{}"),
		"_meta", g.maybe(60, g.object("progressToken", g.one(strconv.Itoa(h.made+500), quoted("p")), "other", g.odd())),
		"arguments", g.maybe(30, g.object("a", quoted(strings.Repeat("a", 1<<g.IntN(14))))))
	return g.object("jsonrpc", `"2.0"`, "id", id, "method", quoted(method), "params", params)
}

func (h *hostileLegacy) upstreamText() string {
	g := h.maker
	id := "1"
	if len(h.running) > 0 {
		id = strconv.FormatUint(h.running[g.IntN(len(h.running))], 10)
	}
	switch n := g.IntN(100); {
	case n < 15:
		return g.object("jsonrpc", `"2.0"`, "method", quoted(methodProgress), "params", g.object("progressToken", g.one(id, quoted(id)), "progress", strconv.Itoa(len(h.script)), "message", g.maybe(30, g.odd())))
	case n < 25:
		return g.object("jsonrpc", `"2.0"`, "method", quoted(g.one(methodMessage, methodCancelled, methodElicitComplete, methodTaskStatus, methodUpdated, methodInitialized, "notifications/tools/list_changed", "x")),
			"params", g.object("requestId", g.one(id, `"q1"`, "3", `"b-1"`), "level", `"error"`, "data", g.odd(), "uri", g.one(`"a:b"`, "7"), "elicitationId", `"e"`, "_meta", g.maybe(20, g.odd())))
	case n < 50:
		asks := g.one(quoted("q"+strconv.Itoa(g.IntN(12))), strconv.Itoa(g.IntN(5)))
		method, params := g.one(methodListRoots, methodElicit, methodElicit, methodSample, methodPing, "x"), ""
		switch {
		case method == methodElicit && g.in(60):
			params = g.object("message", quoted(strings.Repeat("m", 1<<g.IntN(13))), "requestedSchema", someForm(g), "_meta", g.maybe(20, g.one(`{"progressToken":1}`, g.odd())))
		case method == methodElicit:
			params = g.object("mode", `"url"`, "message", `"m"`, "url", somePage(g), "elicitationId", g.maybe(80, `"e"`))
		case method == methodSample:
			params = `{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}`
		}
		if g.bad(10) {
			params = g.odd()
		}
		return g.object("jsonrpc", `"2.0"`, "id", asks, "method", quoted(method), "params", params)
	case g.bad(5):
		return g.broken(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
	}
	if !h.session.core.legacy && g.in(90) {
		return g.one(`{"jsonrpc":"2.0","id":`+id+`,"result":{"protocolVersion":`+quoted(h.spoken)+`,"capabilities":`+serverHas+`,"serverInfo":{"name":"s","version":"1"}}}`,
			`{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32601,"message":"no"}}`)
	}
	result, failure := g.one("{}", `{"content":[{"type":"text","text":"t"}],"ttlMs":1}`, `{"tools":[{"name":"t"},null],"nextCursor":`+g.one("null", `"c"`, `""`)+`}`,
		`{"resources":[{"uri":"a:b"}]}`, `{"prompts":[]}`, `{"task":{"taskId":"a"}}`, `{"contents":[{"uri":"a:b","text":""}]}`, `{"tasks":[]}`,
		`{"protocolVersion":`+quoted(h.spoken)+`,"capabilities":{}}`, g.odd()), ""
	if g.in(15) {
		result, failure = "", g.one(`{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":`+somePage(g)+`}]}}`, `{"code":1,"message":"x"}`, `{}`, `{"code":-32022,"message":"","data":{"supported":["2026-07-28"]}}`)
	}
	return g.object("jsonrpc", `"2.0"`, "id", id, "result", result, "error", failure)
}
