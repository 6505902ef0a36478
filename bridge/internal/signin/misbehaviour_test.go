package signin

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// What servers do wrong in a sign-in, from the challenge to the token: each has its cause,
// nothing is sent that should not be, and no text holds what they sent.
//
// req: S18, P04
func TestMisbehaviour(t *testing.T) {
	const (
		resources  = "GET " + resourceAtPath
		metadata   = "GET /.well-known/oauth-authorization-server"
		register   = "POST /register"
		authorize  = "GET /authorize"
		token      = "POST /token"
		challenged = "/challenged"
	)
	before := []string{resources, metadata}
	user := []string{resources, metadata, register, authorize}
	whole := []string{resources, metadata, register, authorize, token}
	set := func(name string, value any) func(p *provider) {
		return func(p *provider) { p.Metadata[name] = value }
	}
	redirect := func(change func(q url.Values)) func(p *provider) {
		return func(p *provider) { p.Redirect = change }
	}
	answer := func(change func(a object)) func(p *provider) {
		return func(p *provider) { p.Token = change }
	}
	for _, tt := range []struct {
		name      string
		challenge string // the header; %s is the URL of the provider
		change    func(p *provider)
		twice     bool // the start URL is opened
		cause     mcpwire.Cause
		code      string
		requests  []string
	}{
		{name: "challenge with an empty realm", challenge: `Bearer realm=""`, requests: whole},
		{name: "challenge without a comma", challenge: `Bearer realm="x" scope="marker"`, requests: whole},
		{name: "challenge beside a token of Negotiate", challenge: `Negotiate YII=, Bearer scope="a"`, requests: whole},
		{name: "metadata in a challenge of another kind", challenge: `Custom resource_metadata="%s/challenged"`, requests: whole},
		{name: "metadata in a challenge twice", challenge: `Bearer resource_metadata="%[1]s/a", resource_metadata="%[1]s/challenged"`, requests: whole},
		{name: "metadata in a challenge that is not there", challenge: `Bearer resource_metadata="%s/challenged"`, requests: append([]string{"GET " + challenged}, whole...)},
		{name: "challenge that leads into a network", challenge: `Bearer resource_metadata="https://169.254.169.254/latest"`, requests: whole},
		{name: "no metadata of the resource, and none is guessed", change: func(p *provider) { p.On[resourceAtPath] = http.NotFound },
			cause: mcpwire.CauseNoResourceMetadata, requests: []string{resources, "GET " + resourceAtRoot}},
		{name: "resource of the whole origin", change: func(p *provider) { p.Resource["resource"] = p.URL + "/" }, requests: whole},
		{name: "another resource, and nothing is registered", change: func(p *provider) { p.Resource["resource"] = p.URL + "/other" },
			cause: mcpwire.CauseResourceMismatch, requests: before[:1]},
		{name: "page for everything", change: func(p *provider) {
			p.On["/.well-known/oauth-authorization-server"] = signintest.Content("text/html", "<html>marker")
			p.On["/.well-known/openid-configuration"] = func(w http.ResponseWriter, _ *http.Request) { signintest.SendJSON(w, 200, p.Metadata) }
		}, requests: []string{resources, metadata, "GET /.well-known/openid-configuration", register, authorize, token}},
		{name: "no metadata, and no endpoints are guessed", change: func(p *provider) { p.On["/.well-known/oauth-authorization-server"] = http.NotFound },
			cause: mcpwire.CauseNoAuthorizationServerMetadata, requests: []string{resources, metadata, "GET /.well-known/openid-configuration"}},
		{name: "issuer with a slash more", change: func(p *provider) { p.Metadata["issuer"] = p.URL + "/" }, cause: mcpwire.CauseIssuerMismatch, requests: before},
		{name: "plain proof alone", change: set("code_challenge_methods_supported", []string{"plain"}), cause: mcpwire.CausePKCEUnsupported, requests: before},
		{name: "endpoint that is a program", change: set("authorization_endpoint", "ftp://localhost/x y|calc.exe"), cause: mcpwire.CauseInvalidAuthorizationURL, requests: before},
		{name: "endpoint that brings parameters along", change: func(p *provider) {
			p.Metadata["authorization_endpoint"] = p.URL + "/authorize?redirect_uri=https%3A%2F%2Fevil.example"
		}, cause: mcpwire.CauseInvalidAuthorizationURL, requests: before},
		{name: "metadata of great size", change: func(p *provider) { p.Metadata["x"] = strings.Repeat("marker", maxMetadata) }, cause: mcpwire.CauseDiscoveryFailed, requests: before},
		{name: "metadata behind a redirect", change: func(p *provider) {
			p.On["/.well-known/oauth-authorization-server"] = http.RedirectHandler("/moved", http.StatusTemporaryRedirect).ServeHTTP
		}, cause: mcpwire.CauseNoAuthorizationServerMetadata, requests: []string{resources, metadata, "GET /.well-known/openid-configuration"}},
		{name: "registration that holds a secret and is broken", change: func(p *provider) {
			p.On["/register"] = signintest.Content("application/json", `{"client_secret":"marker","client_id":1.5}`)
		}, cause: mcpwire.CauseRegistrationFailed, requests: []string{resources, metadata, register}},
		{name: "registration refused", change: func(p *provider) {
			p.On["/register"] = func(w http.ResponseWriter, _ *http.Request) {
				signintest.SendJSON(w, 400, object{"error": "invalid_redirect_uri", "error_description": "marker"})
			}
		}, cause: mcpwire.CauseRegistrationFailed, code: "invalid_redirect_uri", requests: []string{resources, metadata, register}},
		{name: "issuer in a redirect that was not promised", change: set("authorization_response_iss_parameter_supported", false), requests: whole},
		{name: "issuer in no redirect", change: func(p *provider) {
			p.Metadata["authorization_response_iss_parameter_supported"] = false
			p.Redirect = func(q url.Values) { q.Del("iss") }
		}, requests: whole},
		{name: "issuer missing", change: redirect(func(q url.Values) { q.Del("iss") }), cause: mcpwire.CauseIssMissing, requests: user},
		{name: "issuer of another", change: redirect(func(q url.Values) { q.Set("iss", "https://marker.example") }), cause: mcpwire.CauseIssMismatch, requests: user},
		{name: "issuer of another, with an error", change: redirect(func(q url.Values) {
			q.Del("code")
			q.Set("iss", "https://marker.example")
			q.Set("error", "access_denied")
			q.Set("error_description", "marker")
		}), cause: mcpwire.CauseIssMismatch, requests: user},
		{name: "denied", change: redirect(func(q url.Values) {
			q.Del("code")
			q.Set("error", "access_denied")
			q.Set("error_description", "marker")
		}), cause: mcpwire.CauseSignInDenied, requests: user},
		{name: "error that is a text", change: redirect(func(q url.Values) { q.Del("code"); q.Set("error", "marker text") }), cause: mcpwire.CauseSignInError, requests: user},
		{name: "start URL opened twice", twice: true, cause: mcpwire.CauseSignInStartReused, requests: []string{resources, metadata, register}},
		{name: "code refused, and not tried again", change: func(p *provider) {
			p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
				signintest.SendJSON(w, 401, object{"error": "invalid_client", "error_description": "marker"})
			}
		}, cause: mcpwire.CauseTokenExchangeFailed, code: "invalid_client", requests: whole},
		{name: "token endpoint that redirects", change: func(p *provider) {
			p.On["/token"] = http.RedirectHandler("/moved", http.StatusTemporaryRedirect).ServeHTTP
		}, cause: mcpwire.CauseTokenExchangeFailed, requests: whole},
		{name: "tokens in an error", change: func(p *provider) {
			p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
				signintest.SendJSON(w, 500, object{"access_token": "marker", "refresh_token": "marker"})
			}
		}, cause: mcpwire.CauseTokenExchangeFailed, requests: whole},
		{name: "token of another type", change: answer(func(a object) { a["token_type"] = "mac" }), cause: mcpwire.CauseTokenTypeUnsupported, requests: whole},
		{name: "token with a line end", change: answer(func(a object) { a["access_token"] = "marker\r\nX: y" }), cause: mcpwire.CauseTokenExchangeFailed, requests: whole},
		{name: "expiry as text", change: answer(func(a object) { a["expires_in"] = "3600" }), requests: whole},
		{name: "expiry in the past", change: answer(func(a object) { a["expires_in"] = -1 }), requests: whole},
		{name: "fewer scopes than asked for", change: answer(func(a object) { a["scope"] = "" }), requests: whole},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			if tt.change != nil {
				tt.change(p)
			}
			c, u := p.coordinator(t, nil)
			u.browser.Twice = tt.twice
			header := tt.challenge
			if strings.Contains(header, "%") {
				header = fmt.Sprintf(header, p.URL)
			}
			r := Refusal{Status: 401, Header: http.Header{"Www-Authenticate": {header}}}
			err := c.Challenged(t.Context(), r, new(Budget))
			wantCause(t, err, tt.cause)
			if e, ok := errors.AsType[*Error](err); ok {
				if e.Code != tt.code || strings.Contains(fmt.Sprintf("%v %+v %#v", e, e, *e), "marker") {
					t.Errorf("error %+v, want code %q", e, tt.code)
				}
			}
			got := p.Requests()
			if tt.twice { // how far the browser comes is the browser's
				got = slices.DeleteFunc(got, func(q string) bool { return q == authorize })
			}
			if !slices.Equal(got, tt.requests) {
				t.Errorf("requests %q, want %q", got, tt.requests)
			}
			for _, q := range p.Asked("/token") {
				if q.Header.Get("Authorization") != "" || q.Form.Get("client_id") != "registered-1" {
					t.Errorf("headers %v, form %v", q.Header, q.Form)
				}
			}
			if token, _ := c.Token(t.Context()); token.IsZero() != (tt.cause != "") {
				t.Error("there is a token after an error, or none after a sign-in")
			}
			if tt.cause == "" && len(p.Asked("/authorize")) == 1 {
				c.staysAway(t, p)
			}
		})
	}
}

// staysAway wants a token that is used as it is, whatever its expiry.
func (c *Coordinator) staysAway(t *testing.T, p *provider) {
	t.Helper()
	before := len(p.Requests())
	for range 3 {
		c.Token(t.Context())
	}
	if got := p.Requests()[before:]; len(got) != 0 {
		t.Errorf("further requests %q", got)
	}
}
