package signin

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// The metadata of an issuer is looked for in the forms of OAuth and of OpenID, and at the
// root only for an issuer without a path.
//
// req: S18
func TestAuthServerOrder(t *testing.T) {
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	for _, tt := range []struct {
		name  string
		path  string // of the issuer
		at    string // where the metadata is
		other http.HandlerFunc
		asked []string
		cause mcpwire.Cause
	}{
		{"OAuth", "", oauth, nil, []string{oauth}, ""},
		{"OpenID", "", openID, nil, []string{oauth, openID}, ""},
		{"slash alone", "/", openID, nil, []string{oauth, openID}, ""},
		{"OAuth with a path", "/tenant1", oauth + "/tenant1", nil, []string{oauth + "/tenant1"}, ""},
		{"OpenID with a path", "/tenant1", openID + "/tenant1", nil, []string{oauth + "/tenant1", openID + "/tenant1"}, ""},
		{"OpenID behind a path", "/tenant1", "/tenant1" + openID, nil, []string{oauth + "/tenant1", openID + "/tenant1", "/tenant1" + openID}, ""},
		{"path with a slash", "/t/", "/t" + openID, nil, []string{oauth + "/t", openID + "/t", "/t" + openID}, ""},
		{"path with an escape", "/a%2Fb", "/a%2Fb" + openID, nil, []string{oauth + "/a%2Fb", openID + "/a%2Fb", "/a%2Fb" + openID}, ""},
		{"behind a page for everything", "", openID, signintest.Content("text/html", "{}"), []string{oauth, openID}, ""},
		{"behind a redirect", "", openID, http.RedirectHandler("/elsewhere", http.StatusMovedPermanently).ServeHTTP, []string{oauth, openID}, ""},
		{"behind an error", "", openID, signintest.Status(500), []string{oauth}, mcpwire.CauseDiscoveryFailed},
		{"nowhere", "", "/x", nil, []string{oauth, openID}, mcpwire.CauseNoAuthorizationServerMetadata},
		{"nowhere for a path", "/tenant1", oauth, nil, []string{oauth + "/tenant1", openID + "/tenant1", "/tenant1" + openID}, mcpwire.CauseNoAuthorizationServerMetadata},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.Metadata["issuer"] = p.URL + tt.path
			for _, path := range tt.asked {
				if p.On[path] = tt.other; tt.other == nil {
					p.On[path] = http.NotFound
				}
			}
			p.On[tt.at] = func(w http.ResponseWriter, _ *http.Request) { signintest.SendJSON(w, http.StatusOK, p.Metadata) }
			d := p.discovery(t, "/mcp")
			for range 2 { // the second time from memory, if it was good
				s, err := d.authServer(t.Context(), p.URL+tt.path)
				if causeOf(err) != tt.cause || err == nil && s.token.String() != p.URL+"/token" {
					t.Fatalf("authServer() = %+v, %v, want cause %q", s, err, tt.cause)
				}
				if err != nil {
					break
				}
			}
			var want []string
			for _, path := range tt.asked {
				want = append(want, "GET "+path)
			}
			p.wantRequests(t, want...)
		})
	}
}

// What an authorization server says about itself is compared byte by byte, and what a
// safe sign-in needs must be there.
//
// req: S18
func TestAuthServerContent(t *testing.T) {
	set := func(name string, value any) func(p *provider) {
		return func(p *provider) { p.Metadata[name] = value }
	}
	drop := func(name string) func(p *provider) {
		return func(p *provider) { delete(p.Metadata, name) }
	}
	for _, tt := range []struct {
		name   string
		change func(p *provider)
		cause  mcpwire.Cause
	}{
		{"good", func(*provider) {}, ""},
		{"issuer with a slash more", func(p *provider) { p.Metadata["issuer"] = p.URL + "/" }, mcpwire.CauseIssuerMismatch},
		{"issuer in another case", func(p *provider) { p.Metadata["issuer"] = strings.ToUpper(p.URL) }, mcpwire.CauseIssuerMismatch},
		{"another issuer", set("issuer", "https://other.example"), mcpwire.CauseIssuerMismatch},
		{"no issuer", drop("issuer"), mcpwire.CauseIssuerMismatch},
		{"another type of issuer", set("issuer", 1), mcpwire.CauseIssuerMismatch},
		{"no proof", drop("code_challenge_methods_supported"), mcpwire.CausePKCEUnsupported},
		{"no method of proof", set("code_challenge_methods_supported", []string{}), mcpwire.CausePKCEUnsupported},
		{"plain proof", set("code_challenge_methods_supported", []string{"plain"}), mcpwire.CausePKCEUnsupported},
		{"both proofs", set("code_challenge_methods_supported", []string{"plain", "S256"}), ""},
		{"no code", set("response_types_supported", []string{"token"}), mcpwire.CauseDiscoveryFailed},
		{"types not said", drop("response_types_supported"), ""},
		{"no authorization endpoint", drop("authorization_endpoint"), mcpwire.CauseInvalidAuthorizationURL},
		{"authorization endpoint of ftp", set("authorization_endpoint", "ftp://localhost/x y|calc.exe"), mcpwire.CauseInvalidAuthorizationURL},
		{"authorization endpoint of file", set("authorization_endpoint", "file://localhost/etc/passwd"), mcpwire.CauseInvalidAuthorizationURL},
		{"authorization endpoint of javascript", set("authorization_endpoint", "javascript:alert(1)"), mcpwire.CauseInvalidAuthorizationURL},
		{"authorization endpoint of http", set("authorization_endpoint", "http://127.0.0.1/authorize"), mcpwire.CauseInvalidAuthorizationURL},
		{"authorization endpoint with a fragment", set("authorization_endpoint", "https://127.0.0.1/authorize#x"), mcpwire.CauseInvalidAuthorizationURL},
		{"no token endpoint", drop("token_endpoint"), mcpwire.CauseDiscoveryFailed},
		{"token endpoint of http", set("token_endpoint", "http://127.0.0.1/token"), mcpwire.CauseDiscoveryFailed},
		{"token endpoint in a cloud", set("token_endpoint", "https://169.254.169.254/token"), mcpwire.CauseDiscoveryFailed},
		{"registration endpoint of http", set("registration_endpoint", "http://127.0.0.1/register"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			tt.change(p)
			s, err := p.discovery(t, "/mcp").authServer(t.Context(), p.URL)
			if causeOf(err) != tt.cause {
				t.Fatalf("authServer() = %v, want cause %q", err, tt.cause)
			}
			if strings.HasPrefix(tt.name, "registration") && s.registration != nil {
				t.Errorf("registration endpoint %v", s.registration)
			}
		})
	}
}

// The two names of an issuer that do not agree are for the person, and for nobody else;
// a name that could do something to a terminal is not shown.
//
// req: S18, P04
func TestIssuersOfAMismatch(t *testing.T) {
	p := newProvider(t)
	p.Metadata["issuer"] = p.URL + "/"
	_, err := p.discovery(t, "/mcp").authServer(t.Context(), p.URL)
	if err == nil || err.Expected != p.URL || err.Received != p.URL+"/" {
		t.Errorf("authServer() = %+v", err)
	}
	if err != nil && strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("text %q holds an issuer", err)
	}
	p.Metadata["issuer"] = p.URL + "\x1b[2J"
	if _, err := p.discovery(t, "/mcp").authServer(t.Context(), p.URL); err == nil || err.Received != "" {
		t.Errorf("authServer() = %+v, want no issuer to show", err)
	}
}

// Whatever stands in metadata, what is read of it is within its bounds.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"resource":"https://h.example/mcp","authorization_servers":["https://h.example"],"scopes_supported":["a"]}`))
	f.Add([]byte(`{"issuer":"https://h.example","code_challenge_methods_supported":["S256"],"authorization_endpoint":"https://h.example/a?b=c","token_endpoint":"https://h.example/t"}`))
	f.Add([]byte(`{"issuer":["x"],"resource":null,"token_endpoint":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		doc, ok := parseDocument(body)
		if !ok {
			return
		}
		d := fuzzed(t)
		if r, err := d.readResource(doc); err == nil {
			if !covers(r.id, d.server) || len(r.issuers) == 0 {
				t.Errorf("%q: %+v", body, r)
			}
			for _, issuer := range r.issuers {
				if len(issuerURLs(issuer)) < 2 {
					t.Errorf("issuer %q has no metadata", issuer)
				}
			}
		}
		s, err := d.readAuthServer(doc, "https://h.example")
		if err == nil && (s.token.Scheme != "https" || s.authorization.Scheme != "https") {
			t.Errorf("%q: %+v", body, s)
		}
	})
}
