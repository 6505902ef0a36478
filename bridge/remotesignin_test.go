package bridge

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
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

// A panic in a sign-in ends the session, as one anywhere does, and lets go of the port:
// wherever it is that something panics.
//
// req: P01
func TestPanicInASignIn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(g *guarded, s *SignIn)
	}{
		{"what shows the URL", func(_ *guarded, s *SignIn) { s.Show = func(oauthloopback.AuthURL) { panic("m4rk3r-panic") } }},
		{"what opens the browser", func(_ *guarded, s *SignIn) { s.Opener = panicking{} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGuarded(t, nil)
			r := g.remote(t, newMemory(t))
			tt.change(g, r.SignIn)
			k := bridged(t, Config{Upstream: r})
			k.send(initialize)
			if _, err := k.ended(); err != session.ErrDefect {
				t.Errorf("Run = %v, want %v", err, session.ErrDefect)
			}
			if got := k.log.String(); strings.Count(got, "defect") != 1 || strings.Contains(got, "m4rk3r") {
				t.Errorf("log:\n%s", got)
			}
		})
	}
}

// panicking is an opener with a defect.
type panicking struct{}

func (panicking) Open(context.Context, oauthloopback.StartURL) error { panic("m4rk3r-panic") }

// initializeURL is the initialize of a client that opens pages when it is asked to.
var initializeURL = strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{"url":{}}}`, 1)

// question reads the next line, which must ask to open a page, and returns its id, the page
// and the id of the elicitation.
func (k *client) question() (id, page, elicitation string) {
	k.t.Helper()
	var q struct {
		ID     string
		Method string
		Params struct{ Mode, Message, URL, ElicitationID string }
	}
	line := k.receive()
	if err := json.Unmarshal([]byte(line), &q); err != nil || q.Method != "elicitation/create" || q.Params.Mode != "url" {
		k.t.Fatalf("got %s, want a question; log:\n%s", line, k.log)
	}
	return q.ID, q.Params.URL, q.Params.ElicitationID
}

// visit goes to a page as the person does who was asked.
func (g *guarded) visit(t testing.TB, page string) {
	t.Helper()
	res, err := (&http.Client{Transport: g.Client().Transport}).Get(page)
	if err != nil {
		t.Error(err)
		return
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
}

// At work, a server that wants more scopes has the client asked, and no browser is opened;
// the request goes out once more, and the client is told that the page is done with.
//
// req: S05, I09
func TestS05StepUpThroughTheClient(t *testing.T) {
	g := newGuarded(t, map[string]func(w http.ResponseWriter, q *query){"write": stepUp})
	r := g.remote(t, newMemory(t))
	k := bridged(t, Config{Upstream: r})
	k.send(initializeURL)
	k.receive()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	started := len(g.browser.Pages())
	id := k.call("write", `{}`)
	question, page, elicitation := k.question()
	if scope := mustQuery(t, page).Get("scope"); scope != "write" {
		t.Errorf("the page asks for %q", scope)
	}
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}}`, question))
	g.visit(t, page)
	got := []string{k.receive(), k.receive()}
	slices.Sort(got)
	if !strings.Contains(got[0], fmt.Sprintf(`"id":%d,"result"`, id)) ||
		!strings.Contains(got[1], `"notifications/elicitation/complete","params":{"elicitationId":"`+elicitation+`"}`) {
		t.Errorf("got %q", got)
	}
	if n := len(g.browser.Pages()); n != started {
		t.Error("the browser was opened")
	}
	k.leaveSite()
}

// stepUp wants the second token of a provider.
func stepUp(w http.ResponseWriter, q *query) {
	if q.Header.Get("Authorization") == "Bearer marker-access-1" {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="write"`)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	sendJSON(w, http.StatusOK, result(q.id, text("done")))
}

func mustQuery(t testing.TB, page string) url.Values {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

// A person who declines is left alone, and the request fails. A client that cannot ask gets
// an error, and nothing is opened.
//
// req: S05, S06, S23
func TestS05WhoIsNotAsked(t *testing.T) {
	answers := map[string]func(w http.ResponseWriter, q *query){"write": stepUp}
	t.Run("declined", func(t *testing.T) {
		g := newGuarded(t, answers)
		k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))})
		k.send(initializeURL)
		k.receive()
		k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		k.call("write", `{}`)
		question, _, _ := k.question()
		k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"decline"}}`, question))
		k.wantFailure("sign_in_declined")
		k.call("write", `{}`)
		k.wantFailure("sign_in_cooldown")
		k.wantNext()
		k.leaveSite()
	})
	t.Run("cannot ask", func(t *testing.T) {
		g := newGuarded(t, answers)
		k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))}).open()
		k.call("write", `{}`)
		k.wantFailure("sign_in_no_consent")
		k.leaveSite()
		if n := g.Count("/authorize"); n != 1 {
			t.Errorf("%d authorization requests, want 1", n)
		}
	})
}

// wantFailure wants the next line to be an error with a cause.
func (k *client) wantFailure(cause string) {
	k.t.Helper()
	if got := k.receive(); !strings.Contains(got, `"cause":"`+cause+`"`) {
		k.t.Errorf("got %s, want the cause %s", got, cause)
	}
}

// Each request that waits for a sign-in can be cancelled on its own; when the last one is,
// the question is taken back.
//
// req: S22
func TestS22CancelledOneByOne(t *testing.T) {
	g := newGuarded(t, map[string]func(w http.ResponseWriter, q *query){"write": stepUp})
	k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))})
	k.send(initializeURL)
	k.receive()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	first := k.call("write", `{}`)
	question, page, _ := k.question()
	second := k.call("write", `{}`)
	for len(g.site.queries("write")) < 2 {
		time.Sleep(time.Millisecond)
	}
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, first))
	k.wantNext() // the question stays
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, second))
	if got := k.receive(); !strings.Contains(got, `"notifications/cancelled","params":{"requestId":"`+question+`"`) {
		t.Errorf("got %s, want the question taken back", got)
	}
	third := k.call("write", `{}`)
	_, next, _ := k.question()
	if mustQuery(t, page).Get("state") == mustQuery(t, next).Get("state") {
		t.Error("the sign-in that was given up goes on")
	}
	g.visit(t, next)
	for got := ""; !strings.Contains(got, fmt.Sprintf(`"id":%d,"result"`, third)); {
		if got = k.receive(); got == "" {
			t.Fatal("no result")
		}
	}
	k.leaveSite()
}

// A client that finds out what the bridge speaks starts no sign-in by that, and asks the
// server nothing: it may be a process that lives for a second.
//
// req: U11
func TestT19ProbeOfAGuardedServer(t *testing.T) {
	g := newGuarded(t, nil)
	k := bridged(t, Config{Upstream: g.remote(t, newMemory(t))})
	k.send(`{"jsonrpc":"2.0","id":"probe","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	if got := k.receive(); !strings.Contains(got, `"id":"probe","error":{"code":-32601`) {
		t.Errorf("got %s, want that there is no such method", got)
	}
	k.leaveSite()
	if all := g.Requests(); len(all) != 0 || len(g.shownURLs()) != 0 {
		t.Errorf("requests %q", all)
	}
}
