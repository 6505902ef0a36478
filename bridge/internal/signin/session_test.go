package signin

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/oauthloopback/loopbacktest"
)

// freePort returns a port that nobody listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// A user is what a test has of the person and the browser.
type user struct {
	browser *loopbacktest.Browser

	mu     sync.Mutex // guards the fields below
	shown  []string
	events []Event
}

func (u *user) saw() (shown []string, events []Event) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.shown), slices.Clone(u.events)
}

// started starts a goroutine that recovers.
func started(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { recover() }()
		f()
	}()
	return done
}

// coordinator signs in at p, with a browser that agrees to everything.
func (p *provider) coordinator(t testing.TB, change func(o *Options)) (*Coordinator, *user) {
	t.Helper()
	server := p.parsed(t, "/mcp")
	u := &user{browser: &loopbacktest.Browser{Transport: p.Client().Transport}}
	o := Options{
		Go: started, URL: server, HTTP: p.web(t).client, Vault: newVault(t), RedirectPort: freePort(t), Timeout: time.Minute, Opener: u.browser,
		Policy: AddressPolicy{URL: server, Server: func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }},
		Show: func(a oauthloopback.AuthURL) {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.shown = append(u.shown, a.Raw())
		},
		Event: func(e Event) {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.events = append(u.events, e)
		},
	}
	if change != nil {
		change(&o)
	}
	c := New(o)
	t.Cleanup(func() {
		c.Close()
		u.browser.Pages()
	})
	return c, u
}

// refused is a response that wants a token.
func refused(gen uint64) Refusal {
	return Refusal{Status: http.StatusUnauthorized, Header: http.Header{"Www-Authenticate": {"Bearer"}}, Gen: gen}
}

// short is a response that wants more scopes.
func short(gen uint64, scope string) Refusal {
	return Refusal{Status: http.StatusForbidden, Gen: gen, Header: http.Header{
		"Www-Authenticate": {`Bearer error="insufficient_scope", scope="` + scope + `"`},
	}}
}

func wantCause(t testing.TB, err error, want mcpwire.Cause) {
	t.Helper()
	e, _ := errors.AsType[*Error](err)
	if causeOf(e) != want || want == "" && err != nil {
		t.Errorf("error %v, want cause %q", err, want)
	}
}

// signedIn makes c sign in.
func (c *Coordinator) signedIn(t testing.TB) uint64 {
	t.Helper()
	if err := c.Challenged(t.Context(), refused(0), new(Budget)); err != nil {
		t.Fatal(err)
	}
	_, gen := c.Token(t.Context())
	return gen
}

// unanswered returns why the last challenge of the server was not answered.
func (c *Coordinator) unanswered() *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wanted
}

// age makes the token look as old as tokens are that are refreshed.
func (c *Coordinator) age(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current.saved = c.current.saved.Add(-by)
	if !c.current.expires.IsZero() {
		c.current.expires = c.current.expires.Add(-by)
	}
	c.success = c.success.Add(-by)
}
