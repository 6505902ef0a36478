package oauthloopback_test

import (
	"context"
	"fmt"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/oauthloopback/loopbacktest"
)

// A whole sign-in. Here an authorization server and a browser of the test stand for
// the real ones; see the example of SystemOpener for those.
func Example() {
	server, err := loopbacktest.NewServer(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	token, err := signIn(context.Background(), server, &loopbacktest.Browser{})
	fmt.Println(token.Type(), err)
	// Output: Bearer <nil>
}

func signIn(ctx context.Context, server *loopbacktest.Server, browser oauthloopback.Opener) (*oauth2.Token, error) {
	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier() // both are 32 random bytes
	receiver, err := oauthloopback.Listen(ctx, oauthloopback.Config{
		Port: 0, State: oauthloopback.NewSecret(state), AppName: "My Program", AllowLoopbackHTTP: true,
	})
	if err != nil {
		return nil, err
	}
	defer receiver.Close()
	config := oauth2.Config{
		ClientID: "my-client", RedirectURL: receiver.RedirectURI(),
		Endpoint: oauth2.Endpoint{AuthURL: server.AuthURL, TokenURL: server.TokenURL},
	}
	u, err := receiver.AuthURL(config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		return nil, err
	}
	redirect, err := oauthloopback.Flow{Delivery: oauthloopback.DeliverBrowser, Opener: browser}.Run(ctx, receiver, u)
	if err != nil {
		return nil, err
	}
	if iss, _ := redirect.Iss(); iss != server.Issuer || redirect.Code() == "" {
		return nil, fmt.Errorf("sign-in refused")
	}
	return config.Exchange(ctx, redirect.Code(), oauth2.VerifierOption(verifier))
}
