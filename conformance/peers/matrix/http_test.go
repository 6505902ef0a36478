package matrix

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// A site is a server at a URL, in the transport of its revision.
type site struct {
	server *server
	held   [][]byte // guarded by the lock of server

	mu      sync.Mutex // guards the fields below
	session int        // the number of the session over Streamable HTTP; 0 before there is one
}

// newSite returns a site whose server keeps what belongs to no request until there is a
// stream for it.
func newSite(rev string) *site {
	h := &site{server: newServer(rev)}
	h.server.aside = func(line []byte) { h.held = append(h.held, line) }
	return h
}

// handler returns what serves the server.
func (h *site) handler() http.Handler {
	switch h.server.rev {
	case rev20241105:
		return http.HandlerFunc(h.twoPaths)
	case rev20260728:
		return http.HandlerFunc(h.stateless)
	}
	return http.HandlerFunc(h.streamable)
}

// events begins a stream of events, and returns what writes one, and what ends it: no event
// may be written when the handler has returned.
func events(w http.ResponseWriter) (say func([]byte), end func()) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	out.Flush()
	var mu sync.Mutex
	ended := false
	say = func(line []byte) {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			fmt.Fprintf(w, "data: %s\n\n", line)
			out.Flush()
		}
	}
	return say, func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}
}

// read reads the message of a POST.
func read(w http.ResponseWriter, r *http.Request) (m message, ok bool) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	if err != nil {
		http.Error(w, "no message", http.StatusBadRequest)
	}
	return m, err == nil
}

// stateless is the transport of 2026-07-28: every message is a request of its own, whose
// response ends it.
func (h *site) stateless(w http.ResponseWriter, r *http.Request) {
	m, ok := read(w, r)
	switch {
	case !ok:
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.ID == nil:
		h.server.told(m)
		w.WriteHeader(http.StatusAccepted)
	case r.Header.Get("MCP-Protocol-Version") != rev20260728, r.Header.Get("Mcp-Method") != m.Method:
		w.WriteHeader(http.StatusBadRequest)
		w.Write(message{ID: m.ID, Error: &fault{Code: -32020, Message: "header mismatch"}}.line())
	default:
		h.respond(w, r, m)
	}
}

// respond answers a request by a stream of events.
func (h *site) respond(w http.ResponseWriter, r *http.Request, m message) {
	s := h.server
	if m.Method == "tools/call" || m.Method == "subscriptions/listen" {
		say, end := events(w)
		defer end()
		s.run(s.begin(r.Context(), m), m, say)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	s.run(s.begin(r.Context(), m), m, func(line []byte) { w.Write(line) })
}

// streamable is the transport of the revisions between: with a session, a stream for what
// belongs to no request, and requests that go on when their response is lost.
func (h *site) streamable(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		if h.known(w, r) {
			h.listen(w, r)
		}
	case http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case http.MethodPost:
		m, ok := read(w, r)
		switch {
		case !ok:
		case m.Method == "initialize":
			h.mu.Lock()
			h.session++
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("session-", h.session))
			h.mu.Unlock()
			h.respond(w, r.WithContext(context.WithoutCancel(r.Context())), m)
		case !h.known(w, r):
		case m.ID == nil || m.Method == "":
			h.server.told(m)
			w.WriteHeader(http.StatusAccepted)
		default:
			h.respond(w, r.WithContext(context.WithoutCancel(r.Context())), m)
		}
	}
}

// known refuses a request that names no session, or one that was forgotten.
func (h *site) known(w http.ResponseWriter, r *http.Request) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	named := r.Header.Get("Mcp-Session-Id")
	switch {
	case named == "":
		http.Error(w, "Bad Request: no session", http.StatusBadRequest)
	case named != fmt.Sprint("session-", h.session):
		http.Error(w, "Session not found", http.StatusNotFound)
	case h.server.rev >= rev20250618 && r.Header.Get("MCP-Protocol-Version") != h.server.rev:
		http.Error(w, "Bad Request: no version", http.StatusBadRequest)
	default:
		return true
	}
	return false
}

// forget makes the session one that is unknown.
func (h *site) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session++
}

// listen is the stream for what belongs to no request.
func (h *site) listen(w http.ResponseWriter, r *http.Request) {
	s := h.server
	say, end := events(w)
	defer end()
	s.mu.Lock()
	s.aside = say
	for _, line := range h.held {
		say(line)
	}
	h.held = nil
	s.mu.Unlock()
	<-r.Context().Done()
}

// twoPaths is the transport of 2024-11-05: one stream for everything that the server says,
// and a path that the stream names for what the client says.
func (h *site) twoPaths(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet:
		s := h.server
		say, end := events(w)
		defer end()
		fmt.Fprint(w, "event: endpoint\ndata: /messages?session=1\n\n")
		http.NewResponseController(w).Flush()
		s.mu.Lock()
		s.aside = say
		s.mu.Unlock()
		<-r.Context().Done()
	case r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/messages"):
		if body, err := io.ReadAll(r.Body); err == nil {
			s := h.server
			s.mu.Lock()
			say := s.aside
			s.mu.Unlock()
			w.WriteHeader(http.StatusAccepted)
			s.take(context.Background(), body, say) // one that is no message is seen on the wire
		}
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}
