package bridge

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signin"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/streamhttp"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A KeptSignIn is what may be shown of a sign-in in a store: no secret, and of the URL of
// the server the origin.
type KeptSignIn struct {
	Key     string    // the first 8 hex digits of where it is kept: two accounts, or two URLs of an origin, differ there
	Origin  string    // of the server, as in https://example.com
	Account string    // its label; empty if it has none
	Issuer  string    // the host of the authorization server
	Scopes  int       // how many were granted
	Expires time.Time // when the access token does; zero if that is not known
	Access  bool      // there is an access token, which may have expired
	Refresh bool      // there is a refresh token
	Saved   time.Time // when this was written
	Err     error     // why the record cannot be read; then the rest is zero
}

// KeptSignIns returns the sign-ins in a store, in no order. Records that cannot be read are
// among them, with an Err. The clients that were registered are not.
func KeptSignIns(ctx context.Context, store tokenvault.Store) ([]KeptSignIn, error) {
	found, err := signin.List(ctx, store)
	if err != nil {
		return nil, err
	}
	all := make([]KeptSignIn, len(found))
	for i, k := range found {
		all[i] = KeptSignIn(k)
	}
	return all, nil
}

// FindSignIn returns the sign-in that [Run] would use for an account at a URL, if store has
// one.
func FindSignIn(ctx context.Context, store tokenvault.Store, account, url string) (k KeptSignIn, found bool, err error) {
	server, err := serverURL(url)
	if err != nil {
		return KeptSignIn{}, false, err
	}
	got, err := signin.Find(ctx, store, account, server)
	if errors.Is(err, tokenvault.ErrNotFound) {
		return KeptSignIn{}, false, nil
	}
	return KeptSignIn(got), err == nil, err
}

// SignOut deletes the sign-in of an account at a URL from a store, and reports whether there
// was one. The two alone say which record it is, so nobody is asked. A session that is
// running keeps its token until that expires.
func SignOut(ctx context.Context, store tokenvault.Store, account, url string) (deleted bool, err error) {
	server, err := serverURL(url)
	if err != nil {
		return false, err
	}
	err = signin.Delete(ctx, store, account, server)
	if errors.Is(err, tokenvault.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func serverURL(text string) (*url.URL, error) {
	u, err := streamhttp.ParseURL(text)
	if err != nil {
		return nil, fmt.Errorf("bridge: the URL %w", err)
	}
	return u, nil
}
