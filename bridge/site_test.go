package bridge

import (
	"crypto/tls"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A site is a server behind HTTP that speaks 2026-07-28. What its tools do is told by
// answers, by their names; others answer as echo does.
type site struct {
	*httptest.Server
	ca      *authority
	answers map[string]func(w http.ResponseWriter, q *query)

	conns atomic.Int64 // that were accepted

	mu   sync.Mutex // guards the field below
	seen []*query
}

// A query is one request that a site got.
type query struct {
	*http.Request
	method, name, id string
	body             string
}

// newSite starts a site behind https, with HTTP/2 or without.
func newSite(t testing.TB, http2 bool, answers map[string]func(w http.ResponseWriter, q *query)) *site {
	t.Helper()
	s := &site{answers: answers}
	s.start(t, http2, s)
	return s
}

func (s *site) start(t testing.TB, http2 bool, serve http.Handler) {
	t.Helper()
	s.ca = newAuthority(t)
	s.Server = httptest.NewUnstartedServer(serve)
	s.EnableHTTP2 = http2
	s.TLS = &tls.Config{Certificates: []tls.Certificate{s.ca.issue(t, nil, "127.0.0.1", "localhost")}}
	s.Config.ErrorLog = quiet
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.conns.Add(1)
		}
	}
	s.StartTLS()
	t.Cleanup(s.Close)
}

// remote is the site as the bridge is told of it.
func (s *site) remote() Remote { return Remote{URL: NewSecret(s.URL + "/mcp"), CA: s.ca.pem} }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &query{Request: r}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	q.body = string(body)
	m, err := jsonrpc.Parse(body, nil)
	if err != nil {
		http.Error(w, "no message", http.StatusBadRequest)
		return
	}
	q.id = string(m.AppendSpan(nil, m.ID))
	q.method, _ = m.String(m.Method)
	if q.method == "tools/call" {
		q.name, _ = params(m)
	}
	s.mu.Lock()
	s.seen = append(s.seen, q)
	s.mu.Unlock()
	s.answer(w, q)
}

func (s *site) answer(w http.ResponseWriter, q *query) {
	answer := s.answers[q.method]
	if q.name != "" {
		answer = s.answers[q.name]
	}
	switch {
	case answer != nil:
		answer(w, q)
	case q.method == "server/discover":
		sendJSON(w, http.StatusOK, result(q.id, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"`))
	case q.method == "tools/list":
		sendJSON(w, http.StatusOK, result(q.id, `"tools":[],"ttlMs":0,"cacheScope":"private"`))
	default:
		sendJSON(w, http.StatusOK, result(q.id, text("done")))
	}
}

// queries returns what the site got for a method or a tool.
func (s *site) queries(of string) []*query {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*query
	for _, q := range s.seen {
		if q.method == of || q.name == of {
			all = append(all, q)
		}
	}
	return all
}

func result(id, members string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s}}`, id, members)
}

func sendJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

// stream begins a stream of events and returns how one is sent.
func stream(w http.ResponseWriter) func(event string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	return func(event string) {
		io.WriteString(w, event)
		w.(http.Flusher).Flush()
	}
}

func event(message string) string { return "data: " + message + "\n\n" }

// wantNext wants the next call to work.
func (k *client) wantNext() {
	k.t.Helper()
	id := k.call("echo", `{}`)
	if got, want := k.receive(), fmt.Sprintf(`"id":%d,"result"`, id); !strings.Contains(got, want) || !strings.Contains(got, "done") {
		k.t.Errorf("the next call gave %.300q, want a result\nlog: %s", got, k.log)
	}
}

// leaveSite ends the session in order. The goroutines of a connection end when it is
// closed, and nobody can wait for them.
func (k *client) leaveSite() {
	k.t.Helper()
	k.in.Close()
	if rest, err := k.ended(); err != nil || rest[0] != "" {
		k.t.Errorf("Run = %v, and %q is left", err, rest)
	}
	leave(k.t)
}

// quiet is the log of servers whose clients go.
var quiet = stdlog.New(io.Discard, "", 0)
