package mcpwire

import (
	"fmt"
	"strconv"
	"strings"
)

// upstreamLine is the next line of the server.
func (h *hostile) upstreamLine() string {
	g := h.maker
	switch n := g.IntN(100); {
	case h.witness.newest == 0, n < 10:
		return h.noise()
	case n < 22:
		return h.progressLine()
	case n < 40 && h.witness.stream != 0:
		return h.streamLine()
	case g.bad(5):
		return g.broken(h.answerLine())
	}
	return h.answerLine()
}

// answerLine is a response to a request, most of the time to one that waits for it.
func (h *hostile) answerLine() string {
	g, n := h.maker, h.running()
	x := h.witness.exchanges[n]
	h.exchange = n
	if x.method == methodListen && g.in(85) {
		return h.streamLine()
	}
	id := strconv.Itoa(int(n))
	if g.bad(6) {
		id = g.one(quoted(id), id+".0", "-"+id, "0", id+"000", "9999999999999999999999", "null", `"b-`+id+`"`, g.odd())
	}
	result, failure := "", ""
	switch {
	case g.bad(3):
		result, failure = h.final(x.method), h.failure()
	case g.bad(4):
		result = g.odd()
	case g.bad(8):
		failure = h.failure()
	case x.method == methodDiscover:
		result = discovered(g)
	case x.owner != nil && g.in(60), g.bad(3):
		result = h.asks(n)
	default:
		result = h.final(x.method)
	}
	return g.object("jsonrpc", `"2.0"`, "id", id, "result", result, "error", failure, "x", g.maybe(3, g.odd()))
}

// running returns an exchange that runs, or any one.
func (h *hostile) running() uint32 {
	last := h.witness.newest
	for range 12 {
		if last == 0 {
			break
		}
		n := h.witness.newest - uint32(h.maker.IntN(int(min(h.witness.newest, 20))))
		x := h.witness.exchanges[n]
		if x == nil { // over HTTP, of a request that was answered before it went out
			continue
		}
		if last = n; !x.answered {
			break
		}
	}
	return last
}

func discovered(g maker) string {
	return g.object("resultType", `"complete"`, "supportedVersions", `["2026-07-28"]`, "ttlMs", "1", "cacheScope", `"public"`, "capabilities",
		g.object("tools", `{"listChanged":true}`, "resources", `{"subscribe":true,"listChanged":true}`, "prompts", `{"listChanged":true}`, "logging", "{}", "completions", "{}"))
}

// streamLine is a message of the stream, or of one that was.
func (h *hostile) streamLine() string {
	g, id := h.maker, strconv.Itoa(int(h.witness.stream))
	h.exchange = h.witness.stream
	if g.in(15) {
		h.exchange = h.olderStream()
	}
	if g.bad(10) {
		id = g.one(quoted(id), "1", strconv.Itoa(int(h.running())), g.odd())
	}
	meta := g.object(keySubscriptionID, id, "a/b", g.maybe(10, g.odd()))
	if g.bad(5) {
		meta = g.odd()
	}
	method, params := methodCancelled, g.object("requestId", id)
	switch n := g.IntN(100); {
	case n < 35:
		method, params = methodAcknowledged, g.object("_meta", meta, "notifications", h.grant())
	case n < 65:
		method = "notifications/" + g.one("tools", "prompts", "resources") + "/list_changed"
		params = g.object("_meta", meta)
	case n < 95:
		uri := g.one(`"memo:a"`, `"memo:b"`, `"memo:a/below"`)
		if g.bad(5) {
			uri = g.odd()
		}
		method, params = methodUpdated, g.object("_meta", meta, "uri", uri)
	}
	return g.object("jsonrpc", `"2.0"`, "method", quoted(method), "params", params)
}

// grant is the filter of an acknowledgement: everything, less, nothing, or more.
func (h *hostile) grant() string {
	g := h.maker
	if g.bad(5) {
		return g.odd()
	}
	uris := g.one(`["memo:a","memo:b","memo:c"]`, `["memo:a","memo:b","memo:c"]`, `["memo:b"]`, "[]", `["memo:x",null]`)
	return g.object("toolsListChanged", g.maybe(80, "true"), "promptsListChanged", g.maybe(50, g.one("true", "false", "null")),
		"resourcesListChanged", g.maybe(80, "true"), "resourceSubscriptions", g.maybe(90, uris), "x", g.maybe(5, g.odd()))
}

// final is a result that is the last word, with what must not reach the front.
func (h *hostile) final(method string) string {
	g := h.maker
	modern := []string{"resultType", g.one(`"complete"`, `"complete"`, ""), "ttlMs", g.maybe(50, g.odd()), "cacheScope", g.maybe(50, `"private"`),
		"inputRequests", g.maybe(10, g.odd()), "requestState", g.maybe(10, g.odd()), "_meta", g.maybe(20, g.object("a/b", g.odd(), keyServerInfo, "{}"))}
	members := map[string][]string{
		methodCallTool:             {"content", g.one("[]", "null", `[{"type":"text","text":"t"},null]`, g.odd()), "structuredContent", g.maybe(30, g.odd()), "isError", g.maybe(20, "true")},
		"tools/list":               {"tools", h.list(h.someTool()), "nextCursor", h.cursor()},
		"resources/list":           {"resources", h.list(`{"uri":"memo:a","name":"a"}`), "nextCursor", h.cursor()},
		"prompts/list":             {"prompts", h.list(`{"name":"p","icons":[{"src":"x"}]}`), "nextCursor", h.cursor()},
		methodReadResource:         {"contents", h.list(`{"uri":"memo:a","text":"a"}`)},
		"prompts/get":              {"messages", h.list(`{"role":"user","content":{"type":"text","text":"t"}}`)},
		"completion/complete":      {"completion", g.one(`{"values":["a","b"]}`, g.odd())},
		"resources/templates/list": {"resourceTemplates", h.list(`{"uriTemplate":"a{b}","name":"a"}`)},
	}
	return g.object(append(modern, members[method]...)...)
}

// list is an array of elements that are whole, and of others.
func (h *hostile) list(whole string) string {
	g := h.maker
	if g.in(5) {
		return g.odd()
	}
	elements := make([]string, g.IntN(5))
	for i := range elements {
		elements[i] = g.one(whole, whole, whole, g.odd())
	}
	if g.in(5) {
		elements = append(elements, strings.Split(strings.Repeat(whole+"\n", 300), "\n")[:300]...)
	}
	return "[" + strings.Join(elements, ",") + "]"
}

func (h *hostile) cursor() string {
	return h.maker.one("", "", "null", `""`, `"b-"`, `"c1"`, `"c2"`, h.maker.odd())
}

func (h *hostile) failure() string {
	g := h.maker
	return g.one(
		g.object("code", g.one("-32000", "-32602", "-32022", "-32020", "-32042", "1.5", "null"), "message", g.one(`"no"`, "null", ""),
			"data", g.one("", `{"supported":["2026-07-28"]}`, `{"supported":[]}`, g.odd())),
		g.odd())
}

// asks is a result of the exchange n that asks for input. The message of each
// question tells the exchange and the key.
func (h *hostile) asks(n uint32) string {
	g := h.maker
	state := g.maybe(70, g.one(`""`, "null", quoted(fmt.Sprintf("state-%d-%d", n, g.IntN(9))), quoted(fmt.Sprintf("state-%d-", n)+strings.Repeat("s", g.IntN(700)))))
	if g.bad(3) {
		state = g.odd()
	}
	var questions []string
	for i := range [...]int{0, 1, 1, 1, 2, 2, 3, 4, 16, 20}[g.IntN(10)] {
		key := g.one("a", "who", "__proto__", "", "é\x00\"", "constructor") + strconv.Itoa(i*g.IntN(40))
		questions = append(questions, key, h.ask(fmt.Sprintf("ask %d key %s", n, key)))
	}
	requests := g.object(questions...)
	switch {
	case g.bad(3):
		requests = g.odd()
	case g.in(10):
		requests = ""
	}
	kind, large := `"input_required"`, ""
	if g.bad(5) {
		kind = g.one(`"other"`, "null", g.odd())
	}
	if g.in(10) {
		large = quoted(strings.Repeat("x", 5000))
	}
	return g.object("resultType", kind, "inputRequests", requests, "requestState", state, "x", large)
}

// ask is an entry of inputRequests with a mark.
func (h *hostile) ask(mark string) string {
	g, message := h.maker, quoted(mark)
	var method, params string
	switch n := g.IntN(100); {
	case g.bad(2):
		return g.object("method", g.one(quoted(methodElicit), `"tools/call"`, "null"), "params", g.odd())
	case g.bad(1):
		return g.odd()
	case n < 35:
		method, params = methodElicit, g.object("mode", g.maybe(50, `"form"`), "message", message, "requestedSchema", someForm(g), "_meta", g.maybe(5, "{}"))
	case n < 60:
		method, params = methodElicit, g.object("mode", `"url"`, "message", message, "url", somePage(g))
	case n < 75:
		method, params = methodSample, g.object("messages", `[{"role":"user","content":{"type":"text","text":"?"}}]`, "maxTokens", "5",
			"systemPrompt", message, "includeContext", g.maybe(20, `"thisServer"`), "tools", g.maybe(1, "[]"))
	default:
		method, params = methodListRoots, g.maybe(20, g.one("{}", "null"))
	}
	return g.object("method", quoted(method), "params", params)
}

func someForm(g maker) string {
	return g.one(
		g.object("type", `"object"`, "properties", `{"name":{"type":"string"}}`, "required", `["name"]`),
		g.object("type", `"object"`, "properties", `{"name":{"type":"string","maxLength":30},"n":{"type":"integer"}}`),
		g.object("type", `"object"`, "properties", `{}`))
}

func somePage(g maker) string {
	if g.bad(10) {
		return quoted(g.one("javascript:1", "http://a.example", "https://u:p@a.example/", "https://é.example/", "", `https://a.example\x`))
	}
	return quoted(g.one("https://a.example/x", "https://a.example/x", "https://a.example/y", "http://localhost:1/"))
}

func (h *hostile) progressLine() string {
	g := h.maker
	h.exchange = h.running()
	token := strconv.Itoa(int(h.exchange))
	if g.bad(10) {
		token = g.one(quoted(token), token+".0", "0", g.odd())
	}
	value := strconv.Itoa(len(h.script) + g.IntN(4) - 3)
	if g.in(30) {
		value = strconv.Itoa(g.IntN(len(h.script)))
	}
	if g.bad(20) {
		value = g.one("-1", "0.5", "1e400", "1e3", g.odd())
	}
	return g.object("jsonrpc", `"2.0"`, "method", quoted(methodProgress), "params",
		g.object("progressToken", token, "progress", value, "total", g.maybe(30, g.odd()), "message", g.maybe(30, g.odd()), "_meta", g.maybe(10, "{}")))
}

// noise is a message that is no answer.
func (h *hostile) noise() string {
	g := h.maker
	number := g.one(strconv.Itoa(int(h.witness.newest)), "1", `"b-1"`, `"c-1"`, g.odd())
	method := g.one(methodMessage, methodMessage, methodCancelled, methodInitialized, methodElicitComplete,
		"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated", "notifications/subscriptions/acknowledged", methodPing, methodSample, methodElicit, "x")
	id := ""
	if !strings.HasPrefix(method, "notifications/") || g.in(3) {
		id = number
	}
	params := g.object("requestId", g.maybe(50, number), "level", g.maybe(80, g.one(`"debug"`, `"error"`, `"x"`)), "data", g.maybe(80, g.odd()),
		"elicitationId", g.maybe(20, quoted(firstURL)), "uri", g.maybe(50, g.one(`"memo:a"`, g.odd())),
		"_meta", g.maybe(50, g.object(keySubscriptionID, number)), "notifications", g.maybe(30, `{"toolsListChanged":true}`))
	return g.object("jsonrpc", `"2.0"`, "id", id, "method", quoted(method), "params", g.maybe(90, params))
}
