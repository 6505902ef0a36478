package bridge

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// redirect answers with a redirect to where to says.
func redirect(code int, to func(q *query) string) func(http.ResponseWriter, *query) {
	return func(w http.ResponseWriter, q *query) {
		if q.URL.Path != "/mcp" { // of one that was followed
			sendJSON(w, 200, result(q.id, text("done at "+q.URL.Path)))
			return
		}
		w.Header().Set("Location", to(q))
		w.WriteHeader(code)
	}
}

// Only a redirect that keeps the method, to the same scheme, host and port, is followed,
// with the same body and headers.
//
// req: U07, U16
func TestU07Redirects(t *testing.T) {
	var visited atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visited.Store(true) }))
	defer other.Close()
	there := func(to string) func(*query) string { return func(*query) string { return to } }
	moved := map[string]func(http.ResponseWriter, *query){
		"path":               redirect(307, there("/moved")),
		"permanent":          redirect(308, there("moved?a=b")),
		"whole URL":          redirect(307, func(q *query) string { return "https://" + q.Host + "/moved" }),
		"host in capitals":   redirect(307, func(q *query) string { return "HTTPS://" + strings.ToUpper(q.Host) + "/moved" }),
		"fragment":           redirect(308, there("/moved#part")),
		"other scheme":       redirect(307, func(q *query) string { return "http://" + q.Host + "/moved" }),
		"other port":         redirect(307, there(strings.Replace(other.URL, "http:", "https:", 1)+"/moved")),
		"other host":         redirect(308, func(q *query) string { return strings.Replace("https://"+q.Host+"/moved", "127.0.0.1", "localhost", 1) }),
		"other origin":       redirect(307, there(other.URL)),
		"no scheme":          redirect(307, there("//example.invalid/moved")),
		"user":               redirect(307, func(q *query) string { return "https://user:word@" + q.Host + "/moved" }),
		"file":               redirect(307, there("file:///etc/passwd")),
		"script":             redirect(307, there("javascript:alert(1)")),
		"nothing":            redirect(307, there("")),
		"no URL":             redirect(307, there("https://[::1")),
		"301":                redirect(301, there("/moved")),
		"302":                redirect(302, there("/moved")),
		"303":                redirect(303, there("/moved")),
		"other origin, 302":  redirect(302, there(other.URL)),
		"300 with one place": redirect(300, there("/moved")),
	}
	followed := map[string]bool{"path": true, "permanent": true, "whole URL": true, "host in capitals": true, "fragment": true}
	s := newSite(t, true, moved)
	r := s.remote()
	r.Headers = []Header{{"X-Key", NewSecret("key")}, {"Authorization", NewSecret("Bearer token")}}
	for _, none := range []bool{false, true} {
		r.RefuseRedirects = none
		k := bridged(t, Config{Upstream: r}).open()
		for name := range moved {
			how := "within the origin"
			if none {
				how = "none"
			}
			t.Run(how+"/"+name, func(t *testing.T) {
				k.t = t
				before := len(s.queries(name))
				k.call(name, `{"a":1}`)
				got := k.receive()
				sent := s.queries(name)[before:]
				switch {
				case !followed[name] || none:
					if !strings.Contains(got, `"cause":"redirect","status":30`) || len(sent) != 1 {
						t.Errorf("got %.300q after %d requests, want a refusal after one", got, len(sent))
					}
				case !strings.Contains(got, "done at /moved") || len(sent) != 2:
					t.Errorf("got %.300q after %d requests, want a result after two", got, len(sent))
				default:
					wantSame(t, sent[0], sent[1])
				}
				k.wantNext()
			})
		}
		k.t = t
		k.leaveSite()
	}
	if visited.Load() {
		t.Error("another origin was visited")
	}
}

// wantSame wants a request that was sent again to be the same.
func wantSame(t *testing.T, first, second *query) {
	t.Helper()
	if second.body != first.body || second.Method != "POST" || fmt.Sprint(second.Header) != fmt.Sprint(first.Header) {
		t.Errorf("sent again: %s %v %s\nwant POST %v %s", second.Method, second.Header, second.body, first.Header, first.body)
	}
}

// req: U07
func TestU07AtMostFiveRedirects(t *testing.T) {
	var left atomic.Int64
	s := newSite(t, false, map[string]func(http.ResponseWriter, *query){
		"far": func(w http.ResponseWriter, q *query) {
			if left.Add(-1) < 0 {
				sendJSON(w, 200, result(q.id, text("done")))
				return
			}
			w.Header().Set("Location", "/next")
			w.WriteHeader(307)
		},
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	for hops, want := range map[int]string{4: "done", 5: "done", 6: `"cause":"redirect","status":307`, 1 << 30: `"cause":"redirect"`} {
		left.Store(int64(hops))
		before := len(s.queries("far"))
		k.call("far", `{}`)
		if got := k.receive(); !strings.Contains(got, want) {
			t.Errorf("%d redirects: %.300q, want %q", hops, got, want)
		}
		if got, want := len(s.queries("far"))-before, min(hops, 5)+1; got != want {
			t.Errorf("%d redirects: %d requests, want %d", hops, got, want)
		}
	}
	k.leaveSite()
}
