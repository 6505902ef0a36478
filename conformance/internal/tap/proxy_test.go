package tap

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// proxied starts a proxy in front of serve. What it returns ends the proxy, and returns
// the record.
func proxied(t *testing.T, serve http.HandlerFunc) (address string, record func() []wire.Record) {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	origin, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	p := NewProxy(origin, &written, log.New(t.Output(), "", 0))
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	return front.URL + "/mcp", func() []wire.Record {
		front.Close()
		p.CloseIdleConnections()
		if _, err := p.Exchanges(); err != nil {
			t.Fatal(err)
		}
		got, err := wire.Read(&written)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

func post(t *testing.T, ctx context.Context, address, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestProxyRecordsMessages(t *testing.T) {
	for _, tt := range []struct{ name, kind, body string }{
		{"JSON", "application/json", `{"a":1}`},
		{"event", "text/event-stream; charset=utf-8", "event: message\ndata: {\"a\":1}\n\n"},
		{"events with comments and CRLF", "text/event-stream", ": hello\r\n\r\nid: 1\r\ndata:{\"a\":1}\r\n\r\n: bye\n\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			address, record := proxied(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				io.WriteString(w, tt.body)
			})
			answer := post(t, t.Context(), address, `{"b":2}`)
			defer answer.Body.Close()
			if got, err := io.ReadAll(answer.Body); string(got) != tt.body || err != nil {
				t.Errorf("passed on %q, %v", got, err)
			}
			want := []wire.Record{
				{PID: 1, Dir: wire.ToServer, Line: `{"b":2}`},
				{PID: 1, Dir: wire.ToClient, Line: `{"a":1}`},
				{PID: 1, Dir: wire.ToClient, End: true},
			}
			if diff := cmp.Diff(want, record(), cmpopts.IgnoreFields(wire.Record{}, "At")); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

// An event passes at once, and a client that is gone before the end is told from a
// server that broke off.
func TestProxyTellsWhoEnded(t *testing.T) {
	t.Run("client", func(t *testing.T) {
		address, record := proxied(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: 1\n\n")
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		ctx, cancel := context.WithCancel(t.Context())
		answer := post(t, ctx, address, "0")
		defer answer.Body.Close()
		if line, err := bufio.NewReader(answer.Body).ReadString('\n'); line != "data: 1\n" || err != nil {
			t.Errorf("got %q, %v", line, err)
		}
		cancel()
		wantEnd(t, record(), wire.ToServer)
	})
	t.Run("server", func(t *testing.T) {
		address, record := proxied(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: 1\n\n")
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
		answer := post(t, t.Context(), address, "0")
		defer answer.Body.Close()
		if _, err := io.ReadAll(answer.Body); err == nil {
			t.Error("a broken answer arrived as a whole one")
		}
		wantEnd(t, record(), wire.ToClient)
	})
}

func wantEnd(t *testing.T, records []wire.Record, dir wire.Dir) {
	t.Helper()
	if len(records) == 0 {
		t.Fatal("no record")
	}
	if last := records[len(records)-1]; !last.End || last.Dir != dir {
		t.Errorf("the last record is %+v, want the end of %s", last, dir)
	}
}
