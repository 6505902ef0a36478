package mcpwire

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// responseOf returns whose response the next line of the upstream comes in, over HTTP:
// most of the time that of the request that it was made for.
func (h *hostile) responseOf(side Side) uint32 {
	if side == Front || h.transport == Stdio {
		return 0
	}
	ex := h.exchange
	h.exchange = 0
	if ex == 0 || h.maker.bad(4) {
		ex = max(h.running(), 1)
	}
	return ex
}

func (h *hostile) numbered(ex uint32) string {
	if ex == 0 {
		return ""
	}
	return fmt.Sprintf(" %d", ex)
}

// olderStream returns a stream of notifications that may not be the newest one.
func (h *hostile) olderStream() uint32 {
	for n := h.witness.stream; n > 0; n-- {
		if x := h.witness.exchanges[n]; n != h.witness.stream && x != nil && x.method == methodListen {
			return n
		}
	}
	return h.witness.stream
}

// someTool is a tool of a list; over HTTP it is often one that is called soon, with
// arguments that become headers.
func (h *hostile) someTool() string {
	g := h.maker
	if h.transport == Stdio || g.in(20) {
		return `{"name":"t","inputSchema":{"type":"object","required":true}}`
	}
	kind := g.one(`"string"`, `"integer"`, `"boolean"`, `"number"`)
	property := g.object("type", kind, "x-mcp-header", g.one(`"A"`, `"A"`, `"B-1"`, `"a b"`, g.odd()))
	schema := g.object("type", `"object"`, "properties", g.object("a", property, "b", g.one(`{"type":"integer","x-mcp-header":"b"}`, "{}")))
	return g.object("name", quoted(fmt.Sprintf("memo:%d", max(0, len(h.witness.made)-g.IntN(4)+2))), "inputSchema", schema)
}

// breakOff ends a request by something else than a message, or says that somebody has
// signed in.
func (h *hostile) breakOff() {
	g, n := h.maker, h.running()
	if g.in(10) {
		h.note("!", []byte("signed in"))
		h.enter(0, func(now time.Time, out *Steps) { h.session.SignedIn(now, out) })
		return
	}
	if h.witness.exchanges[n] == nil {
		return
	}
	if g.in(10) { // by more than a timer can be late
		h.enter(0, func(_ time.Time, out *Steps) {
			h.session.Extend(Exchange(n), time.Duration(1+g.IntN(2))*24*time.Hour, out)
		})
	}
	f := Failure{Sent: g.in(60), Again: g.in(20), Admission: Admission(g.IntN(4))}
	switch g.IntN(3) {
	case 0:
		f.Cause = [...]Cause{CauseNetwork, CauseNetwork, CauseUpstreamClosed, CauseTimeout, CauseTLS, CauseInvalidUpstreamMessage}[g.IntN(6)]
	case 1:
		f.Status = [...]int{200, 204, 302, 400, 401, 404, 429, 500, 501, 503}[g.IntN(10)]
		f.RetryAfter = time.Duration(g.IntN(3)) * time.Hour
	default:
		id := g.one(strconv.Itoa(int(n)), strconv.Itoa(int(n)), "1", `"x"`)
		f.Status, f.Message = 400, parsed(g.object("jsonrpc", `"2.0"`, "id", id, "error", h.failure()))
	}
	h.note("!", fmt.Appendf(nil, "failed %d %+v", n, f))
	h.witness.exchanges[n].answered, h.witness.exchanges[n].closed = true, true
	h.enter(Upstream, func(now time.Time, out *Steps) { h.session.Failed(now, Exchange(n), f, out) })
}

// parsed returns the message of a body, and nil for one that holds none.
func parsed(line string) *jsonrpc.Message {
	m, err := jsonrpc.Parse([]byte(oneLine(line)), &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true})
	if err != nil {
		return nil
	}
	return m
}

// badEvent takes an event that is no message before the session does.
func (w *witness) badEvent(ex uint32, e *jsonrpc.LineError) {
	mine := !e.Method && string(e.ID) == strconv.Itoa(int(ex))
	if x := w.exchanges[ex]; x != nil && (mine || e.Fault == jsonrpc.FaultTooLong) {
		x.answered = true
	}
}

// closed takes the end of a response stream that the session wants.
func (w *witness) closed(h *hostile, ex Exchange) {
	x := w.exchanges[uint32(ex)]
	if x == nil || x.closed || h.transport == Stdio {
		h.fail("exchange %d is closed, and does not run", ex)
		return
	}
	x.closed = true
	x.cancelled = !x.answered
}

// headers checks the headers of a request against its body.
func (w *witness) headers(h *hostile, f *Frame, t text) {
	if h.transport == Stdio {
		if f.Headers != nil {
			h.fail("headers on stdio")
		}
		return
	}
	seen := map[string]string{}
	for _, v := range f.Headers {
		name := strings.ToLower(v.Name)
		if _, twice := seen[name]; twice || !isHeaderName(v.Name) || !isPlainValue(v.Value) && !strings.HasPrefix(v.Value, encodedHead) {
			h.fail("header %q: %q", v.Name, v.Value)
		}
		seen[name] = v.Value
	}
	params := t.member("params")
	name, named := seen["mcp-name"]
	want := params.str("name") + params.str("uri")
	if md := methods[t.str("method")]; named != (md != nil && md.rounds) || named && plain(name) != want {
		h.fail("the name is %q, %v in the headers, and %q in the body", name, named, want)
	}
	if seen["mcp-protocol-version"] != Revision20260728 || seen["mcp-method"] != t.str("method") {
		h.fail("headers %v", f.Headers)
	}
	w.params += count(len(f.Headers) > 3)
	if a, ok := seen["mcp-param-a"]; ok && plain(a) != params.member("arguments").str("a") {
		h.fail("the argument is %q in the headers, and %s in the body", a, params.values["arguments"])
	}
}

// plain reads the value of a header.
func plain(value string) string {
	rest, ok := strings.CutPrefix(value, encodedHead)
	if !ok {
		return value
	}
	text, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(rest, encodedTail))
	return string(text)
}
