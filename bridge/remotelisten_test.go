package bridge

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// An opened is one stream of notifications that a site was asked for.
type opened struct {
	*query
	send func(event string)
	done chan struct{} // closed to end it
}

// listening is a site whose streams are handed to the test. Others get what refuse gives.
func listening(t *testing.T, refuse func() int) (*site, <-chan *opened) {
	streams := make(chan *opened)
	s := newSite(t, true, nil)
	s.answers = map[string]func(http.ResponseWriter, *query){
		"server/discover": func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"`))
		},
		"subscriptions/listen": func(w http.ResponseWriter, q *query) {
			if code := refuse(); code != 0 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(code)
				return
			}
			l := &opened{q, stream(w), make(chan struct{})}
			l.send(event(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":{"toolsListChanged":true}}}`, q.id)))
			select {
			case streams <- l:
			case <-q.Context().Done():
				return
			}
			select {
			case <-l.done:
			case <-q.Context().Done():
			}
		},
	}
	return s, streams
}

const toolsEvent = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"

// quick are limits under which a stream that is lost comes back soon.
var quick = Limits{Limits: mcpwire.Limits{Relisten: time.Millisecond, RelistenMax: time.Millisecond}}

// The stream of notifications is a request of its own. Once it is lost, by its end or by
// a status that passes, it is opened again, and calls go on meanwhile.
//
// req: N03
func TestT165StreamOfASite(t *testing.T) {
	codes := make(chan int, 10)
	s, streams := listening(t, func() int {
		select {
		case code := <-codes:
			return code
		default:
			return 0
		}
	})
	k := bridged(t, Config{Upstream: s.remote(), Limits: quick}).open()
	l := <-streams
	l.send(toolsEvent)
	if got := k.receive(); !strings.Contains(got, "notifications/tools/list_changed") {
		t.Errorf("got %q, want the event", got)
	}
	k.wantNext()
	for _, code := range []int{503, 429, 408, 500, 502, 504} {
		codes <- code
	}
	close(l.done)
	l = <-streams
	if got := k.receive(); !strings.Contains(got, "notifications/tools/list_changed") {
		t.Errorf("got %q, want what may have been missed", got)
	}
	if n := len(s.queries("subscriptions/listen")); n != 8 {
		t.Errorf("%d streams were asked for, want 8", n)
	}
	k.wantNext()
	k.leaveSite()
	<-l.Context().Done() // it is closed with the session
}

// A status that does not pass ends the stream for good.
//
// req: N03
func TestT165StreamThatASiteRefuses(t *testing.T) {
	for _, code := range []int{400, 401, 403, 404, 405, 501} {
		s, streams := listening(t, func() int { return code })
		k := bridged(t, Config{Upstream: s.remote(), Limits: quick}).open()
		for len(s.queries("subscriptions/listen")) == 0 {
			time.Sleep(time.Millisecond)
		}
		for range 10 {
			k.wantNext()
			time.Sleep(time.Millisecond)
		}
		if n := len(s.queries("subscriptions/listen")); n != 1 {
			t.Errorf("status %d: %d streams were asked for, want one", code, n)
		}
		select {
		case <-streams:
			t.Error("a stream")
		default:
		}
		k.leaveSite()
	}
}

// A stream that is silent for longer than the configuration lets it is opened again, and
// that is no loss.
//
// req: U09, X05
func TestU09SilentStream(t *testing.T) {
	s, streams := listening(t, func() int { return 0 })
	r := s.remote()
	r.Idle = 50 * time.Millisecond
	k := bridged(t, Config{Upstream: r, Limits: quick}).open()
	first := <-streams
	<-first.Context().Done()
	second := <-streams
	second.send(toolsEvent)
	if got := k.receive(); !strings.Contains(got, "notifications/tools/list_changed") {
		t.Errorf("got %q, want the event", got)
	}
	k.wantNext()
	k.leaveSite()
}
