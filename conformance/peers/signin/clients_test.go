package signin

import (
	"fmt"
	"strings"
	"testing"
)

// Whichever way the bridge is known to an authorization server, a person signs in once, with
// one authorization request and one request for tokens, and the next start needs no browser.
// After logout it does.
//
// req: S18, V05, P07
func TestSignInPeerClients(t *testing.T) {
	p := newPeer(t)
	isRegistered := func(_ *person, id string) bool { return id == "registered" }
	registered := func(*person) []string { return []string{"--client-id", "registered", "--client-issuer", p.Issuer} }
	secret := []string{"MCP_BRIDGE_CLIENT_SECRET=registered-secret"}
	for _, tt := range []struct {
		name    string
		options func(who *person) []string
		env     []string
		client  func(who *person, id string) bool // whether the client's id is right
		scheme  string                            // of the Authorization of requests for tokens
		clients int                               // that are registered
	}{
		{
			"document", func(who *person) []string { return []string{"--client-metadata-url", fmt.Sprint(p.Metadata, who.port)} }, nil,
			func(who *person, id string) bool { return id == fmt.Sprint(p.Metadata, who.port) }, "", 0,
		},
		{"dynamic", func(*person) []string { return nil }, nil, func(_ *person, id string) bool { return id != "" }, "", 1},
		{"registered", registered, secret, isRegistered, "", 0}, // the secret is in the body, where nothing has to be escaped
		{"registered for Basic", registered, secret, isRegistered, "Basic", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			who := newPerson(t, p)
			who.env = tt.env
			if tt.scheme != "" {
				p.patched(t, map[string]object{serverMetadata: {"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic"}}})
			}
			options := tt.options(who)
			m := p.mark()
			f := who.start(options...).open()
			if got := f.call("whoami").text(); got != "user" {
				t.Errorf("signed in as %q", got)
			}
			f.close()
			wantOneLine(t, f, p)
			p.wants(t, m, 1, 0, tt.clients)
			who.opened(1)
			authorize, token := p.since(m, "/auth")[0], p.granted(m, byCode)[0]
			if id := authorize.text("client_id"); !tt.client(who, id) {
				t.Errorf("client %q", id)
			}
			if token.Authorization != tt.scheme {
				t.Errorf("the request for tokens has an Authorization of kind %q, want %q", token.Authorization, tt.scheme)
			}
			if a, b := authorize.text("resource"), token.text("resource"); a != p.URL || b != p.URL {
				t.Errorf("resource %q, then %q, want %q", a, b, p.URL)
			}
			checkRegistration(t, p, m)

			m = p.mark()
			f = who.start(options...).open()
			f.call("whoami")
			f.close()
			p.wants(t, m, 0, 0, 0)
			who.opened(1)

			who.run("logout", "--token-store", "file", p.URL)
			m = p.mark()
			who.start(options...).open().close()
			p.wants(t, m, 1, 0, 0)
			who.opened(2)
		})
	}
}

// serverMetadata is where an authorization server says what it can do.
const serverMetadata = "/.well-known/oauth-authorization-server"

// wantOneLine wants a session to have shown one URL, of the authorization server.
func wantOneLine(t *testing.T, f *front, p *peer) {
	t.Helper()
	log := f.log.String()
	if urls := signInURLs(log); len(urls) != 1 || !strings.HasPrefix(urls[0], p.Issuer+"/auth?") {
		t.Errorf("shown %q, want one URL", urls)
	}
	if n := strings.Count(log, "code_challenge="); n != 1 {
		t.Errorf("the authorization URL is in the log %d times:\n%s", n, log)
	}
}

// checkRegistration wants clients that were registered to be native ones without a secret.
func checkRegistration(t *testing.T, p *peer, m mark) {
	t.Helper()
	for _, r := range p.since(m, "/reg") {
		if r.text("application_type") != "native" || r.text("token_endpoint_auth_method") != "none" || r.Status != 201 {
			t.Errorf("registration %v, answered with %d", r.Params, r.Status)
		}
	}
}
