package tokenvault_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A program that keeps the tokens of a sign-in, and renews them. Here the key is in a
// file; with mode Auto it is in the keychain of the system, where there is one.
func Example() {
	base, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(base)
	keyFile := filepath.Join(base, "key")
	if err := tokenvault.GenerateKeyFile(keyFile); err != nil {
		fmt.Println(err)
		return
	}
	vault, err := tokenvault.Open(context.Background(), tokenvault.Config{
		Mode: tokenvault.File,
		Dir:  filepath.Join(base, "tokens"),
		Key:  tokenvault.KeyFromFile(keyFile),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer vault.Close()

	id := tokenvault.ID{Service: "my-program", Account: "alice", Key: "https://mcp.example/mcp"}
	if _, err := vault.Put(context.Background(), id, tokenvault.NewSecret([]byte("refresh-1")), tokenvault.PutOptions{Label: "Example"}); err != nil {
		fmt.Println(err)
		return
	}
	entry, err := renewed(context.Background(), vault, id)
	fmt.Println(entry.Label, entry.Value, entry.Value.Expose(), err)
	// Output: Example [redacted] refresh-2 <nil>
}

// renewed returns tokens that are good for a while. However many processes come here at
// once, one of them spends the refresh token.
func renewed(ctx context.Context, store tokenvault.Store, id tokenvault.ID) (tokenvault.Entry, error) {
	entry, err := store.Get(ctx, id)
	if err != nil || time.Until(entry.ExpiresAt) > time.Minute {
		return entry, err // ErrNotFound: sign in
	}
	entry, _, err = store.Refresh(ctx, id, entry.Rev, func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		return postRefreshToken(ctx, e.Value)
	})
	if errors.Is(err, tokenvault.ErrNotPersisted) {
		err = nil // the new tokens are here, and good for this run
	}
	return entry, err
}

// postRefreshToken stands for the request to the token endpoint.
func postRefreshToken(context.Context, tokenvault.Secret) (tokenvault.Secret, time.Time, error) {
	return tokenvault.NewSecret([]byte("refresh-2")), time.Now().Add(time.Hour), nil
}

// What most programs want: the best store that there is, and one line that says which.
func ExampleOpen() {
	base, err := os.UserConfigDir()
	if err != nil {
		base = os.TempDir()
	}
	config := tokenvault.Config{
		Mode:    tokenvault.Auto,
		Service: "my-program",
		Dir:     filepath.Join(base, "my-program", "tokens"),
		Prompt:  tokenvault.PromptAllowed, // somebody sits in front of it
		Logger:  slog.Default(),
	}
	_ = config // tokenvault.Open(ctx, config)
}

// Whoever has seen an older revision does not overwrite what another has written.
func ExampleIfRevision() {
	ctx := context.Background()
	vault, err := tokenvault.Open(ctx, tokenvault.Config{Mode: tokenvault.Memory})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer vault.Close()
	id := tokenvault.ID{Service: "my-program", Account: "alice", Key: "https://mcp.example/mcp"}
	seen, _ := vault.Put(ctx, id, tokenvault.NewSecret([]byte("one")), tokenvault.PutOptions{})
	vault.Put(ctx, id, tokenvault.NewSecret([]byte("two")), tokenvault.PutOptions{})

	_, err = vault.Put(ctx, id, tokenvault.NewSecret([]byte("three")), tokenvault.PutOptions{When: tokenvault.IfRevision(seen)})
	fmt.Println(err)
	fmt.Println(errors.Is(err, tokenvault.ErrConflict))
	// Output:
	// tokenvault: put (memory): another revision is there
	// true
}

func ExampleSecret() {
	secret := tokenvault.NewSecret([]byte("swordfish"))
	fmt.Printf("%v %+v %x\n", secret, struct{ s tokenvault.Secret }{secret}.s, secret)
	_, err := secret.MarshalJSON()
	fmt.Println(err)
	// Output:
	// [redacted] [redacted] [redacted]
	// tokenvault: a secret is not encoded
}
