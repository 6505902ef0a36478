package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// asking is a Consent of a test.
type asking struct {
	answer func(ctx context.Context, u oauthloopback.AuthURL) error
	mu     sync.Mutex
	scopes []string
	over   int
}

func (a *asking) Ask(ctx context.Context, u oauthloopback.AuthURL, scopes string) error {
	a.mu.Lock()
	a.scopes = append(a.scopes, scopes)
	a.mu.Unlock()
	return a.answer(ctx, u)
}

func (a *asking) Over() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over++
}

// At work, more scopes are asked for with those of before, after a question; once for each
// request.
//
// req: S05, S18
func TestS05StepUp(t *testing.T) {
	p := newProvider(t)
	p.Resource["scopes_supported"] = []string{"read"}
	c, u := p.coordinator(t, nil)
	gen := c.signedIn(t)
	consent := &asking{answer: u.browser.Visit}
	c.Initialized(consent)
	p.Token = func(a object) { a["scope"] = "write" } // fewer than were asked for
	b := new(Budget)
	if err := c.Challenged(t.Context(), short(gen, "write"), b); err != nil {
		t.Fatal(err)
	}
	if q := p.Asked("/authorize")[1].Query; q.Get("scope") != "read write" || p.Count("/register") != 1 {
		t.Errorf("asked for %q", q.Get("scope"))
	}
	if !slices.Equal(consent.scopes, []string{"read write"}) || consent.over != 1 {
		t.Errorf("asked %q, told that it is over %d times", consent.scopes, consent.over)
	}
	if len(u.browser.Pages()) == 0 {
		t.Error("the browser saw nothing")
	}
	_, gen = c.Token(t.Context())
	wantCause(t, c.Challenged(t.Context(), short(gen, "read"), new(Budget)), mcpwire.CauseInsufficientScope) // just agreed to
	wantCause(t, c.Challenged(t.Context(), short(gen, "admin"), b), mcpwire.CauseInsufficientScope)          // tried for this request
	wantCause(t, c.Challenged(t.Context(), Refusal{Status: 403, Gen: gen}, new(Budget)), mcpwire.CauseUpstreamForbidden)
	c.age(2 * time.Minute)
	wantCause(t, c.Challenged(t.Context(), short(gen, "write"), new(Budget)), mcpwire.CauseInsufficientScope) // it is granted
	if p.Count("/authorize") != 2 {
		t.Errorf("the user was asked %d times, want twice", p.Count("/authorize"))
	}
	// After a restart the scopes are known.
	next, w := p.coordinator(t, func(o *Options) { o.Vault, o.RedirectPort = c.o.Vault, c.o.RedirectPort })
	next.Initialized(&asking{answer: w.browser.Visit})
	_, gen = next.Token(t.Context())
	if err := next.Challenged(t.Context(), short(gen, "admin"), new(Budget)); err != nil {
		t.Fatal(err)
	}
	if q := p.Asked("/authorize")[2].Query; q.Get("scope") != "read write admin" {
		t.Errorf("after a restart asked for %q", q.Get("scope"))
	}
}

// A token that is void at work has the user asked, without scopes in the question: he has
// agreed to them before.
//
// req: S05
func TestS05QuestionWithoutScopes(t *testing.T) {
	p := newProvider(t)
	p.Resource["scopes_supported"] = []string{"read"}
	c, u := p.coordinator(t, nil)
	gen := c.signedIn(t)
	consent := &asking{answer: u.browser.Visit}
	c.Initialized(consent)
	if err := c.Challenged(t.Context(), refused(gen-1), new(Budget)); err != nil { // there is a newer token
		t.Fatal(err)
	}
	c.age(2 * time.Minute)
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
	if !slices.Equal(consent.scopes, []string{""}) || p.Asked("/authorize")[1].Query.Get("scope") != "read" {
		t.Errorf("asked %q, and for %q", consent.scopes, p.Asked("/authorize")[1].Query.Get("scope"))
	}
}

// Without a way to ask nothing is opened at work.
//
// req: S05
func TestS05NobodyToAsk(t *testing.T) {
	p := newProvider(t)
	c, u := p.coordinator(t, nil)
	c.Initialized(nil)
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInNoConsent)
	p.wantRequests(t)
	if shown, _ := u.saw(); len(shown) != 0 || len(u.browser.Pages()) != 0 {
		t.Errorf("%d URLs were shown", len(shown))
	}
}

// req: S19
func TestS19Sandbox(t *testing.T) {
	p := newProvider(t)
	c, u := p.coordinator(t, func(o *Options) { o.Sandboxed = true })
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInSandbox)
	p.wantRequests(t)
	if shown, _ := u.saw(); len(shown) != 0 {
		t.Errorf("%d URLs were shown", len(shown))
	}
}

// After a question that came to nothing nobody is asked for a minute, for whatever scopes.
//
// req: S06, S23
func TestS06Cooldown(t *testing.T) {
	declined := func(context.Context, oauthloopback.AuthURL) error { return oauthloopback.ErrDeclined }
	for _, tt := range []struct {
		name   string
		answer func(u *user) func(context.Context, oauthloopback.AuthURL) error
		change func(p *provider)
		cause  mcpwire.Cause
		cools  bool
	}{
		{"declined", func(*user) func(context.Context, oauthloopback.AuthURL) error { return declined }, nil, mcpwire.CauseSignInDeclined, true},
		{"question that cannot be put", func(*user) func(context.Context, oauthloopback.AuthURL) error {
			return func(context.Context, oauthloopback.AuthURL) error { return errors.New("hidden") }
		}, nil, mcpwire.CauseSignInError, true},
		{"denied", nil, func(p *provider) {
			p.Redirect = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
		}, mcpwire.CauseSignInDenied, true},
		{"another issuer", nil, func(p *provider) { p.Redirect = func(q url.Values) { q.Set("iss", "x") } }, mcpwire.CauseIssMismatch, true},
		{"no token", nil, func(p *provider) { p.On["/token"] = signintest.Status(500) }, mcpwire.CauseTokenExchangeFailed, true},
		{"nothing was asked", nil, func(p *provider) { p.On[resourceAtPath] = signintest.Status(500) }, mcpwire.CauseDiscoveryFailed, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			c, u := p.coordinator(t, nil)
			if tt.change != nil {
				tt.change(p)
			}
			consent := &asking{answer: u.browser.Visit}
			if tt.answer != nil {
				consent.answer = tt.answer(u)
			}
			c.Initialized(consent)
			wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), tt.cause)
			before := len(p.Requests())
			again := tt.cause
			if tt.cools {
				again = mcpwire.CauseSignInCooldown
			}
			err := c.Challenged(t.Context(), short(0, "other"), new(Budget))
			wantCause(t, err, again)
			if e, _ := errors.AsType[*Error](err); tt.cools && e.After != tt.cause || c.unanswered().Cause != tt.cause {
				t.Errorf("after %q, and unanswered is %v", e.After, c.unanswered())
			}
			if _, events := u.saw(); len(events) == 0 || events[0].Kind != NotSignedIn || events[0].Err.Cause != tt.cause || tt.cools && len(events) != 1 {
				t.Errorf("events %v", events)
			}
			if got := len(p.Requests()); tt.cools && got != before {
				t.Errorf("requests %q", p.Requests()[before:])
			}
			c.mu.Lock()
			left := time.Until(c.until)
			c.until = time.Time{} // a minute has passed
			c.mu.Unlock()
			if tt.cools != (left > 30*time.Second) || left > 60*time.Second || cooldown != 60*time.Second {
				t.Errorf("nobody is asked for %v", left)
			}
			wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), tt.cause)
			if consent.over != 0 {
				t.Error("it was over in order")
			}
		})
	}
}

// A user who does not come back in time is left alone at work, and at the start may begin
// anew; the cause is the one whose text names logout.
//
// req: S20, S06, S10
func TestS20UserWhoDoesNotComeBack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		later bool
		next  mcpwire.Cause
	}{{"at the start", false, mcpwire.CauseSignInTimeout}, {"at work", true, mcpwire.CauseSignInCooldown}} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			c, u := p.coordinator(t, func(o *Options) { o.NoBrowser, o.Timeout = true, time.Second })
			if tt.later {
				c.Initialized(&asking{answer: func(context.Context, oauthloopback.AuthURL) error { return nil }})
			}
			wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInTimeout)
			wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), tt.next)
			if _, events := u.saw(); len(events) == 0 || events[0].Kind != NotSignedIn || events[0].Err.Cause != mcpwire.CauseSignInTimeout {
				t.Errorf("events %v", events)
			}
		})
	}
}

// While a session starts there is no question, so there is none to be spared.
//
// req: S06
func TestS06NoCooldownAtTheStart(t *testing.T) {
	p := newProvider(t)
	p.Redirect = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
	c, _ := p.coordinator(t, nil)
	for range 2 {
		wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseSignInDenied)
	}
	if p.Count("/authorize") != 2 || p.Count("/token") != 0 {
		t.Errorf("requests %q", p.Requests())
	}
}

// At work, what could not be found out is not looked for again with each request, for a
// while that doubles. Success ends that.
//
// req: S18
func TestB49NegativeResults(t *testing.T) {
	p := newProvider(t)
	c, u := p.coordinator(t, nil)
	p.On[resourceAtPath] = signintest.Status(500)
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseDiscoveryFailed)
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseDiscoveryFailed)
	if n := p.Count(resourceAtPath); n != 2 {
		t.Errorf("%d requests while the session starts, want 2", n)
	}
	c.Initialized(&asking{answer: u.browser.Visit})
	var waits []time.Duration
	for range 9 {
		asked := len(p.Requests())
		wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseDiscoveryFailed)
		if n := len(p.Requests()); n != asked {
			t.Errorf("requests %q within the wait", p.Requests()[asked:])
		}
		c.mu.Lock()
		waits = append(waits, time.Until(c.vain.until).Round(time.Second))
		c.vain.until = time.Time{} // the wait is over
		c.mu.Unlock()
		wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseDiscoveryFailed)
		if n := len(p.Requests()); n != asked+1 {
			t.Errorf("requests %q, want one more", p.Requests()[asked:])
		}
	}
	want := []time.Duration{2, 4, 8, 16, 32, 60, 60, 60, 60}
	for i := range want {
		want[i] *= time.Second
	}
	if !slices.Equal(waits, want) {
		t.Errorf("waits %v, want %v", waits, want)
	}
	c.mu.Lock()
	c.vain.until = time.Time{}
	c.mu.Unlock()
	delete(p.On, resourceAtPath)
	if err := c.Challenged(t.Context(), refused(0), new(Budget)); err != nil {
		t.Fatal(err)
	}
	if c.vain != (vain{}) {
		t.Errorf("after a success, %+v", c.vain)
	}
}
