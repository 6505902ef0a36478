package bridge

import (
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/oauthloopback"
)

// A sign-in that cannot work, or of which something would be left out without a word, is
// refused before anything starts. What is refused is not repeated.
//
// req: P07, P09
func TestSignInsThatCannotBe(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(r *Remote)
		want   string // empty: nothing is wrong
	}{
		{"nothing wrong", func(*Remote) {}, ""},
		{"no vault", func(r *Remote) { r.SignIn.Vault = nil }, "bridge: SignIn.Vault is nil"},
		{"nothing is shown", func(r *Remote) { r.SignIn.Show = nil }, "bridge: SignIn.Show is nil"},
		{"too short", func(r *Remote) { r.SignIn.Timeout = time.Second }, "bridge: SignIn.Timeout is not from 10s to 1h0m0s"},
		{"too long", func(r *Remote) { r.SignIn.Timeout = 2 * time.Hour }, "bridge: SignIn.Timeout is not from 10s to 1h0m0s"},
		{"no port", func(r *Remote) { r.SignIn.RedirectPort = 65536 }, "bridge: SignIn.RedirectPort is no port"},
		{"secret for anybody", func(r *Remote) { r.SignIn.ClientID, r.SignIn.ClientSecret = "id", NewSecret("m4rk3r") },
			"bridge: SignIn.ClientSecret needs ClientIssuer"},
		{"secret of nobody", func(r *Remote) {
			r.SignIn.ClientIssuer, r.SignIn.ClientSecret = "https://as.example", NewSecret("m4rk3r")
		},
			"bridge: SignIn.ClientSecret needs ClientID"},
		{"resource left out for anybody", func(r *Remote) { r.SignIn.OmitResource = true }, "bridge: SignIn.OmitResource needs ClientIssuer"},
		{"resource that is left out", func(r *Remote) {
			r.SignIn.ClientIssuer, r.SignIn.OmitResource, r.SignIn.Resource = "https://as.example", true, r.URL.Expose()
		}, "bridge: SignIn.Resource and OmitResource exclude each other"},
		{"another resource", func(r *Remote) { r.SignIn.Resource = "https://m4rk3r.example/" },
			"bridge: SignIn: the resource has to be a URL that the one of the server begins with"},
		{"account", func(r *Remote) { r.SignIn.Account = "m4rk3r/" }, "bridge: SignIn: the account is not at most 64 of A-Z, a-z, 0-9 and ._@-"},
		{"issuer over http", func(r *Remote) { r.SignIn.ClientIssuer = "http://m4rk3r.example" },
			"bridge: SignIn: the issuer has to be an https URL without user information, query and fragment"},
		{"two clients", func(r *Remote) { r.SignIn.ClientID, r.SignIn.ClientMetadata = "id", "https://m4rk3r.example/client" },
			"bridge: SignIn: the metadata of a client and a client exclude each other"},
		{"two tokens", func(r *Remote) { r.Headers = []Header{{"authorization", NewSecret("m4rk3r")}} },
			"bridge: Remote.SignIn and a header Authorization exclude each other"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Remote{
				URL:    NewSecret("https://server.example/mcp"),
				SignIn: &SignIn{Vault: newMemory(t), Show: func(oauthloopback.AuthURL) {}},
			}
			tt.change(&r)
			got := ""
			if err := r.check(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("check() = %q, want %q", got, tt.want)
			}
		})
	}
}

// The port is not one that the editor, or another bridge, has for its own sign-ins, and the
// redirect URI of the published document is that of it.
//
// req: S07
func TestS07DefaultPort(t *testing.T) {
	if DefaultRedirectPort != 41894 {
		t.Errorf("DefaultRedirectPort = %d, want 41894", DefaultRedirectPort)
	}
}
