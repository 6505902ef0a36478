package oauthloopback_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/oauthloopback"
)

// A sign-in with the user's browser. The program passes on what it reads from its
// environment, without the variables that the browser must not see.
func ExampleSystemOpener() {
	config := &oauth2.Config{ClientID: "my-client", Endpoint: oauth2.Endpoint{
		AuthURL: "https://as.example/authorize", TokenURL: "https://as.example/token",
	}}
	token, err := signInWithBrowser(context.Background(), config, "https://as.example")
	fmt.Println(token.Valid(), err)
}

func signInWithBrowser(ctx context.Context, config *oauth2.Config, issuer string) (*oauth2.Token, error) {
	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier() // both are 32 random bytes
	receiver, err := oauthloopback.Listen(ctx, oauthloopback.Config{
		Port: 41894, State: oauthloopback.NewSecret(state), AppName: "My Program",
	})
	if err != nil {
		return nil, err
	}
	defer receiver.Close()
	config.RedirectURL = receiver.RedirectURI()
	u, err := receiver.AuthURL(config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		return nil, err
	}
	flow := oauthloopback.Flow{
		Delivery: oauthloopback.DeliverBrowser,
		Opener:   oauthloopback.SystemOpener{Env: os.Environ(), Browser: os.Getenv("BROWSER")},
		Show:     func(u oauthloopback.AuthURL) { fmt.Fprintln(os.Stderr, "sign in at", u.Raw()) },
	}
	redirect, err := flow.Run(ctx, receiver, u)
	if err != nil {
		return nil, err
	}
	if iss, _ := redirect.Iss(); iss != issuer || redirect.Code() == "" {
		return nil, errors.New("sign-in refused")
	}
	return config.Exchange(ctx, redirect.Code(), oauth2.VerifierOption(verifier))
}
