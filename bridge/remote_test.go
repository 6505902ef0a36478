package bridge

import (
	"net/http"
	"strings"
	"testing"
)

func TestRemote(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, http2, map[string]func(http.ResponseWriter, *query){
				"streamed": func(w http.ResponseWriter, q *query) {
					send := stream(w)
					send(": hello\n\n")
					send(event(result(q.id, text("streamed"))))
				},
			})
			k := bridged(t, Config{Upstream: s.remote()}).open()
			for range 20 {
				k.wantNext()
				k.call("streamed", `{}`)
				if got := k.receive(); !strings.Contains(got, "streamed") {
					t.Errorf("got %q", got)
				}
			}
			k.leaveSite()
			if n := s.conns.Load(); n > 2 { // a request may begin before the response to the last one has ended
				t.Errorf("%d connections, want one that is used again", n)
			}
			for _, q := range s.queries("echo") {
				if got := q.Proto; got != name && got != name+".0" {
					t.Errorf("protocol %s, want %s", got, name)
				}
			}
		})
	}
}
