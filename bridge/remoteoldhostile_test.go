package bridge

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The end of a session takes a bounded time, whatever an older server leaves unanswered.
//
// req: U02
func TestL10EndOfASilentServer(t *testing.T) {
	silent := func(w http.ResponseWriter, q *query) { <-q.Context().Done() }
	for _, methods := range [][]string{
		{"DELETE"}, {"GET"}, {"notifications/initialized"}, {"echo", "notifications/cancelled"}, {"GET", "DELETE", "echo", "notifications/cancelled"},
	} {
		t.Run(strings.Join(methods, " "), func(t *testing.T) {
			answers := make(map[string]func(http.ResponseWriter, *query))
			for _, m := range methods {
				answers[m] = silent
			}
			s := newOldSite(t, "2025-11-25", answers)
			k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Grace: time.Second}}).open()
			k.call("echo", `{}`)
			if answers["echo"] != nil {
				for len(s.queries("echo")) == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			k.in.Close()
			if _, err := k.ended(); err != nil {
				t.Errorf("Run = %v", err)
			}
			leave(t)
		})
	}
}

// The same holds for a server of 2024-11-05, of which the stream does not begin, or not
// with what it should, and for one that does not take messages.
//
// req: U02
func TestL2EndOfASilentServer(t *testing.T) {
	for name, change := range map[string]func(s *sseSite){
		"no stream": func(s *sseSite) {
			s.answers["GET"] = func(w http.ResponseWriter, q *query) { <-q.Context().Done() }
		},
		"no first event": func(s *sseSite) {
			s.answers["GET"] = func(w http.ResponseWriter, q *query) {
				send := stream(w)
				for q.Context().Err() == nil {
					send(": hi\n\n")
					time.Sleep(time.Millisecond)
				}
			}
		},
		"nothing is taken": func(s *sseSite) {
			s.answers["initialize"] = func(w http.ResponseWriter, q *query) {
				if q.URL.Path == "/mcp" {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				<-q.Context().Done()
			}
		},
		"no answer": func(s *sseSite) {
			s.answers["initialize"] = func(w http.ResponseWriter, q *query) {
				if q.URL.Path == "/mcp" {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				w.WriteHeader(http.StatusAccepted)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSSESite(t)
			change(s)
			k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Grace: time.Second}})
			k.send(initialize)
			for len(s.queries("GET")) == 0 {
				time.Sleep(time.Millisecond)
			}
			k.in.Close()
			if _, err := k.ended(); err != nil {
				t.Errorf("Run = %v", err)
			}
			leave(t)
		})
	}
}

// A server that asks without end, and takes no answer, is not read on: what waits has a
// bound. Calls go on.
//
// req: U14
func TestL10Flood(t *testing.T) {
	sent := make(chan int, 1)
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"response": func(w http.ResponseWriter, q *query) { <-q.Context().Done() },
	})
	s.answers["GET"] = func(w http.ResponseWriter, q *query) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		ping := strings.Repeat(event(`{"jsonrpc":"2.0","id":"`+strings.Repeat("p", 1<<10)+`","method":"ping"}`), 64)
		for n := 0; ; n++ {
			if _, err := io.WriteString(w, ping); err != nil {
				sent <- n * len(ping)
				return
			}
		}
	}
	k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Grace: time.Second}}).open()
	k.wantNext()
	k.in.Close()
	k.ended()
	leave(t)
	if n := <-sent; n > 64<<20 {
		t.Errorf("%d bytes of a stream were read that led to messages which nobody took", n)
	}
}

// What is no message on the stream, and what is too long, does no harm; the stream that
// holds nothing else is opened again.
//
// req: U04, U14
func TestL10Junk(t *testing.T) {
	get, ears := hearing(always(0))
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){"GET": get})
	r := s.remote()
	r.Response = 1 << 20
	k := bridged(t, Config{Upstream: r}).open()
	e := <-ears
	e.send(event("no message") + event(strings.Repeat("x", 2<<20)) + event(`[]`) + event(`{"jsonrpc":"2.0","id":77,"result":{}}`))
	e.send(event(oldToolsEvent))
	if got := k.receive(); got != oldToolsEvent {
		t.Errorf("got %.300s", got)
	}
	e.send(strings.Repeat(event("no message"), 20))
	<-e.Context().Done()
	(<-ears).send(event(oldToolsEvent))
	if got := k.receive(); got != oldToolsEvent {
		t.Errorf("got %.300s", got)
	}
	k.wantNext()
	k.leaveSite()
}
