package loopbacktest_test

import (
	"context"
	"fmt"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/oauthloopback/loopbacktest"
)

// A user who refuses, after the browser has asked for an icon and has shown an old
// tab again.
func ExampleNewServer() {
	server, err := loopbacktest.NewServer(&loopbacktest.ServerOptions{Error: "access_denied"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	browser := &loopbacktest.Browser{Stray: []string{"/favicon.ico", "/callback?code=1&state=old"}}

	redirect, err := signInOfYours(server.AuthURL, browser)
	fmt.Println(redirect.ErrorCode(), err)
	for _, page := range browser.Pages() {
		fmt.Println(page.Status, page.Target)
	}
	// Output:
	// access_denied <nil>
	// 404 /favicon.ico
	// 400 /callback
	// 303 /start/…
	// 200 /callback
}

// signInOfYours is what is tested. Only the endpoint, the opener and
// AllowLoopbackHTTP are the test's.
func signInOfYours(authURL string, opener oauthloopback.Opener) (oauthloopback.Redirect, error) {
	ctx, state := context.Background(), oauth2.GenerateVerifier()
	receiver, err := oauthloopback.Listen(ctx, oauthloopback.Config{
		State: oauthloopback.NewSecret(state), AppName: "My Program", AllowLoopbackHTTP: true,
	})
	if err != nil {
		return oauthloopback.Redirect{}, err
	}
	defer receiver.Close()
	config := oauth2.Config{ClientID: "my-client", RedirectURL: receiver.RedirectURI(), Endpoint: oauth2.Endpoint{AuthURL: authURL}}
	u, err := receiver.AuthURL(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	if err != nil {
		return oauthloopback.Redirect{}, err
	}
	return oauthloopback.Flow{Delivery: oauthloopback.DeliverBrowser, Opener: opener}.Run(ctx, receiver, u)
}
