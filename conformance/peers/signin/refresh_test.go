package signin

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A token that has expired is refreshed, with what it is for and no browser, each time with
// the newest refresh token. One that the server takes back early is refreshed, too.
//
// req: S18
func TestSignInPeerRefresh(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	p.lives(int(refreshFloor/time.Second) + 1)
	who := newPerson(t, p)
	m := p.mark()
	who.start().open().close()
	outlive(t)
	f := who.start().open()
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	p.wants(t, m, 1, 1, 1)
	outlive(t)
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	p.wants(t, m, 1, 2, 1)

	p.lives(3600)
	outlive(t)
	f.call("whoami") // gets a token that is good for an hour
	outlive(t)
	p.do("revokeAccess", nil, nil)
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	p.wants(t, m, 1, 4, 1)
	f.close()
	who.opened(1)
	wantRotation(t, p, m)
}

// wantRotation wants each refresh since m to be for the server, without a client that proves
// itself, and with the refresh token of the answer before it.
func wantRotation(t *testing.T, p *peer, m mark) {
	t.Helper()
	var sent []string
	for _, r := range p.granted(m, byRefresh) {
		sent = append(sent, r.text("refresh_token"))
		if r.text("resource") != p.URL || r.Authorization != "" || r.Status != 200 {
			t.Errorf("a refresh for %q, with an Authorization of kind %q, answered with %d", r.text("resource"), r.Authorization, r.Status)
		}
	}
	if given := p.tokens().Refresh; !slices.Equal(sent, given[:len(given)-1]) {
		t.Errorf("the refreshes had not each the token that was given before it: %d sent, %d given", len(sent), len(given))
	}
}

// A refresh token that is void leads to one new sign-in, not more, and to none when a request
// comes right after.
//
// req: S18
func TestSignInPeerRevoked(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	who := newPerson(t, p)
	who.start().open().close()
	outlive(t)
	p.revoke()
	m := p.mark()
	f := who.start().open()
	for range 3 {
		if got := f.call("whoami").text(); got != "user" {
			t.Errorf("answer %s", got)
		}
	}
	f.close()
	p.wants(t, m, 1, 1, 0)
	who.opened(2)
	if r := p.granted(m, byRefresh)[0]; r.Status != 400 {
		t.Errorf("the refresh got the status %d", r.Status)
	}
	m = p.mark()
	who.start().open().close()
	p.wants(t, m, 0, 0, 0)
}

// Windows that are opened together sign in once. When their token has expired, they refresh
// it once.
//
// req: V07, S18
func TestSignInPeerProcesses(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	p.lives(int(refreshFloor/time.Second) + 1)
	who := newPerson(t, p)
	m := p.mark()
	together(t, who, 12)
	p.wants(t, m, 1, 0, 1)
	outlive(t)
	p.lives(3600)
	m = p.mark()
	together(t, who, 12)
	p.wants(t, m, 0, 1, 0)
	who.opened(1)
	wantRotation(t, p, m)
}

// together starts bridges at once, and wants each to work.
func together(t *testing.T, who *person, n int) {
	t.Helper()
	fronts := make([]*front, n)
	for i := range fronts {
		fronts[i] = who.start()
	}
	answers := make([]func() reply, n)
	for i, f := range fronts {
		_, answers[i] = f.initializing(object{})
	}
	var all sync.WaitGroup
	for i, f := range fronts {
		if r := answers[i](); r.Error != nil {
			t.Errorf("a bridge of %d: %s", n, r.cause())
			continue
		}
		f.initialized()
		if got := f.call("whoami").text(); got != "user" {
			t.Errorf("a bridge of %d: %s", n, got)
		}
		all.Go(f.close)
	}
	all.Wait()
}

// Windows that are opened together when the refresh token is void sign in once.
//
// req: V07, S18
func TestSignInPeerRevokedForAll(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	who := newPerson(t, p)
	who.start().open().close()
	outlive(t)
	p.revoke()
	m := p.mark()
	together(t, who, 6)
	p.wants(t, m, 1, 1, 0)
	who.opened(2)
}

// A client that the authorization server has forgotten registers again, and the person signs
// in once more.
//
// req: S18
func TestSignInPeerForgottenClient(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	who := newPerson(t, p)
	who.start().open().close()
	outlive(t)
	p.do("revokeAccess", nil, nil)
	p.do("forgetClients", nil, nil)
	m := p.mark()
	f := who.start().open()
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	f.close()
	p.wants(t, m, 1, 1, 1)
	who.opened(2)
}

// A refresh that the authorization server cannot answer now changes nothing while the token is
// good, and is no reason to ask the person after that.
//
// req: S18
func TestSignInPeerRefreshLater(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	p.lives(int(refreshFloor/time.Second) + 9) // so that it is about to expire as soon as it may be refreshed
	who := newPerson(t, p)
	who.start().open().close()
	outlive(t)
	p.answers(t, map[string]answer{"/token": {http.StatusServiceUnavailable, nil, ""}})
	m := p.mark()
	f := who.start().open()
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	p.do("revokeAccess", nil, nil)
	if got := f.call("whoami").cause(); got != "refresh_failed" {
		t.Errorf("cause %q", got)
	}
	f.unasked()
	if got := len(p.since(m, "/token")); got != 2 {
		t.Errorf("%d requests for tokens, want one early and one for the refusal", got)
	}
	p.do("instead", nil, nil)
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	f.close()
	who.opened(1)
}

// Two accounts at a server are kept side by side, and the end of one is not that of the other.
//
// req: V05
func TestSignInPeerAccounts(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	for _, name := range []string{"alice", "bob"} {
		v := who.visitor
		v.User = name
		who.uses(v)
		who.start("--account", name).open().close()
	}
	m := p.mark()
	for _, name := range []string{"alice", "bob", "alice"} {
		f := who.start("--account", name).open()
		if got := f.call("whoami").text(); got != name {
			t.Errorf("%s is signed in as %s", name, got)
		}
		f.close()
	}
	p.wants(t, m, 0, 0, 0)
	who.run("logout", "--token-store", "file", "--account", "alice", p.URL)
	who.start("--account", "bob").open().close()
	p.wants(t, m, 0, 0, 0)
	who.start("--account", "alice").open().close()
	p.wants(t, m, 1, 0, 0)
	for _, account := range []string{"account=alice ", "account=bob "} {
		if status := who.run("status", "--token-store", "file"); strings.Count(status, account) != 1 {
			t.Errorf("status has not one line with %s:\n%s", account, status)
		}
	}
}
