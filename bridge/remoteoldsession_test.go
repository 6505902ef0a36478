package bridge

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A forgetful site is one that forgets its sessions.
type forgetful struct {
	*oldSite
	session atomic.Int64 // the newest; zero while it forgets each at once
	ears    <-chan *ear
}

func newForgetful(t testing.TB) *forgetful {
	f := &forgetful{}
	get, ears := hearing(always(0))
	f.ears = ears
	f.oldSite = newOldSite(t, "2025-11-25", nil)
	f.answers = map[string]func(http.ResponseWriter, *query){
		"GET":        f.known(get),
		"tools/list": f.known(f.serve),
		"echo":       f.known(f.serve),
		"initialize": func(w http.ResponseWriter, q *query) {
			w.Header().Set("Mcp-Session-Id", fmt.Sprint(f.session.Add(1)))
			sendJSON(w, http.StatusOK, oldResult(q.id, f.welcome()))
		},
	}
	return f
}

func (f *forgetful) known(serve func(http.ResponseWriter, *query)) func(http.ResponseWriter, *query) {
	return func(w http.ResponseWriter, q *query) {
		if q.Header.Get("Mcp-Session-Id") != fmt.Sprint(f.session.Load()) {
			http.Error(w, "<html>", http.StatusNotFound)
			return
		}
		serve(w, q)
	}
}

// A session that the server has forgotten, which it says by status 404 alone, is opened
// again once, whoever finds out; what was refused goes out again with the new id. The old
// stream ends, and the new one is opened (B37).
//
// req: U10
func TestL10Forgotten(t *testing.T) {
	f := newForgetful(t)
	k := bridged(t, Config{Upstream: f.remote()}).open()
	old := <-f.ears
	k.wantNext()
	f.session.Add(1)
	id := k.call("echo", `{}`)
	for _, want := range []string{"notifications/tools/list_changed", fmt.Sprintf(`"id":%d,"result"`, id)} {
		if got := k.receive(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	<-old.Context().Done()
	ear := <-f.ears
	if got := ear.Header.Get("Mcp-Session-Id"); got != "3" {
		t.Errorf("the stream is one of session %q", got)
	}
	k.wantNext()
	k.leaveSite()
	for method, want := range map[string]string{"initialize": "  ", "notifications/initialized": "1 3", "DELETE": "3"} {
		var ids []string
		for _, q := range f.queries(method) {
			ids = append(ids, q.Header.Get("Mcp-Session-Id"))
		}
		if got := strings.Join(ids, " "); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s came with the sessions %q, want %q", method, got, want)
		}
	}
	if n := len(f.queries("initialize")); n != 2 {
		t.Errorf("initialized %d times", n)
	}
}

// A server that forgets every session at once gets each request twice and no more.
//
// req: U10
func TestL10ForgottenAtOnce(t *testing.T) {
	f := newForgetful(t)
	f.answers["echo"] = func(w http.ResponseWriter, q *query) { w.WriteHeader(http.StatusNotFound) }
	k := bridged(t, Config{Upstream: f.remote()}).open()
	<-f.ears
	for range 2 {
		k.call("echo", `{}`)
		for {
			got := k.receive()
			if strings.Contains(got, "list_changed") {
				continue
			}
			if !strings.Contains(got, `"status":404`) {
				t.Errorf("got %s", got)
			}
			break
		}
	}
	k.leaveSite()
	if n, opened := len(f.queries("echo")), len(f.queries("initialize")); n != 4 || opened != 3 {
		t.Errorf("%d requests, %d sessions", n, opened)
	}
}

// Where there is no session, status 404 says nothing about one.
func TestL10NotForgotten(t *testing.T) {
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"gone": func(w http.ResponseWriter, q *query) { w.WriteHeader(http.StatusNotFound) },
	})
	s.session = ""
	k := bridged(t, Config{Upstream: s.remote()}).open()
	k.call("gone", `{}`)
	if got := k.receive(); !strings.Contains(got, `"status":404`) {
		t.Errorf("got %s", got)
	}
	k.leaveSite()
	if n, opened := len(s.queries("gone")), len(s.queries("initialize")); n != 1 || opened != 1 {
		t.Errorf("%d requests, %d sessions", n, opened)
	}
}

// The session does not follow a redirect to another origin, and does one within (B41).
//
// req: U07, U17
func TestL10Redirects(t *testing.T) {
	other := newOldSite(t, "2025-11-25", nil)
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){})
	s.answers["away"] = func(w http.ResponseWriter, q *query) {
		http.Redirect(w, q.Request, other.URL+"/mcp", http.StatusTemporaryRedirect)
	}
	s.answers["within"] = func(w http.ResponseWriter, q *query) {
		if q.URL.Path == "/moved" {
			s.serve(w, q)
			return
		}
		http.Redirect(w, q.Request, "/moved", http.StatusPermanentRedirect)
	}
	s.answers["DELETE"] = s.answers["away"]
	s.answers["GET"] = s.answers["away"]
	k := bridged(t, Config{Upstream: s.remote()}).open()
	k.call("away", `{}`)
	if got := k.receive(); !strings.Contains(got, `"cause":"redirect"`) {
		t.Errorf("got %s", got)
	}
	k.call("within", `{}`)
	if got := k.receive(); !strings.Contains(got, "done") {
		t.Errorf("got %s", got)
	}
	k.leaveSite()
	if q := s.queries("within"); len(q) != 2 || q[1].Header.Get("Mcp-Session-Id") != "s3ss10n-1" {
		t.Errorf("%d requests within the origin", len(q))
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	if len(other.seen) > 0 {
		t.Errorf("%d requests went to another origin", len(other.seen))
	}
}

// From a server of 2025-03-26 arrays of messages come, in either kind of response (L11).
func TestL11(t *testing.T) {
	const told = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"m"}}`
	array := func(q *query) string { return "[" + told + "," + oldResult(q.id, text("done")) + "]" }
	s := newOldSite(t, "2025-03-26", map[string]func(http.ResponseWriter, *query){
		"json":   func(w http.ResponseWriter, q *query) { sendJSON(w, 200, array(q)) },
		"stream": func(w http.ResponseWriter, q *query) { stream(w)(event(array(q))) },
	})
	k := bridged(t, Config{Upstream: s.remote()}).openAs("2025-03-26")
	for _, tool := range []string{"json", "stream"} {
		id := k.call(tool, `{}`)
		if got := k.receive(); got != told {
			t.Errorf("%s: got %s", tool, got)
		}
		if got := k.receive(); !strings.Contains(got, fmt.Sprintf(`"id":%d,"result"`, id)) {
			t.Errorf("%s: got %s", tool, got)
		}
	}
	k.leaveSite()
}
