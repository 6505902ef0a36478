package bridge

import (
	"net/http"
	"strings"
	"testing"
)

// An sseSite is a server of 2024-11-05 behind HTTP: what it says comes on one stream, whose
// first event says where to send messages.
type sseSite struct {
	*oldSite
	endpoint string // what that event says
	streams  chan *ear
	current  chan *ear // holds the newest
}

func newSSESite(t testing.TB) *sseSite {
	s := &sseSite{endpoint: "/messages?sessionId=" + marker, streams: make(chan *ear, 10), current: make(chan *ear, 1)}
	s.oldSite = newOldSite(t, "2024-11-05", nil)
	s.answers = map[string]func(http.ResponseWriter, *query){"GET": s.get}
	for _, method := range []string{"initialize", "tools/list", "tools/call", "server/discover", "notifications/initialized"} {
		s.answers[method] = s.take
	}
	return s
}

func (s *sseSite) get(w http.ResponseWriter, q *query) {
	if q.URL.Path != "/mcp" || q.Header.Get("Accept") != "text/event-stream" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	e := &ear{q, make(chan string, 10), make(chan struct{})}
	e.events <- "event: endpoint\ndata: " + s.endpoint + "\n\n"
	select {
	case <-s.current:
	default:
	}
	s.current <- e
	s.streams <- e
	e.serve(w)
}

// take answers a POST, and on the stream what it holds.
func (s *sseSite) take(w http.ResponseWriter, q *query) {
	if q.URL.Path != "/messages" {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	answer := ""
	switch {
	case q.name == "silent", q.id == "":
		return
	case q.method == "initialize":
		answer = oldResult(q.id, s.welcome())
	default:
		answer = oldResult(q.id, text("done"))
	}
	e := <-s.current
	s.current <- e
	e.events <- "event: message\ndata: " + answer + "\n\n"
}

// A server that refuses initialize as one of 2024-11-05 does is reached as that has it. No
// message names a session or a revision in a header; the end is that of the stream.
//
// req: U11, U17, P04
func TestL2SSE(t *testing.T) {
	s := newSSESite(t)
	k := bridged(t, Config{Upstream: s.remote()}).openAs("2024-11-05")
	e := <-s.streams
	k.wantNext()
	e.send("event: message\ndata: " + oldToolsEvent + "\n\n")
	if got := k.receive(); got != oldToolsEvent {
		t.Errorf("got %s", got)
	}
	k.wantNext()
	k.leaveSite()
	<-e.Context().Done()
	if n := len(s.queries("DELETE")) + len(s.queries("server/discover")); n != 1 {
		t.Errorf("%d requests of another kind", n)
	}
	for _, method := range []string{"initialize", "notifications/initialized", "tools/call", "GET"} {
		all := s.queries(method)
		q := all[len(all)-1]
		for _, name := range []string{"Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method"} {
			if v := q.Header.Get(name); v != "" {
				t.Errorf("%s has %s: %s", method, name, v)
			}
		}
		if want := "sessionId=" + marker; method != "GET" && q.URL.RawQuery != want {
			t.Errorf("%s went to %s", method, q.URL)
		}
	}
	checkMarkers(t, "log", k.log.String(), "mcp-bridge-vscode: ")
}

// A stream that names no place at the same origin is none, and no message goes anywhere.
//
// req: U11, U16
func TestL2SSEElsewhere(t *testing.T) {
	other := newSSESite(t)
	for name, endpoint := range map[string]string{
		"another origin": other.URL + "/messages", "another host without a scheme": "//" + strings.TrimPrefix(other.URL, "https://") + "/messages", "nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			s := newSSESite(t)
			s.endpoint = endpoint
			if endpoint == "" {
				s.answers["GET"] = func(w http.ResponseWriter, q *query) { stream(w)(event(`{"jsonrpc":"2.0","id":2,"result":{}}`)) }
			}
			k := bridged(t, Config{Upstream: s.remote()})
			k.send(initialize)
			if got := k.receive(); !strings.Contains(got, `"cause":"invalid_upstream_message"`) {
				t.Errorf("initialize gave %s", got)
			}
			k.in.Close()
			k.ended()
			leave(t)
			if n := len(s.queries("initialize")); n != 1 {
				t.Errorf("%d messages were sent", n)
			}
		})
	}
	if n := len(other.queries("initialize")) + len(other.queries("GET")); n > 0 {
		t.Errorf("%d requests went to another origin", n)
	}
}

// A server that has no such stream either fails initialize by the status.
//
// req: U11
func TestL2NoSSE(t *testing.T) {
	s := newSSESite(t)
	s.answers["GET"] = func(w http.ResponseWriter, q *query) { w.WriteHeader(http.StatusMethodNotAllowed) }
	k := bridged(t, Config{Upstream: s.remote()})
	for range 2 {
		k.send(initialize)
		if got := k.receive(); !strings.Contains(got, `"status":405`) {
			t.Errorf("initialize gave %s", got)
		}
	}
	k.in.Close()
	k.ended()
	leave(t)
	if n := len(s.queries("server/discover")); n != 2 {
		t.Errorf("asked %d times what it speaks", n)
	}
}

// With the stream all is lost that waits for an answer; the next request opens another one,
// and initializes the server once more.
//
// req: U02, U10
func TestL2SSELost(t *testing.T) {
	s := newSSESite(t)
	k := bridged(t, Config{Upstream: s.remote()}).openAs("2024-11-05")
	e := <-s.streams
	k.wantNext()
	k.call("silent", `{}`)
	for len(s.queries("silent")) == 0 {
		k.wantNext()
	}
	close(e.done)
	if got := k.receive(); !strings.Contains(got, `"cause":"upstream_closed"`) {
		t.Errorf("got %s", got)
	}
	k.call("echo", `{}`)
	if got := k.receive(); !strings.Contains(got, "list_changed") {
		t.Errorf("got %s, want the news that what it knew may have changed", got)
	}
	if got := k.receive(); !strings.Contains(got, "done") {
		t.Errorf("got %s", got)
	}
	<-s.streams
	k.leaveSite()
	if n := len(s.queries("silent")); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// A request that is refused fails alone.
//
// req: U02
func TestL2SSEStatus(t *testing.T) {
	s := newSSESite(t)
	s.answers["refused"] = func(w http.ResponseWriter, q *query) { http.Error(w, "no", http.StatusServiceUnavailable) }
	s.answers["long"] = func(w http.ResponseWriter, q *query) {
		w.WriteHeader(http.StatusAccepted)
		e := <-s.current
		s.current <- e
		e.events <- event(oldResult(q.id, text(strings.Repeat("x", 2<<20))))
	}
	r := s.remote()
	r.Response = 1 << 20
	k := bridged(t, Config{Upstream: r}).openAs("2024-11-05")
	for tool, want := range map[string]string{"refused": `"status":503`, "long": `"cause":"response_too_large"`} {
		k.call(tool, `{}`)
		if got := k.receive(); !strings.Contains(got, want) {
			t.Errorf("%s: got %.300s, want %s", tool, got, want)
		}
		k.wantNext()
	}
	k.leaveSite()
}

// A server that has forgotten the session, though its stream goes on, says so by status 404.
//
// req: U10
func TestL2SSEForgotten(t *testing.T) {
	s := newSSESite(t)
	s.answers["forgotten"] = func(w http.ResponseWriter, q *query) {
		if len(s.queries("GET")) == 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		s.take(w, q)
	}
	k := bridged(t, Config{Upstream: s.remote()}).openAs("2024-11-05")
	k.call("forgotten", `{}`)
	if got := k.receive(); !strings.Contains(got, "list_changed") {
		t.Errorf("got %s, want the news that what it knew may have changed", got)
	}
	if got := k.receive(); !strings.Contains(got, "done") {
		t.Errorf("got %s", got)
	}
	k.leaveSite()
}
