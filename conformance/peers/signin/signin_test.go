package signin

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/conformance/internal/program"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// endpoints are what the authorization server prints.
type endpoints struct{ Issuer, Authorization, Token string }

// serve starts the authorization server.
func serve(t *testing.T, a authority, redirectURI string) endpoints {
	t.Helper()
	cmd := exec.Command(node(t), "server.mjs", a.certificate, a.own, redirectURI)
	cmd.Stderr = t.Output()
	var e endpoints
	started, err := program.Start(cmd, &e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Stop)
	return e
}

type outcome struct {
	redirect oauthloopback.Redirect
	err      error
}

// A user signs in: a real Chromium, started through BROWSER, a real authorization
// server's pages over https, forms filled in and buttons clicked. What the browser asks
// for besides changes nothing, and the connections that it leaves open hold nothing up.
//
// req: S01, S08, S09, S14
func TestChromium(t *testing.T) {
	a := newAuthority(t)
	b := newBrowser(t, a.key)
	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	events := make(chan oauthloopback.Event, 10)
	r, err := oauthloopback.Listen(t.Context(), oauthloopback.Config{
		State: oauthloopback.NewSecret(state), AppName: "Conformance", OnEvent: func(e oauthloopback.Event) { events <- e },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server := serve(t, a, r.RedirectURI())
	config := oauth2.Config{ClientID: "conformance", RedirectURL: r.RedirectURI(), Scopes: []string{"openid"}, Endpoint: oauth2.Endpoint{
		AuthURL: server.Authorization, TokenURL: server.Token, AuthStyle: oauth2.AuthStyleInParams,
	}}
	u, err := r.AuthURL(config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan outcome, 1)
	go func() {
		flow := oauthloopback.Flow{Delivery: oauthloopback.DeliverBrowser, Opener: b.opener()}
		redirect, err := flow.Run(t.Context(), r, u)
		done <- outcome{redirect, err}
	}()
	b.meet()
	b.do("shown", arguments{"until": "/interaction/"})
	b.do("fill", arguments{"field": "login", "value": "user"})
	b.do("fill", arguments{"field": "password", "value": "password"})
	b.do("click", arguments{"button": "Sign-in", "until": "/interaction/"})
	_, text := b.do("click", arguments{"button": "Continue", "until": "/callback"})
	if !strings.Contains(text, "You can close this tab and go back to Conformance.") {
		t.Errorf("the page at the end shows %q", text)
	}
	b.do("picture", arguments{"into": filepath.Join(t.ArtifactDir(), "signed-in.png"), "scheme": "light", "width": 800, "direction": "ltr"})
	result := <-done
	if result.err != nil {
		t.Fatal(result.err)
	}
	if iss, _ := result.redirect.Iss(); iss != server.Issuer {
		t.Errorf("issuer %q, want %q", iss, server.Issuer)
	}
	if code := result.redirect.ErrorCode(); code != "" {
		t.Fatalf("the server's error %s: %s", code, result.redirect.ErrorDescription())
	}
	silent, err := net.Dial("tcp4", strings.TrimSuffix(strings.TrimPrefix(r.RedirectURI(), "http://"), "/callback"))
	if err != nil { // one as the browser opens in advance, but not each time
		t.Fatal(err)
	}
	defer silent.Close()
	begin := time.Now()
	r.Close()
	took := time.Since(begin)
	if took > 5*time.Second { // a server that waits for silent connections takes longer
		t.Errorf("Close took %v", took)
	}
	wantTokens(t, a, config, result.redirect, verifier)
	connections, paths := b.close().to(strings.TrimSuffix(strings.TrimPrefix(r.RedirectURI(), "http://"), "/callback"))
	t.Logf("the browser made %d connections to the receiver and asked for %q; Close took %v", connections, paths, took)
	for _, path := range []string{"/start/…", "/callback"} {
		if n := len(slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p != path })); n != 1 {
			t.Errorf("the browser asked %d times for %s", n, path)
		}
	}
	if e := <-events; e.Kind != oauthloopback.StartUsed || len(events) > 0 {
		t.Errorf("event %v and %d more, want only that the start URL was used", e.Kind, len(events))
	}
}

// wantTokens trades the code for tokens, over a connection that trusts only the private
// authority.
func wantTokens(t *testing.T, a authority, config oauth2.Config, redirect oauthloopback.Redirect, verifier string) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.pool}, DisableKeepAlives: true}
	ctx := context.WithValue(t.Context(), oauth2.HTTPClient, &http.Client{Transport: transport})
	token, err := config.Exchange(ctx, redirect.Code(), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Error("the code is not taken for tokens") // not the error, which may hold what the server said
	} else if token.AccessToken == "" || !strings.EqualFold(token.TokenType, "Bearer") {
		t.Errorf("token of type %q", token.TokenType)
	}
}
