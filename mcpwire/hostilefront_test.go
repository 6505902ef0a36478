package mcpwire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// open brings the session into the state that most of the others begin in.
func (h *hostile) open() {
	if h.maker.in(10) {
		return // the moves do that, or not
	}
	h.say(Front, h.initialize())
	h.commit(Front)
	if h.witness.newest == 1 {
		h.say(Upstream, h.maker.object("jsonrpc", `"2.0"`, "id", "1", "result", discovered(h.maker)))
		h.commit(Upstream)
	}
	if h.maker.in(90) {
		h.say(Front, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
}

// initialize declares most of the capabilities.
func (h *hostile) initialize() string {
	g := h.maker
	return g.object("jsonrpc", `"2.0"`, "id", strconv.Itoa(g.IntN(5)), "method", quoted(methodInitialize), "params",
		g.object("protocolVersion", `"2025-11-25"`, "clientInfo", `{"name":"e","version":"1"}`, "capabilities",
			g.object("roots", g.maybe(90, "{}"), "sampling", g.maybe(90, g.object("tools", g.maybe(50, "{}"))),
				"elicitation", g.maybe(95, g.one("{}", `{"form":{},"url":{}}`, `{"form":{},"url":{}}`, `{"url":{}}`)))))
}

// frontLine is the next line of the client.
func (h *hostile) frontLine() string {
	g := h.maker
	switch n := g.IntN(100); {
	case n < 40:
		return h.requestLine()
	case n < 80:
		return h.replyLine()
	case n < 86:
		return h.cancelLine()
	case n < 90:
		return g.object("jsonrpc", `"2.0"`, "method", quoted(g.one(methodInitialized, methodInitialized, "notifications/roots/list_changed", methodProgress, "x")),
			"params", g.maybe(30, `{"progressToken":1,"progress":1}`))
	case n < 93:
		return g.object("jsonrpc", `"2.0"`, "id", h.id(), "method", quoted(methodSetLevel), "params", g.object("level", g.one(`"debug"`, `"error"`, "null")))
	case n < 94:
		return g.object("jsonrpc", `"2.0"`, "id", h.id(), "method", quoted(methodPing))
	case n < 96:
		return h.initialize()
	case g.bad(50):
		return g.broken(g.one(h.replyLine(), h.requestLine()))
	}
	return h.replyLine()
}

// id is an id for a request: a new one, or one that is or was in use.
func (h *hostile) id() string {
	g, n := h.maker, len(h.witness.made)
	if n > 0 && g.bad(10) {
		return h.witness.made[g.IntN(n)].id
	}
	return g.one(strconv.Itoa(n), strconv.Itoa(n), strconv.Itoa(n), quoted(strconv.Itoa(n)), quoted(fmt.Sprintf("b-%d", n)), fmt.Sprint(-n),
		fmt.Sprintf(`"\u0041%d"`, n), quoted(fmt.Sprint(strings.Repeat("i", 1<<g.IntN(13)), n)))
}

// requestLine is a request. Its number is in its name and its uri, and in its token.
func (h *hostile) requestLine() string {
	g, n := h.maker, len(h.witness.made)
	name := fmt.Sprintf(`"memo:%d"`, n)
	token := g.maybe(60, g.one(strconv.Itoa(n+500), fmt.Sprintf(`"p%d"`, n)))
	method := g.one(methodCallTool, methodCallTool, methodCallTool, methodCallTool, methodCallTool, methodCallTool, methodReadResource, methodReadResource, "prompts/get", "tools/list", "resources/list",
		"resources/templates/list", "prompts/list", "completion/complete", methodDiscover, "tasks/get",
		methodSubscribe, methodSubscribe, methodUnsubscribe)
	params := []string{"_meta", g.maybe(70, g.object("progressToken", token, "vscode.x", g.maybe(30, `"y"`), "other", "1")),
		"requestState", g.maybe(5, `"theirs"`), "inputResponses", g.maybe(5, `{"theirs":{}}`), "task", g.maybe(5, "{}")}
	switch {
	case strings.HasSuffix(method, "/list"):
		params = append(params, "cursor", g.maybe(30, g.one("null", `"c1"`, `"b-"`, `"b-b-"`)))
	case strings.HasSuffix(method, "subscribe"):
		params = append(params, "uri", g.one(`"memo:a"`, `"memo:b"`, `"memo:c"`, quoted("memo:"+strings.Repeat("u", n))))
	case method == methodReadResource:
		params = append(params, "uri", name)
	case method == "completion/complete":
		params = append(params, "ref", `{"type":"ref/prompt","name":"p"}`, "argument", `{"name":"a","value":""}`)
	default:
		arguments := g.object("a", `"v"`, "b", g.one("1", quoted(strings.Repeat("b", 1<<g.IntN(16)))))
		params = append(params, "name", name, "arguments", g.maybe(70, arguments))
	}
	if g.bad(10) {
		params[len(params)-1] = g.odd()
	}
	return g.object("jsonrpc", `"2.0"`, "id", h.id(), "method", quoted(method), "params", g.object(params...))
}

// cancelLine cancels a request, most of the time one that is open.
func (h *hostile) cancelLine() string {
	g := h.maker
	id := g.one(`"b-1"`, "null", "77", "")
	if ids := h.openIDs(); len(ids) > 0 && g.in(85) {
		id = ids[g.IntN(len(ids))]
	}
	return g.object("jsonrpc", `"2.0"`, "method", quoted(methodCancelled), "params",
		g.object("requestId", id, "reason", g.maybe(50, g.one(`"user"`, "null", quoted(strings.Repeat("r", 5000))))))
}

// openIDs are the ids of the requests that are open, in the order in which they came.
func (h *hostile) openIDs() (ids []string) {
	for _, r := range h.witness.made {
		if h.witness.open[r.id] == r {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// replyLine is a response of the client, most of the time to a question that is open.
func (h *hostile) replyLine() string {
	g, n := h.maker, len(h.witness.questions)
	if n == 0 {
		return g.object("jsonrpc", `"2.0"`, "id", g.one(`"b-1"`, "1", "null"), "result", "{}")
	}
	number := 1 + g.IntN(n)
	waits := func(q *seenQuestion) bool { return !q.answered && !q.withdrawn }
	if i := slices.IndexFunc(h.witness.questions, waits); i >= 0 && g.in(90) {
		for number = 1 + i + g.IntN(n-i); !waits(h.witness.questions[number-1]); number = 1 + i + g.IntN(n-i) {
		}
	}
	id := fmt.Sprintf(`"b-%d"`, number)
	if g.bad(4) {
		id = g.one(strconv.Itoa(number), "null", fmt.Sprintf(`"b-0%d"`, number), fmt.Sprintf(`"b-%d "`, number), `"b-4294967297"`, fmt.Sprintf(`"\u0062-%d"`, number), g.odd())
	}
	result, failure := h.reply(number), ""
	switch {
	case g.bad(4):
		result, failure = "", `{"code":-32603,"message":"stack trace"}`
	case g.bad(1):
		failure = g.odd()
	case g.bad(2):
		result = g.odd()
	}
	return g.object("jsonrpc", `"2.0"`, "id", id, "result", result, "error", failure)
}

// reply is a result for a question, valid most of the time, with a mark where a text
// can stand.
func (h *hostile) reply(number int) string {
	g, q := h.maker, h.witness.questions[number-1]
	mark := quoted(fmt.Sprintf("answer %d", number))
	large := g.maybe(8, quoted(strings.Repeat("l", 5000)))
	switch q.method {
	case methodListRoots:
		return g.object("roots", g.one("[]", `[{"uri":"file:///a"}]`, `[{"uri":"https://a.example/"},{"uri":"file:///b/../c","name":"c"}]`), "x", large)
	case methodSample:
		return g.object("role", `"assistant"`, "model", `"m"`, "content", g.object("type", `"text"`, "text", mark), "x", large)
	}
	content := g.object("name", mark, "n", g.maybe(10, "1"))
	if q.wait {
		content = g.one(`{"next":"Continue"}`, `{"next":"Continue"}`, "{}")
	}
	if q.page {
		content = g.maybe(20, content)
	}
	if g.bad(4) {
		content = g.odd()
	}
	action := g.one(`"accept"`, `"accept"`, `"accept"`, `"accept"`, `"decline"`, `"cancel"`)
	if g.bad(4) {
		action = g.odd()
	}
	return g.object("action", action, "content", content, "x", large)
}
