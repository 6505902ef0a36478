package signin

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// account is one at p with a sign-in that is kept, of a client that was registered with a
// secret.
func (p *provider) account(t *testing.T, change func(r *record)) (*account, kept) {
	t.Helper()
	server := p.parsed(t, "/mcp")
	a := &account{start: started, web: p.web(t), vault: newVault(t), id: signInID("", server), server: server}
	return a, p.signedIn(t, a, change)
}

// signedIn keeps a sign-in of a.
func (p *provider) signedIn(t *testing.T, a *account, change func(r *record)) kept {
	t.Helper()
	c := client{source: sourceRegistered, id: "registered", secret: secretOf("client secret"), method: methodPost}
	clientStore{a.vault}.put(t.Context(), p.URL, testRedirect, keptClient{client: c})
	r := record{
		issuer: p.URL, resource: p.URL + "/mcp", endpoint: p.URL + "/token", redirect: testRedirect, client: c,
		requested: scopes{"a", "b"}, granted: scopes{"a"}, access: secretOf("access-0"), refresh: secretOf("refresh-0"),
		expires: time.Now().Add(time.Minute),
	}
	if change != nil {
		change(&r)
	}
	if k := a.save(t.Context(), r); k.unkept {
		t.Fatal("not stored")
	}
	k, ok := a.load(t.Context())
	if !ok {
		t.Fatal("what was saved is not found")
	}
	return k
}

// rotate answers refreshes with new tokens, and takes each refresh token once.
func rotate() http.HandlerFunc {
	n := 0
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.PostFormValue("refresh_token") != fmt.Sprintf("refresh-%d", n) {
			signintest.SendJSON(w, http.StatusBadRequest, object{"error": "invalid_grant"})
			return
		}
		n++
		signintest.SendJSON(w, http.StatusOK, object{
			"access_token": fmt.Sprintf("access-%d", n), "refresh_token": fmt.Sprintf("refresh-%d", n), "token_type": "Bearer", "expires_in": 3600,
		})
	}
}

// A refresh names the resource as the sign-in did, asks for no scope, and keeps what it
// gets.
//
// req: S18
func TestRefresh(t *testing.T) {
	p := newProvider(t)
	p.On["/token"] = rotate()
	a, k := p.account(t, nil)
	got, err := a.refresh(t.Context(), k, true)
	if err != nil || got.access.Expose() != "access-1" || got.refresh.Expose() != "refresh-1" {
		t.Fatalf("refresh() = %v", err)
	}
	want := url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {"refresh-0"}, "resource": {p.URL + "/mcp"},
		"client_id": {"registered"}, "client_secret": {"client secret"},
	}
	if q := p.Asked("/token")[0]; q.Body != want.Encode() || q.Header.Get("Authorization") != "" {
		t.Errorf("body %q, want %q", q.Body, want.Encode())
	}
	stored, ok := a.load(t.Context())
	if !ok || stored.rev != got.rev || stored.refresh.Expose() != "refresh-1" || stored.expires.IsZero() ||
		!slices.Equal(stored.requested, k.requested) || stored.client.id != "registered" || stored.resource != k.resource {
		t.Errorf("%d requested scopes are kept, client %q", len(stored.requested), stored.client.id)
	}
}

// Where the parameter was left out at the sign-in, it is left out. A server that gives no
// new refresh token means the old one.
//
// req: S18
func TestRefreshWithoutResourceAndRotation(t *testing.T) {
	p := newProvider(t)
	p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
		signintest.SendJSON(w, http.StatusOK, object{"access_token": "access-1", "token_type": "Bearer", "scope": "a b"})
	}
	a, k := p.account(t, func(r *record) { r.resource = "" })
	got, err := a.refresh(t.Context(), k, true)
	if err != nil || got.refresh.Expose() != "refresh-0" || !got.expires.IsZero() || !slices.Equal(got.granted, scopes{"a", "b"}) {
		t.Errorf("refresh() = %v, granted %v", err, got.granted)
	}
	if form := p.Asked("/token")[0].Form; form.Has("resource") || form.Has("scope") {
		t.Errorf("form has %v and %v", form["resource"], form["scope"])
	}
}

// Of many who want the same refresh, one makes it, and all have what it gave.
//
// req: S18, V07
func TestRefreshOnceForAll(t *testing.T) {
	p := newProvider(t)
	p.On["/token"] = rotate()
	a, k := p.account(t, nil)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got, err := a.refresh(t.Context(), k, true)
			if err != nil || got.access.Expose() != "access-1" {
				t.Errorf("refresh() = %v", err)
			}
		})
	}
	all.Wait()
	p.wantRequests(t, "POST /token")
}

// A server that says no, in each way, and what is left then.
//
// req: S18
func TestRefreshRefused(t *testing.T) {
	refuse := func(status int, code string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			signintest.SendJSON(w, status, object{"error": code, "error_description": "hidden"})
		}
	}
	for _, tt := range []struct {
		name    string
		answer  http.HandlerFunc
		signIn  bool // only that helps
		refresh string
		code    string
	}{
		{"refresh token that is revoked", refuse(400, "invalid_grant"), true, "", ""},
		{"client that is gone", refuse(401, "invalid_client"), true, "refresh-0", "invalid_client"},
		{"no with the status of a yes", refuse(200, "bad_refresh_token"), true, "refresh-0", "bad_refresh_token"},
		{"client that must not", refuse(400, "unauthorized_client"), true, "refresh-0", "unauthorized_client"},
		{"another type of token", func(w http.ResponseWriter, _ *http.Request) {
			signintest.SendJSON(w, 200, object{"access_token": "hidden", "token_type": "mac"})
		}, true, "refresh-0", ""},
		{"server with an error", refuse(500, "server_error"), false, "refresh-0", "server_error"},
		{"server that is busy", refuse(429, "slow_down"), false, "refresh-0", "slow_down"},
		{"page in between", signintest.Content("text/html", "hidden"), false, "refresh-0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.On["/token"] = tt.answer
			a, k := p.account(t, nil)
			got, err := a.refresh(t.Context(), k, true)
			e, ok := errors.AsType[*refreshError](err)
			if !ok || e.signIn != tt.signIn || e.why.Cause != mcpwire.CauseRefreshFailed || e.why.Code != tt.code || strings.Contains(err.Error(), "hidden") {
				t.Fatalf("refresh() = %v, want one that a sign-in helps: %v, code %q", err, tt.signIn, tt.code)
			}
			stored, ok := a.load(t.Context())
			if !ok || stored.refresh.Expose() != tt.refresh || !slices.Equal(stored.requested, scopes{"a", "b"}) || stored.client.id != "registered" {
				t.Errorf("stored: refresh token of %d bytes, scopes %v", stored.refresh.Len(), stored.requested)
			}
			if tt.refresh == "" && !stored.access.IsZero() {
				t.Error("an access token that is dead stays")
			}
			if tt.refresh == "" {
				if _, err := a.refresh(t.Context(), got, true); err == nil || len(p.Asked("/token")) != 1 {
					t.Errorf("once more: %v, %d requests", err, len(p.Asked("/token")))
				}
			}
		})
	}
}

// An access token that is good for a while outlives its refresh token.
//
// req: S18
func TestEarlyRefreshRefused(t *testing.T) {
	p := newProvider(t)
	p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
		signintest.SendJSON(w, 400, object{"error": "invalid_grant"})
	}
	a, k := p.account(t, nil)
	if _, err := a.refresh(t.Context(), k, false); err == nil {
		t.Error("no error")
	}
	if stored, ok := a.load(t.Context()); !ok || stored.access.Expose() != "access-0" || !stored.refresh.IsZero() {
		t.Error("the access token is gone, or the refresh token is not")
	}
}

// broken is a client whose answers make it panic.
type broken struct{}

func (broken) RoundTrip(*http.Request) (*http.Response, error) {
	panic("an answer that nobody has thought of")
}

// A panic ends the refresh, and not the process; what is kept stays.
//
// req: P01
func TestRefreshThatPanics(t *testing.T) {
	p := newProvider(t)
	a, k := p.account(t, nil)
	a.web = web{&http.Client{Transport: broken{}}}
	_, err := a.refresh(t.Context(), k, true)
	if e, ok := errors.AsType[*refreshError](err); !ok || e.signIn || e.why.Cause != mcpwire.CauseSignInAborted {
		t.Errorf("refresh() = %v", err)
	}
	if stored, ok := a.load(t.Context()); !ok || stored.refresh.Expose() != "refresh-0" {
		t.Error("the record has changed")
	}
}

// A request that was never sent spends nothing.
//
// req: S18
func TestRefreshThatIsNotSent(t *testing.T) {
	p := newProvider(t)
	a, k := p.account(t, nil)
	p.Close()
	_, err := a.refresh(t.Context(), k, true)
	if e, ok := errors.AsType[*refreshError](err); !ok || e.signIn || !errors.Is(err, tokenvault.ErrKeep) || e.why.Detail != DetailUnreachable {
		t.Errorf("refresh() = %v", err)
	}
	if stored, ok := a.load(t.Context()); !ok || stored.refresh.Expose() != "refresh-0" || stored.rev != k.rev {
		t.Error("the record has changed")
	}
}

// What somebody else has got meanwhile is taken, and nobody is asked.
//
// req: V07
func TestRefreshByAnother(t *testing.T) {
	p := newProvider(t)
	a, k := p.account(t, nil)
	newer := k.record
	newer.access, newer.refresh = secretOf("access-other"), secretOf("refresh-other")
	if k := a.save(t.Context(), newer); k.unkept {
		t.Fatal("not stored")
	}
	got, err := a.refresh(t.Context(), k, true)
	if err != nil || got.access.Expose() != "access-other" {
		t.Errorf("refresh() = %v", err)
	}
	p.wantRequests(t)
}

// What could not be stored is not lost for who has it.
//
// req: S18, V08
func TestRefreshThatIsNotStored(t *testing.T) {
	v, dir := newFiles(t)
	p := newProvider(t)
	server := p.parsed(t, "/mcp")
	a := &account{start: started, web: p.web(t), vault: v, id: signInID("", server), server: server}
	k := p.signedIn(t, a, nil)
	gone := rotate()
	p.On["/token"] = func(w http.ResponseWriter, r *http.Request) {
		removeFiles(t, dir) // somebody clears the directory meanwhile
		gone(w, r)
	}
	got, err := a.refresh(t.Context(), k, true)
	if err != nil || !got.unkept || got.access.Expose() != "access-1" || got.refresh.Expose() != "refresh-1" {
		t.Errorf("refresh() = %v", err)
	}
	if _, ok := a.load(t.Context()); ok {
		t.Error("what was cleared is there again")
	}
}

// The person is told that a token could not be stored, after a refresh too, and once in a
// session.
//
// req: S18, V08
func TestNotStoredIsSaidOnce(t *testing.T) {
	v, dir := newFiles(t)
	p := newProvider(t)
	c, u := p.coordinator(t, func(o *Options) { o.Vault = v })
	p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
		if p.Count("/token") > 1 {
			removeFiles(t, dir)
		}
		p.Exchange(w, p.Asked("/token")[p.Count("/token")-1])
	}
	gen := c.signedIn(t)
	for _, want := range [][]Event{
		{{Kind: SignedIn}, {Kind: NotStored}},                   // after a refresh
		{{Kind: SignedIn}, {Kind: NotStored}, {Kind: SignedIn}}, // after a sign-in, since there is nothing to refresh
	} {
		c.age(2 * time.Minute)
		if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil {
			t.Fatal(err)
		}
		if _, events := u.saw(); !slices.Equal(events, want) {
			t.Errorf("events %v, want %v", events, want)
		}
		_, gen = c.Token(t.Context())
	}
}

// newFiles keeps records in the files of a directory.
func newFiles(t testing.TB) (v *tokenvault.Vault, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "vault")
	v, err := tokenvault.Open(t.Context(), filesIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v, dir
}

func filesIn(dir string) tokenvault.Config {
	return tokenvault.Config{Mode: tokenvault.File, Dir: dir, Key: tokenvault.KeyFromHex(secretOf(strings.Repeat("5a3c", 16)))}
}

// A session signs in anew when its token is refused after everything was deleted: then
// there is nothing to wait for.
//
// req: S18, V05
func TestEverythingIsDeletedMeanwhile(t *testing.T) {
	for _, tt := range []struct {
		name    string
		deleted func(t *testing.T, dir string)
	}{
		{"by the bridge", func(t *testing.T, dir string) {
			if _, err := tokenvault.Reset(t.Context(), filesIn(dir), tokenvault.DeleteEverything); err != nil {
				t.Error(err)
			}
		}},
		{"by hand", removeFiles},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, dir := newFiles(t)
			p := newProvider(t)
			c, _ := p.coordinator(t, func(o *Options) { o.Vault = v })
			gen := c.signedIn(t)
			tt.deleted(t, dir)
			c.age(2 * time.Minute)
			if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil || p.Count("/authorize") != 2 {
				t.Errorf("%v, requests %q", err, p.Requests())
			}
		})
	}
}

func removeFiles(t *testing.T, dir string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			os.Remove(path) // on Windows a lock that is held stays
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The secret of a client that was registered by hand is not stored, and goes with its
// client alone.
//
// req: P07
func TestP07SecretIsNotStored(t *testing.T) {
	const hidden = "hidden-secret"
	p := newProvider(t)
	p.On["/token"] = rotate()
	o := ClientOptions{ID: "mine", Secret: secretOf(hidden), Issuer: p.URL}
	server := p.parsed(t, "/mcp")
	a := &account{start: started, web: p.web(t), vault: newVault(t), id: signInID("", server), server: server, options: o}
	k := p.signedIn(t, a, func(r *record) {
		r.client = client{source: sourceConfigured, id: "mine", secret: o.Secret, method: methodBasic}
	})
	if !k.client.secret.IsZero() {
		t.Error("the record has a secret")
	}
	e, err := a.vault.Get(t.Context(), a.id)
	if err != nil || strings.Contains(e.Value.Expose(), hidden) || strings.Contains(fmt.Sprint(e), hidden) {
		t.Errorf("the secret is stored, or %v", err)
	}
	if _, err := a.refresh(t.Context(), k, true); err != nil {
		t.Fatal(err)
	}
	if _, password, _ := (&http.Request{Header: p.Asked("/token")[0].Header}).BasicAuth(); password != hidden {
		t.Error("the secret was not sent to its issuer")
	}
	for _, other := range []ClientOptions{{}, {ID: "other"}, {ID: "mine", Issuer: "https://other.example"}} {
		a.options = other
		if _, ok := a.load(t.Context()); ok {
			t.Errorf("a record of another client is used for %q of %q", other.ID, other.Issuer)
		}
	}
	a.options = o
	if _, ok := a.load(t.Context()); !ok {
		t.Error("a record of another client was deleted")
	}
}

// A record whose client was registered again since is of no use for a refresh.
//
// req: P07
func TestRefreshOfAnotherClient(t *testing.T) {
	p := newProvider(t)
	a, k := p.account(t, nil)
	other := client{source: sourceRegistered, id: "other", secret: secretOf("secret of another"), method: methodPost}
	clientStore{a.vault}.put(t.Context(), p.URL, testRedirect, keptClient{client: other})
	if _, err := a.refresh(t.Context(), k, true); err == nil {
		t.Error("no error")
	}
	p.wantRequests(t)
}

// A record can be printed, and shows nothing.
//
// req: P04
func TestRecordsAreNotPrinted(t *testing.T) {
	p := newProvider(t)
	a, k := p.account(t, func(r *record) { r.access, r.refresh = secretOf("marker-a"), secretOf("marker-r") })
	pending := newPending(t, "https://as.example/a")
	pending.state, pending.verifier, pending.client.secret = secretOf("marker-s"), secretOf("marker-v"), secretOf("marker-c")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, value := range []any{a, k, k.record, &k, pending, *pending, tokens{access: secretOf("marker-t")}, basicClient{"id", secretOf("marker-b")}} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, "marker") || strings.Contains(text, fmt.Sprintf("%x", "marker")) {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
}
