package signin

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const (
	resourceMetadata = "/.well-known/oauth-protected-resource/mcp"
	openidMetadata   = "/.well-known/openid-configuration"
)

// elsewhere is where a redirect leads that must not be followed.
const elsewhere = "/elsewhere"

// What an authorization server does wrong ends the sign-in with its cause. Nothing is asked
// after that: no code is spent twice, no redirect is followed, and where the metadata is wrong,
// no person is asked.
//
// req: S18
func TestSignInPeerRefusals(t *testing.T) {
	p := newPeer(t)
	redirect := answer{http.StatusTemporaryRedirect, map[string]string{"location": elsewhere}, ""}
	for _, tt := range []struct {
		name    string
		answers map[string]answer
		patches map[string]object
		cause   string
		signIns int // authorization requests
	}{
		{"token redirect", map[string]answer{"/token": redirect}, nil, "token_exchange_failed", 1},
		{"code refused", map[string]answer{"/token": {http.StatusBadRequest, jsonHeader, `{"error":"invalid_grant"}`}}, nil, "token_exchange_failed", 1},
		{"client refused", map[string]answer{"/token": {http.StatusUnauthorized, jsonHeader, `{"error":"invalid_client"}`}}, nil, "token_exchange_failed", 1},
		{"tokens not here now", map[string]answer{"/token": {http.StatusServiceUnavailable, nil, ""}}, nil, "token_exchange_failed", 1},
		{"registration redirect", map[string]answer{"/reg": redirect}, nil, "registration_failed", 0},
		{
			"metadata redirect", map[string]answer{serverMetadata: redirect, openidMetadata: redirect}, nil,
			"no_authorization_server_metadata", 0,
		},
		{"no S256", nil, map[string]object{serverMetadata: {"code_challenge_methods_supported": []string{"plain"}}}, "pkce_unsupported", 0},
		{"issuer with a slash", nil, map[string]object{serverMetadata: {"issuer": p.Issuer + "/"}}, "issuer_mismatch", 0},
		{"resource of another", nil, map[string]object{resourceMetadata: {"resource": "https://localhost:1/mcp"}}, "resource_mismatch", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p.answers(t, tt.answers)
			p.patched(t, tt.patches)
			who := newPerson(t, p)
			m := p.mark()
			f := who.start()
			if r := f.initialize(); r.cause() != tt.cause {
				t.Errorf("initialize: %+v, want %s", r.Error, tt.cause)
			}
			f.close()
			who.opened(tt.signIns)
			if a, b := len(p.since(m, "/auth")), len(p.since(m, "/token")); a != tt.signIns || b != tt.signIns {
				t.Errorf("%d authorization requests and %d for tokens, want %d", a, b, tt.signIns)
			}
			if got := p.since(m, elsewhere); len(got) > 0 {
				t.Errorf("a redirect was followed: %v", got)
			}
			if got := len(signInURLs(f.log.String())); got != tt.signIns {
				t.Errorf("%d URLs shown, want %d", got, tt.signIns)
			}
		})
	}
}

// A challenge that is broken, or that says nothing, is none: then what is needed is where it
// always is.
//
// req: S18
func TestSignInPeerChallenges(t *testing.T) {
	p := newPeer(t)
	metadata := strings.TrimSuffix(p.URL, "/mcp") + resourceMetadata
	t.Cleanup(func() { p.do("challenge", nil, nil) })
	for name, header := range map[string]string{
		"empty realm":             `Bearer realm=""`,
		"a parameter twice":       fmt.Sprintf(`Bearer resource_metadata="https://localhost:1/", resource_metadata="%s"`, metadata),
		"no comma":                fmt.Sprintf(`Bearer realm="x" resource_metadata="%s"`, metadata),
		"no end":                  `Bearer realm="x`,
		"another scheme first":    fmt.Sprintf(`Negotiate YII=, Bearer resource_metadata="%s"`, metadata),
		"metadata that is absent": fmt.Sprintf(`Bearer resource_metadata="%s/absent"`, metadata),
		"no Bearer":               `Basic realm="x"`,
	} {
		t.Run(name, func(t *testing.T) {
			p.do("challenge", arguments{"header": header}, nil)
			who := newPerson(t, p)
			m := p.mark()
			who.start().open().close()
			p.wants(t, m, 1, 0, 1)
			who.opened(1)
		})
	}
}

// A server that refuses a token which it was just given to does not get another one: the
// person has agreed once, and is not asked again and again.
//
// req: S05
func TestSignInPeerLoop(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	f := who.start().open()
	p.revoke()
	m := p.mark()
	if r := f.call("whoami"); r.cause() != "upstream_unauthorized" {
		t.Errorf("answer %+v", r)
	}
	f.unasked()
	f.close()
	p.wants(t, m, 0, 0, 0)
	who.opened(1)
}
