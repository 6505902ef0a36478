package bridge

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// Of the addresses that a server names, none is visited.
//
// req: U16
func TestU16NothingIsFetched(t *testing.T) {
	var visits atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer canary.Close()
	u := canary.URL
	icons := `"icons":[{"src":"` + u + `/icon.png"}]`
	s := newSite(t, true, map[string]func(http.ResponseWriter, *query){
		"server/discover": func(w http.ResponseWriter, q *query) {
			w.Header().Set("Link", "<"+u+"/link>; rel=preload")
			sendJSON(w, 200, result(q.id, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"instructions":"see `+u+`","ttlMs":0,"cacheScope":"private",`+
				`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1","websiteUrl":"`+u+`/site",`+icons+`}}`))
		},
		"tools/list": func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, `"tools":[{"name":"t",`+icons+`,"inputSchema":{"$schema":"`+u+`/schema","$id":"`+u+`/id","type":"object","properties":{"a":{"$ref":"`+u+`/ref"},"b":{"type":"array","items":{"$ref":"`+u+`/items#x"}}}}}],"ttlMs":0,"cacheScope":"private"`))
		},
		"resources/list": func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, `"resources":[{"name":"r","uri":"`+u+`/resource",`+icons+`}],"ttlMs":0,"cacheScope":"private"`))
		},
		"resources/read": func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, `"contents":[{"uri":"`+u+`/contents","text":"t"}],"ttlMs":0,"cacheScope":"private"`))
		},
		"links": func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, `"content":[{"type":"resource_link","name":"l","uri":"`+u+`/linked",`+icons+`},{"type":"resource","resource":{"uri":"`+u+`/embedded","text":"t"}}]`))
		},
		"asks": func(w http.ResponseWriter, q *query) {
			if strings.Contains(q.body, "inputResponses") {
				sendJSON(w, 200, result(q.id, text("asked")))
				return
			}
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+q.id+`,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","url":"`+u+`/page","message":"m"}}}}}`)
		},
		"challenge": func(w http.ResponseWriter, q *query) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+u+`/.well-known/oauth-protected-resource"`)
			w.WriteHeader(401)
		},
		"away": func(w http.ResponseWriter, q *query) {
			w.Header().Set("Location", u+"/away")
			w.Header().Set("Refresh", "0;url="+u+"/refresh")
			w.WriteHeader(307)
		},
	})
	k := bridged(t, Config{Upstream: s.remote()})
	k.send(strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{"form":{},"url":{}}}`, 1))
	k.receive()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`, `{"jsonrpc":"2.0","id":"b","method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":"c","method":"resources/read","params":{"uri":"` + u + `/resource"}}`,
		callLine(1, "links", `{}`), callLine(2, "challenge", `{}`), callLine(3, "away", `{}`),
	} {
		k.send(line)
		if got := k.receive(); got == "" {
			t.Fatalf("no answer to %s", line)
		}
	}
	k.send(callLine(4, "asks", `{}`))
	if got := k.receive(); !strings.Contains(got, `"id":"b-1"`) {
		t.Errorf("got %q, want the question", got)
	}
	k.send(`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
	for _, want := range []string{"notifications/elicitation/complete", "asked"} {
		if got := k.receive(); !strings.Contains(got, want) {
			t.Errorf("got %q, want it to hold %q", got, want)
		}
	}
	k.leaveSite()
	if n := visits.Load(); n != 0 {
		t.Errorf("%d visits", n)
	}
}
