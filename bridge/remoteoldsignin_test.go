package bridge

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// newOldGuarded is an older site that wants a sign-in, but for what is open, by method.
func newOldGuarded(t testing.TB, open ...string) (*guarded, *oldSite) {
	t.Helper()
	g := newGuarded(t, nil)
	s := &oldSite{revision: "2025-11-25", session: "s3ss10n-1"}
	g.Serve = s
	g.On["/mcp"] = func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		for _, method := range open {
			if strings.Contains(string(body), `"method":"`+method+`"`) {
				s.ServeHTTP(w, r)
				return
			}
		}
		g.Guard(w, r)
	}
	return g, s
}

// A refusal says nothing about the era: somebody signs in, and then the server is asked
// again. All that follows has the token.
//
// req: U11, S18
func TestL10SignIn(t *testing.T) {
	g, s := newOldGuarded(t)
	k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))}).open()
	k.wantNext()
	k.leaveSite()
	for _, method := range []string{"server/discover", "initialize", "notifications/initialized", "GET", "tools/call", "DELETE"} {
		if q := s.queries(method); len(q) != 1 || q[0].Header.Get("Authorization") != "Bearer marker-access-1" {
			t.Errorf("%d of %s came in", len(q), method)
		}
	}
	if n := g.Count("/authorize"); n != 1 {
		t.Errorf("%d authorization requests", n)
	}
}

// Neither the stream nor a notification starts a sign-in; with that of a call both come in,
// the notification before the call.
func TestL10SignInOfACall(t *testing.T) {
	g, s := newOldGuarded(t, "server/discover", "initialize")
	get, ears := hearing(always(0))
	s.answers = map[string]func(http.ResponseWriter, *query){"GET": get}
	k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))})
	k.send(initializeURL)
	k.receive()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for refused := 0; refused < 2; time.Sleep(time.Millisecond) {
		refused = 0
		for _, q := range g.Asked("/mcp") {
			if q.Method == http.MethodGet || strings.Contains(q.Body, "notifications/initialized") {
				refused++
			}
		}
	}
	if n := g.Count("/authorize") + g.Count("/register"); n > 0 {
		t.Errorf("a sign-in was started by what nobody waits for: %d requests", n)
	}
	id := k.call("echo", `{}`)
	question, page, _ := k.question()
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}}`, question))
	g.visit(t, page)
	for got := ""; !strings.Contains(got, fmt.Sprintf(`"id":%d,"result"`, id)); {
		if got = k.receive(); got == "" || strings.Contains(got, `"error"`) {
			t.Fatalf("got %s", got)
		}
	}
	(<-ears).send(event(oldToolsEvent))
	for got := ""; got != oldToolsEvent; {
		if got = k.receive(); got == "" {
			t.Fatal("the stream is not heard")
		}
	}
	k.leaveSite()
	s.mu.Lock()
	defer s.mu.Unlock()
	told := false
	for _, q := range s.seen {
		told = told || q.method == "notifications/initialized"
		if q.name == "echo" && !told {
			t.Error("the call came before the client was initialized")
		}
	}
}

// An answer to the server is one that somebody waits for: the client is asked, and then it
// is sent once more.
func TestL10SignInForAnAnswer(t *testing.T) {
	g, s := newOldGuarded(t)
	answered := make(chan bool, 1)
	s.answers = map[string]func(http.ResponseWriter, *query){
		"asks": func(w http.ResponseWriter, q *query) {
			send := stream(w)
			send(event(`{"jsonrpc":"2.0","id":"p1","method":"ping"}`))
			select {
			case <-answered:
				send(event(oldResult(q.id, text("answered"))))
			case <-q.Context().Done():
			}
		},
		"response": func(w http.ResponseWriter, q *query) {
			if q.Header.Get("Authorization") == "Bearer marker-access-1" {
				stepUp(w, q)
				return
			}
			answered <- true
			w.WriteHeader(http.StatusAccepted)
		},
	}
	k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))})
	k.send(initializeURL)
	k.receive()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	id := k.call("asks", `{}`)
	question, page, _ := k.question()
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}}`, question))
	g.visit(t, page)
	got := []string{k.receive(), k.receive()}
	slices.Sort(got)
	if !strings.Contains(got[0], fmt.Sprintf(`"id":%d,"result"`, id)) {
		t.Errorf("got %q", got)
	}
	k.leaveSite()
	if n := len(s.queries("response")); n != 2 {
		t.Errorf("the answer was sent %d times", n)
	}
}
