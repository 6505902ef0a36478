package signin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A keptClient is what the bridge knows about itself at an issuer.
type keptClient struct {
	client                // without an id where none was registered
	expires     time.Time // of its secret; zero: never
	omitOffline bool      // the issuer lists offline_access, and refuses it (B70)
}

// isUsable reports whether there is a client to go on with.
func (k keptClient) isUsable(now time.Time) bool {
	return k.id != "" && (k.expires.IsZero() || now.Before(k.expires))
}

// clientFile is a keptClient as it is stored. It says itself whose it is, and is used for
// nobody else.
type clientFile struct {
	Version     int    `json:"v"`
	Issuer      string `json:"issuer"`
	RedirectURI string `json:"redirect_uri"`
	ID          string `json:"client_id,omitempty"`
	Secret      string `json:"client_secret,omitempty"`
	Method      string `json:"auth_method,omitempty"`
	Expires     int64  `json:"secret_expires_at,omitempty"`
	OmitOffline bool   `json:"omit_offline_access,omitempty"`
}

// A clientStore keeps clients. One that cannot be read is as good as none, and one that
// cannot be kept is registered anew the next time.
type clientStore struct{ vault tokenvault.Store }

// get returns the client of an issuer, or one without an id.
func (s clientStore) get(ctx context.Context, issuer, redirectURI string) keptClient {
	entry, err := s.vault.Get(ctx, clientRecordID(issuer, redirectURI))
	if err != nil {
		return keptClient{}
	}
	var f clientFile
	err = entry.Value.Use(func(b []byte) error { return json.Unmarshal(b, &f) })
	if err != nil || f.Version != 1 || f.Issuer != issuer || f.RedirectURI != redirectURI {
		return keptClient{}
	}
	k := keptClient{omitOffline: f.OmitOffline, client: client{
		source: sourceRegistered, id: f.ID, secret: tokenvault.NewSecret([]byte(f.Secret)), method: f.Method,
	}}
	if f.Expires != 0 {
		k.expires = time.Unix(f.Expires, 0)
	}
	return k
}

// put keeps a client.
func (s clientStore) put(ctx context.Context, issuer, redirectURI string, k keptClient) {
	f := clientFile{
		Version: 1, Issuer: issuer, RedirectURI: redirectURI,
		ID: k.id, Secret: k.secret.Expose(), Method: k.method, OmitOffline: k.omitOffline,
	}
	if !k.expires.IsZero() {
		f.Expires = k.expires.Unix()
	}
	text, err := json.Marshal(f)
	if err != nil {
		return // it is of strings and numbers
	}
	defer clear(text)
	s.vault.Put(ctx, clientRecordID(issuer, redirectURI), tokenvault.NewSecret(text), tokenvault.PutOptions{
		Meta: map[string]string{kindKey: kindClient},
	})
}

// forget removes a client that its issuer does not know any more, unless there is another
// by now. What is known about the issuer stays.
func (s clientStore) forget(ctx context.Context, issuer, redirectURI, id string) {
	k := s.get(ctx, issuer, redirectURI)
	if k.id != id {
		return
	}
	s.put(ctx, issuer, redirectURI, keptClient{omitOffline: k.omitOffline})
}
