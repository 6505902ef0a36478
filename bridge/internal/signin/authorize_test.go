package signin

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/mcpwire"
)

func newPending(t testing.TB, endpoint string) *pending {
	return &pending{
		server: authServer{issuer: "https://as.example", authorization: mustParse(t, endpoint)}, client: client{id: "my client"},
		resource: "https://h.example/mcp", redirect: testRedirect, scopes: scopes{"a", "b"}, consent: true,
		state: newState(), verifier: newVerifier(),
	}
}

// req: S18
func TestAuthorizationURL(t *testing.T) {
	p := newPending(t, "https://AS.example/authorize?tenant=1%202")
	got := p.url()
	want := "https://as.example/authorize?tenant=1%202&response_type=code&client_id=my%20client" +
		"&redirect_uri=http%3A%2F%2F127.0.0.1%3A41895%2Fcallback&state=" + p.state.Expose() +
		"&code_challenge=" + oauth2.S256ChallengeFromVerifier(p.verifier.Expose()) + "&code_challenge_method=S256" +
		"&resource=https%3A%2F%2Fh.example%2Fmcp&scope=a%20b&prompt=consent"
	if got != want {
		t.Errorf("url() = %s\nwant    %s", got, want)
	}
	if len(p.state.Expose()) != 43 || p.state.Equal(newState()) || p.verifier.Equal(newVerifier()) {
		t.Error("a state or a verifier is not new or not long enough")
	}
	p.scopes, p.resource, p.consent = nil, "", false
	if got := p.url(); strings.Contains(got, "scope") || strings.Contains(got, "resource") || strings.Contains(got, "prompt") {
		t.Errorf("url() = %s, want no scope, resource and prompt", got)
	}
}

// What the bridge decides about is not taken from the endpoint.
//
// req: S18
func TestReservedParameters(t *testing.T) {
	for _, name := range reserved {
		if !bringsReserved(mustParse(t, "https://as.example/a?x=1&"+name+"=y")) {
			t.Errorf("%s is let through", name)
		}
	}
	for _, query := range []string{"a;b", "%zz", "%73tate=y"} {
		if !bringsReserved(mustParse(t, "https://as.example/a?"+query)) {
			t.Errorf("%s is let through", query)
		}
	}
	if bringsReserved(mustParse(t, "https://as.example/a?tenant=1")) {
		t.Error("another parameter is not let through")
	}
}

// req: S18
func TestIssuerOfARedirect(t *testing.T) {
	const issuer = "https://as.example"
	for _, tt := range []struct {
		name                string
		advertised, present bool
		iss                 string
		cause               mcpwire.Cause
	}{
		{"advertised, right", true, true, issuer, ""},
		{"advertised, missing", true, false, "", mcpwire.CauseIssMissing},
		{"advertised, another", true, true, "https://other.example", mcpwire.CauseIssMismatch},
		{"advertised, empty", true, true, "", mcpwire.CauseIssMismatch},
		{"not advertised, right", false, true, issuer, ""},
		{"not advertised, missing", false, false, "", ""},
		{"not advertised, another", false, true, "https://other.example", mcpwire.CauseIssMismatch},
		{"with a slash", false, true, issuer + "/", mcpwire.CauseIssMismatch},
		{"in another case", true, true, "https://AS.example", mcpwire.CauseIssMismatch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &pending{server: authServer{issuer: issuer, iss: tt.advertised}}
			if err := p.checkIssuer(tt.iss, tt.present); causeOf(err) != tt.cause {
				t.Errorf("checkIssuer() = %v, want cause %q", err, tt.cause)
			}
		})
	}
}

// The receiver has compared the state; a redirect of another sign-in is not taken here
// either.
//
// req: S18
func TestStateOfARedirect(t *testing.T) {
	p := newPending(t, "https://as.example/a")
	if err := p.checkState(p.state.Expose()); err != nil {
		t.Errorf("its own: %v", err)
	}
	for _, other := range []string{"", p.state.Expose() + "x", newState().Expose()} {
		if err := p.checkState(other); causeOf(err) != mcpwire.CauseSignInError {
			t.Errorf("another: %v", err)
		}
	}
}

// Whatever the endpoint is, a URL that comes of it brings the parameters once each.
func FuzzAuthorizationURL(f *testing.F) {
	f.Add("https://as.example/authorize?a=b")
	f.Add("https://as.example?")
	f.Fuzz(func(t *testing.T, endpoint string) {
		if u, ok := parseURL(endpoint, false); !ok || bringsReserved(u) {
			return
		}
		p := newPending(t, endpoint)
		got := p.url()
		u, failure := url.Parse(got)
		if failure != nil {
			t.Fatalf("%q: %v", got, failure)
		}
		q, failure := url.ParseQuery(u.RawQuery)
		if failure != nil || len(q["state"]) != 1 || q.Get("state") != p.state.Expose() || len(q["redirect_uri"]) != 1 || len(q["client_id"]) != 1 {
			t.Errorf("%q of %q", got, endpoint)
		}
	})
}
