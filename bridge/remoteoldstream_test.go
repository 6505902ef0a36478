package bridge

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An ear is a stream that an older site was asked for by GET.
type ear struct {
	*query
	events chan string   // to send
	done   chan struct{} // closed to end it
}

func (e *ear) send(event string) { e.events <- event }

// serve sends what there is to send on the stream, until its end.
func (e *ear) serve(w http.ResponseWriter) {
	send := stream(w)
	for {
		select {
		case event := <-e.events:
			send(event)
		case <-e.done:
			return
		case <-e.Context().Done():
			return
		}
	}
}

// hearing returns an answer to GET that hands streams to the test. If refuse returns a
// status, the request gets that instead.
func hearing(refuse func() int) (func(w http.ResponseWriter, q *query), <-chan *ear) {
	ears := make(chan *ear)
	return func(w http.ResponseWriter, q *query) {
		if status := refuse(); status != 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(status)
			return
		}
		e := &ear{q, make(chan string), make(chan struct{})}
		go func() {
			select {
			case ears <- e:
			case <-q.Context().Done():
			}
		}()
		e.serve(w)
	}, ears
}

func always(status int) func() int { return func() int { return status } }

const oldToolsEvent = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// What an older server says outside of responses comes on a stream of its own. It is opened
// again where it ended, after the time that the server asks for.
func TestL10Stream(t *testing.T) {
	get, ears := hearing(always(0))
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){"GET": get})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	e := <-ears
	if id := e.Header.Get("Last-Event-Id"); id != "" {
		t.Errorf("the first stream goes on behind %q", id)
	}
	e.send("id: one\nretry: 300\ndata:\n\n" + event(oldToolsEvent))
	if got := k.receive(); got != oldToolsEvent {
		t.Errorf("got %s", got)
	}
	closed := time.Now()
	close(e.done)
	e = <-ears
	if d := time.Since(closed); d < 300*time.Millisecond {
		t.Errorf("opened again after %v, which is too early", d)
	}
	if id := e.Header.Get("Last-Event-Id"); id != "one" {
		t.Errorf("the next stream goes on behind %q", id)
	}
	e.send(event(oldToolsEvent))
	if got := k.receive(); got != oldToolsEvent {
		t.Errorf("got %s", got)
	}
	k.wantNext()
	k.leaveSite()
}

// A server that has no such stream may say so by any status but those of passing trouble,
// and nothing follows from it (B34).
func TestL10NoStream(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 405, 406, 410, 501, 202, 200, 302} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
				"GET": func(w http.ResponseWriter, q *query) { w.WriteHeader(status) },
			})
			k := bridged(t, Config{Upstream: s.remote()}).open()
			k.wantNext()
			k.wantNext()
			k.leaveSite()
			if n := len(s.queries("GET")); n != 1 {
				t.Errorf("asked %d times", n)
			}
			if n := len(s.queries("initialize")); n != 1 {
				t.Errorf("initialized %d times", n)
			}
		})
	}
}

// Passing trouble does pass.
func TestL10StreamThatIsBusy(t *testing.T) {
	codes := make(chan int, 10)
	for _, code := range []int{503, 429} {
		codes <- code
	}
	get, ears := hearing(func() int {
		select {
		case code := <-codes:
			return code
		default:
			return 0
		}
	})
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){"GET": get})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	(<-ears).send(event(oldToolsEvent))
	if got := k.receive(); got != oldToolsEvent {
		t.Errorf("got %s", got)
	}
	k.leaveSite()
}

// A server that does not answer the request for the stream delays the first call, and
// nothing else.
func TestL10StreamThatIsNotAnswered(t *testing.T) {
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"GET": func(w http.ResponseWriter, q *query) { <-q.Context().Done() },
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	k.wantNext()
	k.wantNext()
	k.leaveSite()
}

// A response that breaks off behind an event with an id goes on by GET, as often as it
// has to; the request is not sent again.
//
// req: U10
func TestL10Resume(t *testing.T) {
	resumed := make(chan string, 10)
	parts := []func(w http.ResponseWriter){
		func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		func(w http.ResponseWriter) { stream(w)("id: two\ndata: \n\n") },
		func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter) {
			stream(w)(event(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"m"}}`))
		},
		func(w http.ResponseWriter) { stream(w)(event(oldResult("3", text("late")))) },
	}
	s := newOldSite(t, "2025-11-25", nil)
	s.answers = map[string]func(http.ResponseWriter, *query){
		"slow": func(w http.ResponseWriter, q *query) { stream(w)("id: one\nretry: 250\ndata: \n\n") },
		"GET": func(w http.ResponseWriter, q *query) {
			id := q.Header.Get("Last-Event-Id")
			if id == "" {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			resumed <- id + " " + q.Header.Get("Mcp-Session-Id") + " " + q.Header.Get("Mcp-Protocol-Version")
			part := parts[0]
			parts = parts[1:]
			part(w)
		},
	}
	k := bridged(t, Config{Upstream: s.remote()}).open()
	k.call("slow", `{}`)
	if got := k.receive(); !strings.Contains(got, `"data":"m"`) {
		t.Errorf("got %s, want the message", got)
	}
	if got := k.receive(); !strings.Contains(got, "late") {
		t.Errorf("got %s, want the answer", got)
	}
	k.leaveSite()
	for _, id := range []string{"one", "one", "two", "two", "two"} {
		if got := <-resumed; got != id+" s3ss10n-1 2025-11-25" {
			t.Errorf("resumed with %q behind %q", got, id)
		}
	}
	if n := len(s.queries("slow")); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// A response that cannot go on fails its request, which may have run: it is not sent again,
// whatever the server says about the session.
//
// req: U10
func TestL10ResumeInVain(t *testing.T) {
	for _, tt := range []struct {
		name, event string
		status      int
		gets        int
	}{
		{"no id", "data: \n\n", 0, 0},
		{"an id that no header can hold", "id: a\x01b\ndata: \n\n", 0, 0},
		{"not found", "id: one\ndata: \n\n", 404, 1},
		{"no such method", "id: one\ndata: \n\n", 405, 1},
		{"no stream", "id: one\ndata: \n\n", 200, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
				"slow": func(w http.ResponseWriter, q *query) { stream(w)(tt.event) },
				"GET": func(w http.ResponseWriter, q *query) {
					if q.Header.Get("Last-Event-Id") == "" {
						w.WriteHeader(http.StatusMethodNotAllowed)
						return
					}
					w.WriteHeader(tt.status)
				},
			})
			k := bridged(t, Config{Upstream: s.remote()}).open()
			k.call("slow", `{}`)
			if got := k.receive(); !strings.Contains(got, `"cause":"upstream_closed"`) {
				t.Errorf("got %s", got)
			}
			k.wantNext()
			k.leaveSite()
			if n := len(s.queries("GET")) - 1; n != tt.gets {
				t.Errorf("resumed %d times, want %d", n, tt.gets)
			}
			if n, opened := len(s.queries("slow")), len(s.queries("initialize")); n != 1 || opened != 1 {
				t.Errorf("sent %d times, opened %d sessions", n, opened)
			}
		})
	}
}

// A stream that ends as soon as it is opened is not opened again and again without a pause
// (B30), and a session ends during it.
func TestL10StreamThatEndsAtOnce(t *testing.T) {
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"GET": func(w http.ResponseWriter, q *query) { stream(w)("retry: 0\nid: a\ndata:\n\n") },
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	begun := time.Now()
	for len(s.queries("GET")) < 3 {
		k.wantNext()
	}
	if d := time.Since(begun); d < 500*time.Millisecond {
		t.Errorf("three streams in %v", d)
	}
	k.leaveSite()
}

// Messages of the client that have no answer are POSTed one after the other, and no request
// passes one of them. Any status of success is one, whatever comes with it (B36).
func TestL10Messages(t *testing.T) {
	for _, tt := range []struct {
		name string
		take func(w http.ResponseWriter)
	}{
		{"accepted", func(w http.ResponseWriter) { w.WriteHeader(202) }},
		{"no content", func(w http.ResponseWriter) { w.WriteHeader(204) }},
		{"a text", func(w http.ResponseWriter) { io.WriteString(w, "ok") }},
		{"a message", func(w http.ResponseWriter) { sendJSON(w, 200, oldResult("3", text("wrong"))) }},
		{"a stream without end", func(w http.ResponseWriter) { stream(w)(": hi\n\n") }},
		{"refused", func(w http.ResponseWriter) { http.Error(w, "no", 400) }},
		{"broken off", func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			held, free := make(chan struct{}), make(chan struct{})
			s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
				"notifications/initialized": func(w http.ResponseWriter, q *query) {
					close(held)
					<-free
					tt.take(w)
					if tt.name == "a stream without end" {
						<-q.Context().Done()
					}
				},
			})
			k := bridged(t, Config{Upstream: s.remote()}).open()
			<-held
			k.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
			id := k.call("echo", `{}`)
			if n := len(s.queries("echo")) + len(s.queries("notifications/roots/list_changed")); n > 0 {
				t.Errorf("%d messages have passed", n)
			}
			close(free)
			if got := k.receive(); !strings.Contains(got, fmt.Sprintf(`"id":%d,"result"`, id)) || !strings.Contains(got, "done") {
				t.Errorf("got %s", got)
			}
			k.leaveSite()
			if n := len(s.queries("notifications/roots/list_changed")); n != 1 {
				t.Errorf("the next message came %d times", n)
			}
		})
	}
}

// What the server asks, on either kind of stream, is answered by POST.
func TestL10Questions(t *testing.T) {
	get, ears := hearing(always(0))
	answered := make(chan string, 2)
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"GET": get,
		"response": func(w http.ResponseWriter, q *query) {
			answered <- q.body + " " + q.Header.Get("Mcp-Session-Id")
			w.WriteHeader(202)
		},
		"asks": func(w http.ResponseWriter, q *query) {
			stream(w)(event(`{"jsonrpc":"2.0","id":"p1","method":"ping"}`))
			got := <-answered
			stream(w)(event(oldResult(q.id, text("answered"))))
			answered <- got
		},
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	(<-ears).send(event(`{"jsonrpc":"2.0","id":"p0","method":"ping"}`))
	if got, want := <-answered, `{"jsonrpc":"2.0","id":"p0","result":{}} s3ss10n-1`; got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
	k.call("asks", `{}`)
	if got := k.receive(); !strings.Contains(got, "answered") {
		t.Errorf("got %s", got)
	}
	if got, want := <-answered, `{"jsonrpc":"2.0","id":"p1","result":{}} s3ss10n-1`; got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
	k.leaveSite()
}

// A cancellation is a message of its own, and the response is given up.
func TestL10Cancel(t *testing.T) {
	begun, ended, told := make(chan string, 1), make(chan struct{}), make(chan *query, 1)
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"slow": func(w http.ResponseWriter, q *query) {
			begun <- q.id
			<-q.Context().Done()
			close(ended)
		},
		"notifications/cancelled": func(w http.ResponseWriter, q *query) {
			told <- q
			w.WriteHeader(202)
		},
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	k.call("slow", `{}`)
	id := <-begun
	k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	q := <-told
	if !strings.Contains(q.body, `"requestId":`+id) || q.Header.Get("Mcp-Session-Id") != "s3ss10n-1" || q.Header.Get("Mcp-Protocol-Version") != "2025-11-25" {
		t.Errorf("told %s with %v", q.body, q.Header)
	}
	<-ended
	k.wantNext()
	k.leaveSite()
}
