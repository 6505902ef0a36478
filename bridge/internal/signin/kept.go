package signin

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A Kept is what may be said about a sign-in that is kept.
type Kept struct {
	Key     string // the first hex digits of where it is kept
	Origin  string // of the server
	Account string
	Issuer  string // its host
	Scopes  int
	Expires time.Time // when the access token does; zero: not known
	Access  bool      // there is one
	Refresh bool      // there is a refresh token
	Saved   time.Time
	Err     error // why nothing else is known
}

// keyShown is how many digits of a key people see: enough to tell records apart.
const keyShown = 8

var (
	errForeign = errors.New("of another program, or a newer version")
	errHost    = errors.New("its issuer is no URL")
)

// List returns the sign-ins of a store, in no order. Records that cannot be read are there,
// and clients are not.
func List(ctx context.Context, store tokenvault.Store) ([]Kept, error) {
	infos, err := store.List(ctx)
	if err != nil {
		return nil, err
	}
	var all []Kept
	for _, info := range infos {
		switch {
		case info.Err != nil:
			all = append(all, Kept{Err: info.Err})
		case info.ID.Service == identity && info.Meta[kindKey] == kindClient:
		default:
			k, err := find(ctx, store, info.ID)
			if errors.Is(err, tokenvault.ErrNotFound) {
				continue // somebody has just signed out
			}
			if err != nil {
				k = Kept{Err: err}
			}
			all = append(all, k)
		}
	}
	return all, ctx.Err()
}

// Find returns the sign-in of an account at a server. One that is not there is
// [tokenvault.ErrNotFound].
func Find(ctx context.Context, store tokenvault.Store, account string, server *url.URL) (Kept, error) {
	return find(ctx, store, signInID(account, server))
}

func find(ctx context.Context, store tokenvault.Store, id tokenvault.ID) (Kept, error) {
	e, err := store.Get(ctx, id)
	if err != nil {
		return Kept{}, err
	}
	defer e.Value.Destroy()
	return describe(e), nil
}

// describe says what may be said about a record. What is in it is only believed where it
// lies in the place that it would have.
func describe(e tokenvault.Entry) Kept {
	r, ok := decodeRecord(e)
	if !ok || e.ID.Service != identity || len(e.ID.Key) < keyShown || e.Meta[kindKey] != kindSignIn {
		return Kept{Err: errForeign}
	}
	k := Kept{
		Key: e.ID.Key[:keyShown], Origin: e.Meta[metaOrigin], Account: e.ID.Account, Scopes: len(r.granted),
		Expires: e.ExpiresAt, Access: !r.access.IsZero(), Refresh: !r.refresh.IsZero(), Saved: e.SavedAt,
	}
	issuer, ok := parseURL(r.issuer, true)
	if !ok {
		return Kept{Err: errHost}
	}
	k.Issuer = issuer.Host
	return k
}

// Delete deletes the sign-in of an account at a server. It asks nobody: the record is found
// by these two alone. One that is not there is [tokenvault.ErrNotFound].
func Delete(ctx context.Context, store tokenvault.Store, account string, server *url.URL) error {
	return store.Delete(ctx, signInID(account, server), tokenvault.Always)
}
