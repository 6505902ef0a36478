package streamhttp

import (
	"net/http"
	"testing"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Of what goes to an older server that does not let it in, only requests and answers may
// have a person asked.
//
// req: S18
func TestL10WhoIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		quiet      bool
	}{
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, true},
		{"an answer", `{"jsonrpc":"2.0","id":"a","result":{}}`, false},
		{"an error", `{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m"}}`, false},
		{"the stream", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &desk{seen: make(chan Refusal, 10)}
			c, _ := connected(t, func(o *Options) { o.Access = a }, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusUnauthorized)
			})
			c.Append(&mcpwire.Frame{Exchange: 1, Lit: []byte(`{}`), Opens: true})
			c.Flush()
			if r := <-a.seen; r.Quiet {
				t.Error("nobody is asked for initialize")
			}
			if tt.line == "" {
				c.Stream()
			} else {
				c.Append(&mcpwire.Frame{Lit: []byte(tt.line)})
			}
			c.Flush()
			if r := <-a.seen; r.Quiet != tt.quiet {
				t.Errorf("quiet %t, want %t", r.Quiet, tt.quiet)
			}
		})
	}
}

// A message that surely did not reach the server goes out once more; one that may have is
// not sent again.
//
// req: U10
func TestL10MessageSentAgain(t *testing.T) {
	got := make(chan bool, 10)
	c, r := connected(t, nil, func(w http.ResponseWriter, r *http.Request) {
		got <- true
		panic(http.ErrAbortHandler)
	})
	c.Append(&mcpwire.Frame{Exchange: 1, Lit: []byte(`{}`), Opens: true})
	c.Flush()
	<-got
	<-r.got
	c.Append(&mcpwire.Frame{Lit: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)})
	c.Flush()
	<-got
	c.End()
	<-c.Done()
	if n := len(got); n > 0 {
		t.Errorf("sent %d times more", n)
	}
}
