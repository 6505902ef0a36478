package bridge

import (
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/oauthloopback/loopbacktest"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A guarded site is one that wants a sign-in.
type guarded struct {
	*signintest.Provider
	site    *site
	browser *loopbacktest.Browser

	mu    sync.Mutex // guards the field below
	shown []string
}

func newGuarded(t testing.TB, answers map[string]func(w http.ResponseWriter, q *query)) *guarded {
	t.Helper()
	g := &guarded{Provider: signintest.New(t), site: &site{answers: answers}}
	g.Serve = g.site
	g.browser = &loopbacktest.Browser{Transport: g.Client().Transport}
	t.Cleanup(func() {
		g.browser.Pages()
		g.Client().CloseIdleConnections()
	})
	return g
}

// remote is the site as the bridge is told of it, with sign-ins that v keeps.
func (g *guarded) remote(t testing.TB, v tokenvault.Store) Remote {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return Remote{
		URL: NewSecret(g.URL + "/mcp"),
		CA:  pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.Certificate().Raw}),
		SignIn: &SignIn{
			Vault: v, Opener: g.browser, RedirectPort: l.Addr().(*net.TCPAddr).Port, Timeout: time.Minute,
			Show: func(u oauthloopback.AuthURL) {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.shown = append(g.shown, u.Raw())
			},
		},
	}
}

func (g *guarded) shownURLs() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shown
}

func newMemory(t testing.TB) tokenvault.Store {
	t.Helper()
	v, err := tokenvault.Open(context.Background(), tokenvault.Config{Mode: tokenvault.Memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// A server that wants a sign-in gets one while initialize waits, and every request after
// that has its token. The next session needs no browser.
//
// req: S18, U10
func TestSignIn(t *testing.T) {
	g, v := newGuarded(t, nil), newMemory(t)
	r := g.remote(t, v)
	k := bridged(t, Config{Upstream: r}).open()
	k.wantNext()
	k.leaveSite()
	if shown := g.shownURLs(); len(shown) != 1 || !strings.HasPrefix(shown[0], g.URL+"/authorize?") {
		t.Errorf("shown %q", shown)
	}
	if !strings.Contains(k.log.String(), "INFO signed in") {
		t.Errorf("the log does not say that somebody has signed in:\n%s", k.log)
	}
	refused, let := g.Asked("/mcp")[0], g.Asked("/mcp")[1]
	if refused.Header.Get("Authorization") != "" || let.Header.Get("Authorization") != "Bearer marker-access-1" ||
		!strings.Contains(refused.Body, `"id":1,`) || !strings.Contains(let.Body, `"id":2,`) {
		t.Errorf("requests\n%s\n%s", refused.Body, let.Body)
	}
	k = bridged(t, Config{Upstream: r}).open()
	k.wantNext()
	k.leaveSite()
	if n := g.Count("/authorize"); n != 1 {
		t.Errorf("%d authorization requests, want 1", n)
	}
}

// A sign-in that comes to nothing fails initialize with its cause, which the log has, too;
// the next initialize begins anew.
//
// req: P18, S05
func TestSignInThatIsDenied(t *testing.T) {
	g := newGuarded(t, nil)
	g.Redirect = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
	k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))})
	for range 2 {
		k.send(initialize)
		if got := k.receive(); !strings.Contains(got, `"cause":"sign_in_denied"`) {
			t.Fatalf("initialize gave %s", got)
		}
	}
	g.Redirect = nil
	k.open().wantNext()
	k.leaveSite()
	if n := g.Count("/authorize"); n != 3 {
		t.Errorf("%d authorization requests, want 3", n)
	}
	if !strings.Contains(k.log.String(), "there is no sign-in cause=sign_in_denied") {
		t.Errorf("log:\n%s", k.log)
	}
}

// The end of the input ends a sign-in that waits for the user, and frees its port.
//
// req: P02, S10
func TestSignInAndTheEndOfInput(t *testing.T) {
	g := newGuarded(t, nil)
	r := g.remote(t, newMemory(t))
	g.browser.Leave = true
	for i := range 3 {
		k := bridged(t, Config{Upstream: r})
		k.send(initialize)
		for g.Count("/authorize") == i {
			time.Sleep(time.Millisecond)
		}
		k.leaveSite()
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", r.SignIn.RedirectPort))
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	if n := g.Count("/token"); n != 0 {
		t.Errorf("a token was asked for %d times", n)
	}
}
