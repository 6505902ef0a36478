package bridge

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An oldSite is a server behind HTTP that is initialized. What its tools do is told by
// answers, as for a [site]; "GET", "DELETE" and the names of methods tell the rest. The
// name of a message that is a response is "response".
type oldSite struct {
	site
	revision string
	session  string // empty: it has none
}

func newOldSite(t testing.TB, revision string, answers map[string]func(w http.ResponseWriter, q *query)) *oldSite {
	t.Helper()
	s := &oldSite{revision: revision, session: "s3ss10n-1"}
	s.answers = answers
	s.start(t, true, s)
	return s
}

func (s *oldSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, ok := queryOf(r)
	if !ok {
		http.Error(w, "no message", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.seen = append(s.seen, q)
	s.mu.Unlock()
	if answer := s.answers[q.name]; answer != nil {
		answer(w, q)
		return
	}
	if answer := s.answers[q.method]; answer != nil {
		answer(w, q)
		return
	}
	s.serve(w, q)
}

// queryOf reads a request of any kind.
func queryOf(r *http.Request) (*query, bool) {
	q := &query{Request: r, method: r.Method}
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		return q, err == nil
	}
	q.body = string(body)
	m, err := jsonrpc.Parse(body, nil)
	if err != nil {
		return nil, false
	}
	q.id = string(m.AppendSpan(nil, m.ID))
	q.method, _ = m.String(m.Method)
	switch {
	case m.Kind == jsonrpc.KindResponse:
		q.method = "response"
	case q.method == "tools/call":
		q.name, _ = params(m)
	}
	return q, true
}

// serve does what a server does that has nothing special about it.
func (s *oldSite) serve(w http.ResponseWriter, q *query) {
	switch {
	case q.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case q.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case q.method == "server/discover":
		http.Error(w, "Bad Request: no session", http.StatusBadRequest)
	case q.method == "initialize":
		s.initialize(w, q)
	case q.id == "" || q.method == "response":
		w.WriteHeader(http.StatusAccepted)
	case q.method == "tools/list":
		sendJSON(w, http.StatusOK, oldResult(q.id, `"tools":[]`))
	default:
		sendJSON(w, http.StatusOK, oldResult(q.id, text("done")))
	}
}

func (s *oldSite) initialize(w http.ResponseWriter, q *query) {
	s.mu.Lock()
	session := s.session
	s.mu.Unlock()
	if session != "" {
		w.Header().Set("Mcp-Session-Id", session)
	}
	sendJSON(w, http.StatusOK, oldResult(q.id, s.welcome()))
}

func (s *oldSite) welcome() string {
	return fmt.Sprintf(`"protocolVersion":%q,"capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"old","version":"1"}`, s.revision)
}

func oldResult(id, members string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s}}`, id, members)
}

// openAs does what a client of a revision does first.
func (k *client) openAs(revision string) *client {
	k.t.Helper()
	k.send(strings.Replace(initialize, "2025-11-25", revision, 1))
	if got := k.receive(); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
		k.t.Fatalf("initialize gave %q\nlog: %s", got, k.log)
	}
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return k
}
