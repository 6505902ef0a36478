package streamhttp

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A desk is an Access of a test.
type desk struct {
	token   string
	verdict Verdict
	seen    chan Refusal
	wait    bool // until the request ends
}

func (d *desk) Token(context.Context) (string, uint64) { return d.token, 7 }
func (d *desk) Patience() time.Duration                { return time.Minute }
func (d *desk) Refused(ctx context.Context, r Refusal) Verdict {
	d.seen <- r
	if d.wait {
		<-ctx.Done()
	}
	return d.verdict
}

// A token goes with each request; one that a header cannot hold fails the request, and
// nothing of it comes out.
//
// req: U15
func TestU15Tokens(t *testing.T) {
	seen := make(chan string, 10)
	a := &desk{}
	c, r := connected(t, func(o *Options) { o.Access = a }, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"text":"xxxxxxxxxxxxxx"}}`)
	})
	for i, tt := range []struct {
		token string
		want  string // what goes out; empty: the request fails
	}{
		{"abc-._~+/=!\"", "Bearer abc-._~+/=!\""},
		{"s3cret token", ""}, {"s3cret\n", ""}, {"s3cr\u00E9t", ""}, {"s3cret\x00", ""}, {"\ts3cret", ""}, {"s3cret\x7F", ""}, {" ", ""},
	} {
		a.token = tt.token
		c.send(mcpwire.Exchange(i + 1))
		got := <-r.got
		switch {
		case tt.want != "":
			if head := <-seen; head != tt.want {
				t.Errorf("token %q: Authorization %q, want %q", tt.token, head, tt.want)
			}
			<-r.got // nobody said that this was the answer, so the response has ended too early
		case got != "failed invalid_token, not sent":
			t.Errorf("token %q: %q, want the cause invalid_token", tt.token, got)
		}
	}
	select {
	case head := <-seen:
		t.Errorf("a request went out with %q", head)
	default:
	}
}

// A response of 401 or 403 is shown to whoever has the tokens, and what comes of that is
// how the request ends. Nobody is asked on account of a stream of notifications.
func TestRefused(t *testing.T) {
	const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"x"}}`
	for _, tt := range []struct {
		name, method string
		status       int
		body         string
		verdict      Verdict
		want         []string
	}{
		{"let in", "tools/call", 401, "", Verdict{Again: true, Admission: 5}, []string{"extend 1 1m0s", "failed 401, again 5"}},
		{"not let in", "tools/call", 401, body, Verdict{Cause: mcpwire.CauseSignInDeclined}, []string{"extend 1 1m0s", "failed sign_in_declined 401"}},
		{"more scopes", "tools/call", 403, body, Verdict{Cause: mcpwire.CauseInsufficientScope}, []string{"extend 1 1m0s", "failed insufficient_scope 403"}},
		{"forbidden, and says why", "tools/call", 403, body, Verdict{Cause: mcpwire.CauseUpstreamForbidden}, []string{"extend 1 1m0s", "failed upstream_forbidden 403, body"}},
		{"notifications", methodListen, 401, "", Verdict{}, []string{"failed 401"}},
		{"another status", "tools/call", 404, body, Verdict{Cause: mcpwire.CauseUpstreamForbidden}, []string{"failed 404, body"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &desk{token: "a", verdict: tt.verdict, seen: make(chan Refusal, 1)}
			c, r := connected(t, func(o *Options) { o.Access = a }, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("WWW-Authenticate", "Bearer")
				if tt.body != "" {
					w.Header().Set("Content-Type", "application/json")
				}
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			c.Append(&mcpwire.Frame{Exchange: 1, Lit: []byte(`{}`), Headers: mcpwire.Headers{{Name: "Mcp-Method", Value: tt.method}}, Admission: 3})
			c.Flush()
			for _, want := range tt.want {
				if got := <-r.got; got != want {
					t.Errorf("told %q, want %q", got, want)
				}
			}
			if tt.status == 404 {
				return
			}
			got := <-a.seen
			if got.Status != tt.status || got.Header.Get("WWW-Authenticate") != "Bearer" || got.Generation != 7 || got.Admission != 3 || got.Quiet != (tt.method == methodListen) {
				t.Errorf("refusal %+v", got)
			}
		})
	}
}

// A request that is taken back while a person is awaited ends at once, alone.
//
// req: S22
func TestRefusedAndTakenBack(t *testing.T) {
	a := &desk{wait: true, seen: make(chan Refusal, 1)}
	c, r := connected(t, func(o *Options) { o.Access = a }, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) })
	c.send(1)
	<-a.seen
	<-r.got // extend
	c.TakeBack(1)
	c.End()
	<-c.Done()
	select {
	case got := <-r.got:
		t.Errorf("told %q", got)
	default:
	}
}
