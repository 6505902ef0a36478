package signin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A session that starts opens the browser, and the next one does not.
//
// req: S18
func TestSignIn(t *testing.T) {
	p := newProvider(t)
	p.Resource["scopes_supported"] = []string{"read", "write"}
	c, u := p.coordinator(t, nil)
	if token, gen := c.Token(t.Context()); !token.IsZero() || gen != 0 {
		t.Errorf("there is token %d before the sign-in", gen)
	}
	gen, changed := c.Generation()
	if c.signedIn(t) == gen {
		t.Error("there is no new token")
	}
	<-changed
	if token, _ := c.Token(t.Context()); token.Expose() != "marker-access-1" {
		t.Error("it is not the token that the server gave")
	}
	p.wantRequests(t, "GET "+resourceAtPath, "GET /.well-known/oauth-authorization-server", "POST /register", "GET /authorize", "POST /token")
	if q := p.Asked("/authorize")[0].Query; q.Get("scope") != "read write" || q.Get("resource") != p.URL+"/mcp" || q.Has("prompt") {
		t.Errorf("asked for %v", q)
	}
	if shown, events := u.saw(); len(shown) != 1 || !slices.Equal(events, []Event{{Kind: SignedIn}}) {
		t.Errorf("%d URLs were shown, events %v", len(shown), events)
	}
	next, _ := p.coordinator(t, func(o *Options) { o.Vault = c.o.Vault })
	if token, gen := next.Token(t.Context()); token.Expose() != "marker-access-1" || gen != 1 {
		t.Error("the next session has no token")
	}
	if p.Count("/authorize") != 1 {
		t.Error("the next session has asked")
	}
	other, _ := p.coordinator(t, func(o *Options) { o.Vault, o.Account = c.o.Vault, "work" })
	if token, _ := other.Token(t.Context()); !token.IsZero() {
		t.Error("another account has the token")
	}
}

// Many requests that are refused together are one sign-in.
//
// req: S05, S18
func TestS05OneSignIn(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if err := c.Challenged(t.Context(), refused(0), new(Budget)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if p.Count("/authorize") != 1 || p.Count("/register") != 1 || p.Count("/token") != 1 {
		t.Errorf("requests %q", p.Requests())
	}
}

// A token that is refused is refreshed once, and then the user signs in, without another
// registration.
//
// req: S18
func TestRefusedToken(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	c.age(2 * time.Minute)
	b := new(Budget)
	if err := c.Challenged(t.Context(), refused(gen), b); err != nil {
		t.Fatal(err)
	}
	if got := p.Asked("/token"); len(got) != 2 || got[1].Form.Get("grant_type") != grantRefresh || got[1].Form.Get("resource") != p.URL+"/mcp" {
		t.Errorf("requests %q", p.Requests())
	}
	_, gen = c.Token(t.Context())
	if err := c.Challenged(t.Context(), refused(gen-1), b); err != nil { // sent before the refresh, refused behind it
		t.Error(err)
	}
	if err := c.Challenged(t.Context(), refused(gen), b); err != nil || p.Count("/authorize") != 2 || p.Count("/register") != 1 {
		t.Errorf("%v, requests %q", err, p.Requests())
	}
	_, gen = c.Token(t.Context())
	// Another request does not ask the user again for what he has just agreed to.
	wantCause(t, c.Challenged(t.Context(), refused(gen), new(Budget)), mcpwire.CauseUpstreamUnauthorized)
	c.age(2 * time.Minute)
	wantCause(t, c.Challenged(t.Context(), refused(gen), b), mcpwire.CauseUpstreamUnauthorized)
	if p.Count("/authorize") != 2 {
		t.Error("the user was asked again")
	}
}

// A server that is unreachable for a moment costs no sign-in.
//
// req: S18, S23
func TestRefreshThatPasses(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	c.age(2 * time.Minute)
	p.On["/token"] = signintest.Status(503)
	wantCause(t, c.Challenged(t.Context(), refused(gen), new(Budget)), mcpwire.CauseRefreshFailed)
	if e := c.unanswered(); causeOf(e) != mcpwire.CauseRefreshFailed || e.Status != 503 {
		t.Errorf("unanswered() = %v", e)
	}
	delete(p.On, "/token")
	if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil || c.unanswered() != nil || p.Count("/authorize") != 1 {
		t.Errorf("%v, then %v", err, c.unanswered())
	}
}

// A refresh token that is revoked leads to one sign-in, for what was asked before.
//
// req: S18
func TestRevokedRefreshToken(t *testing.T) {
	p := newProvider(t)
	p.Resource["scopes_supported"] = []string{"read"}
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	c.age(2 * time.Minute)
	p.Resource["scopes_supported"] = []string{"other"}
	p.On["/token"] = func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("grant_type") == grantRefresh {
			signintest.SendJSON(w, http.StatusBadRequest, object{"error": "invalid_grant"})
			return
		}
		p.Exchange(w, p.Asked("/token")[p.Count("/token")-1])
	}
	if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil {
		t.Fatal(err)
	}
	if got := p.Asked("/authorize"); len(got) != 2 || got[1].Query.Get("scope") != "read" {
		t.Errorf("requests %q", p.Requests())
	}
}

// A token is refreshed before it expires, once; and if that does not help, it is sent.
//
// req: S18
func TestEarlyRefresh(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	c.signedIn(t)
	c.Token(t.Context())
	if p.Count("/token") != 1 {
		t.Error("a new token was refreshed")
	}
	c.age(time.Hour - 10*time.Second)
	p.On["/token"] = signintest.Status(503)
	for range 2 {
		if token, _ := c.Token(t.Context()); token.Expose() != "marker-access-1" {
			t.Error("the token is gone")
		}
	}
	if p.Count("/token") != 2 {
		t.Errorf("%d token requests, want one for the code and one for the refresh", p.Count("/token"))
	}
}

// A server that moves to another authorization server gets a sign-in there, and nothing of
// the old one.
//
// req: P07, S18
func TestP07AnotherAuthorizationServer(t *testing.T) {
	p, other := newProvider(t), newProvider(t)
	both := &http.Client{Transport: byHost{"": p.Client().Transport, p.Listener.Addr().String(): p.Client().Transport, other.Listener.Addr().String(): other.Client().Transport}}
	both.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c, u := p.coordinator(t, func(o *Options) { o.HTTP = both })
	u.browser.Transport = both.Transport
	gen := c.signedIn(t)
	p.Resource["authorization_servers"] = []string{other.URL}
	c.age(15 * time.Second)
	if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil {
		t.Fatal(err)
	}
	if p.Count("/token") != 1 || other.Count("/register") != 1 || other.Count("/token") != 1 {
		t.Errorf("requests %q and %q", p.Requests(), other.Requests())
	}
	for _, q := range other.All() {
		if strings.Contains(q.Body, "marker-refresh-1") || strings.Contains(q.Body, "marker-code-0") && len(q.Form["code"]) > 1 {
			t.Errorf("the other server got %s", q.Body)
		}
	}
}

// byHost finds a transport by the host of a request.
type byHost map[string]http.RoundTripper

func (b byHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if t := b[r.URL.Host]; t != nil {
		return t.RoundTrip(r)
	}
	return b[""].RoundTrip(r) // to the receiver
}

// Each request that waits can leave. When the last one does, the sign-in is given up and
// its port is free.
//
// req: S22, S10
func TestS22WaitersLeave(t *testing.T) {
	p := newProvider(t)
	c, u := p.coordinator(t, func(o *Options) { o.NoBrowser = true })
	for range 3 { // on one port
		before, _ := u.saw()
		one, leaveOne := context.WithCancel(t.Context())
		two, leaveTwo := context.WithCancel(t.Context())
		ended := make(chan error)
		for _, ctx := range []context.Context{one, two} {
			go func() { ended <- c.Challenged(ctx, refused(0), new(Budget)) }()
		}
		for shown, waiters := 0, 0; shown == len(before) || waiters < 2; time.Sleep(time.Millisecond) {
			now, _ := u.saw()
			shown = len(now)
			c.mu.Lock()
			if waiters = 0; c.running != nil {
				waiters = c.running.waiters
			}
			c.mu.Unlock()
		}
		leaveOne()
		wantCause(t, <-ended, mcpwire.CauseSignInAborted)
		c.mu.Lock()
		r := c.running
		c.mu.Unlock()
		if r == nil {
			t.Fatal("the sign-in was given up for one that left")
		}
		leaveTwo()
		wantCause(t, <-ended, mcpwire.CauseSignInAborted)
		<-r.done
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", c.o.RedirectPort))
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	if c.unanswered() != nil {
		t.Errorf("unanswered() = %v", c.unanswered())
	}
}

// Close ends a sign-in, and who waits for it.
//
// req: S10
func TestS10Close(t *testing.T) {
	p := newProvider(t)
	shown := make(chan bool)
	c, _ := p.coordinator(t, func(o *Options) {
		o.NoBrowser = true
		o.Show = func(oauthloopback.AuthURL) { close(shown) }
	})
	ended := make(chan error)
	go func() { ended <- c.Challenged(t.Context(), refused(0), new(Budget)) }()
	<-shown
	c.Close()
	wantCause(t, <-ended, mcpwire.CauseSignInAborted)
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInAborted)
}

// Sessions that start at the same time, on one port and with one vault, are one sign-in.
//
// req: S18, V07
func TestManySessionsOneSignIn(t *testing.T) {
	p := newProvider(t)
	port, lock := freePort(t), filepath.Join(t.TempDir(), "state", "port.lock")
	var all sync.WaitGroup
	var vault tokenvault.Store
	for i := range 6 {
		c, _ := p.coordinator(t, func(o *Options) {
			if i > 0 {
				o.Vault = vault
			}
			vault, o.RedirectPort, o.PortLock = o.Vault, port, lock
		})
		all.Go(func() {
			if err := c.Challenged(t.Context(), refused(0), new(Budget)); err != nil {
				t.Error(err)
			}
			if token, _ := c.Token(t.Context()); token.Expose() != "marker-access-1" {
				t.Error("a session has another token")
			}
		})
	}
	all.Wait()
	if p.Count("/authorize") != 1 || p.Count("/token") != 1 {
		t.Errorf("requests %q", p.Requests())
	}
}

// Another program on the port is named at once, and nobody is asked or registered.
//
// req: S07
func TestS07PortInUse(t *testing.T) {
	p := newProvider(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	c, u := p.coordinator(t, func(o *Options) { o.RedirectPort = port })
	failure := c.Challenged(t.Context(), refused(0), new(Budget))
	wantCause(t, failure, mcpwire.CauseRedirectPortInUse)
	if e, ok := errors.AsType[*Error](failure); !ok || e.Port != port {
		t.Errorf("error %v, want one that names the port", failure)
	}
	if shown, _ := u.saw(); len(shown) != 0 || p.Count("/register") != 0 {
		t.Errorf("requests %q", p.Requests())
	}
}

// A server that refuses offline_access is not asked for it again, and one that does not
// know its client any more gets another one.
//
// req: S18
func TestWhatASignInLearns(t *testing.T) {
	p := newProvider(t)
	p.Metadata["scopes_supported"] = []string{scopeOffline, "everything"}
	c, _ := p.coordinator(t, nil)
	p.Redirect = func(q url.Values) { q.Del("code"); q.Set("error", "invalid_scope") }
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInError)
	if e := c.unanswered(); e == nil || e.Code != "invalid_scope" {
		t.Errorf("unanswered() = %v", e)
	}
	p.Redirect = nil
	p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
		signintest.SendJSON(w, http.StatusUnauthorized, object{"error": "invalid_client"})
	}
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseTokenExchangeFailed)
	delete(p.On, "/token")
	c.signedIn(t)
	var got []string
	for _, q := range p.Asked("/authorize") {
		got = append(got, q.Query.Get("client_id")+" "+q.Query.Get("scope")+" "+q.Query.Get("prompt"))
	}
	if want := []string{"registered-1 offline_access consent", "registered-1  ", "registered-2  "}; !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
}

// A scope that a server refuses says nothing about a refresh token that was not asked for.
//
// req: S18
func TestScopeThatIsRefused(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	p.Redirect = func(q url.Values) { q.Del("code"); q.Set("error", "invalid_scope") }
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInError)
	p.Redirect = nil
	p.Metadata["scopes_supported"] = []string{scopeOffline}
	next, _ := p.coordinator(t, func(o *Options) { o.Vault, o.RedirectPort = c.o.Vault, c.o.RedirectPort })
	next.signedIn(t)
	if got := p.Asked("/authorize")[1].Query.Get("scope"); got != scopeOffline {
		t.Errorf("asked for %q", got)
	}
}

// What a refresh gives does not replace what has come meanwhile.
//
// req: S18
func TestRefreshThatComesLate(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	late, _ := c.account.load(t.Context())
	c.adopt(gen, kept{record: record{access: secretOf("newer")}})
	if c.adopt(gen, late); !c.current.access.Equal(secretOf("newer")) {
		t.Error("the newer token is gone")
	}
}

// A client that its server does not know at a refresh is registered anew.
//
// req: S18
func TestForgottenClient(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	c.age(2 * time.Minute)
	p.On["/token"] = func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("grant_type") == grantRefresh {
			signintest.SendJSON(w, http.StatusUnauthorized, object{"error": "invalid_client"})
			return
		}
		p.Exchange(w, p.Asked("/token")[p.Count("/token")-1])
	}
	if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil || p.Count("/register") != 2 || p.Count("/authorize") != 2 {
		t.Errorf("%v, requests %q", err, p.Requests())
	}
}

// What was asked for outlives the tokens, also in another session.
//
// req: S18
func TestScopesOutliveTokens(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	if k := c.account.save(t.Context(), record{issuer: p.URL, client: client{source: sourceRegistered}, requested: scopes{"read"}}); k.unkept {
		t.Fatal("not stored")
	}
	c.signedIn(t)
	if q := p.Asked("/authorize")[0].Query; q.Get("scope") != "read" {
		t.Errorf("asked for %q", q.Get("scope"))
	}
}

// What another session has got is used, unless it is older than what this one has. A
// request takes over once.
//
// req: S18, V07
func TestTokenOfAnotherSession(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	other := c.account
	k, _ := other.load(t.Context())
	k.access = secretOf("marker-access-other")
	if k := other.save(t.Context(), k.record); k.unkept {
		t.Fatal("not stored")
	}
	before, b := len(p.Requests()), new(Budget)
	c.age(-time.Hour)
	c.current.unkept = true
	wantCause(t, c.Challenged(t.Context(), refused(gen), b), mcpwire.CauseUpstreamUnauthorized)
	c.age(time.Hour)
	if err := c.Challenged(t.Context(), refused(gen), b); err != nil {
		t.Error(err)
	}
	if token, _ := c.Token(t.Context()); token.Expose() != "marker-access-other" {
		t.Error("the token of the other session is not used")
	}
	wantCause(t, c.Challenged(t.Context(), refused(gen), b), mcpwire.CauseUpstreamUnauthorized)
	if p.Count("/authorize") != 1 || p.Count("/token") != 1 {
		t.Errorf("requests %q", p.Requests()[before:])
	}
}

// A token that lives shorter than a refresh is worth is not refreshed at once.
//
// req: S18
func TestShortLivedToken(t *testing.T) {
	p := newProvider(t)
	p.Token = func(a object) { a["expires_in"] = 5 }
	c, _ := p.coordinator(t, nil)
	c.signedIn(t)
	c.Token(t.Context())
	if p.Count("/token") != 1 {
		t.Errorf("%d token requests, want one", p.Count("/token"))
	}
}

// A sign-in that comes after one which is being given up waits for its port.
//
// req: S07, S22
func TestNextSignInWaitsForTheLast(t *testing.T) {
	p := newProvider(t)
	hold, shown := make(chan struct{}), make(chan oauthloopback.AuthURL, 2)
	c, u := p.coordinator(t, func(o *Options) {
		o.NoBrowser = true
		o.Show = func(a oauthloopback.AuthURL) {
			shown <- a
			<-hold
		}
	})
	first, leave := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Challenged(first, refused(0), new(Budget)) }()
	<-shown
	leave()
	wantCause(t, <-ended, mcpwire.CauseSignInAborted)
	next := make(chan error, 1)
	go func() { next <- c.Challenged(t.Context(), refused(0), new(Budget)) }()
	for begun := false; !begun && len(next) == 0; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		begun = c.running != nil
		c.mu.Unlock()
	}
	close(hold)
	select {
	case page := <-shown:
		if err := u.browser.Visit(t.Context(), page); err != nil {
			t.Fatal(err)
		}
		if err := <-next; err != nil {
			t.Fatal(err)
		}
	case err := <-next:
		t.Fatal(err)
	}
}

// A process that waits for another one on its port says so.
//
// req: S07
func TestWaitsForAnotherProcess(t *testing.T) {
	p := newProvider(t)
	lock := filepath.Join(t.TempDir(), "port.lock")
	release, err := lockPort(t.Context(), lock, func() bool {
		t.Error("waits for nobody")
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	c, u := p.coordinator(t, func(o *Options) { o.PortLock = lock })
	ended := make(chan error)
	go func() { ended <- c.Challenged(t.Context(), refused(0), new(Budget)) }()
	for events := []Event(nil); len(events) == 0; time.Sleep(time.Millisecond) {
		if _, events = u.saw(); len(events) > 0 && events[0].Kind != Waits {
			t.Fatalf("events %v", events)
		}
	}
	if n := p.Count("/register"); n != 0 {
		t.Error("a client is registered before the port is there")
	}
	release()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}
