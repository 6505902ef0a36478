package oauthloopback_test

import (
	"context"
	"fmt"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/oauthloopback"
)

func ExampleNewSecret() {
	state := oauthloopback.NewSecret("swordfish")
	fmt.Printf("%v %+v %q\n", state, struct{ state oauthloopback.Secret }{state}.state, state)
	// Output: [secret] [secret] [secret]
}

func ExampleListen() {
	receiver, err := oauthloopback.Listen(context.Background(), oauthloopback.Config{
		Port: 0, State: oauthloopback.NewSecret(oauth2.GenerateVerifier()), AppName: "My Program",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer receiver.Close()
	_, err = receiver.AuthURL("http://as.example/authorize")
	fmt.Println(err)
	// Output: oauthloopback: authorization URL refused: scheme
}
