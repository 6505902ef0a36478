package signin

import (
	"encoding/json"
	"net/url"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A record is a sign-in as it is kept. The secret of a client is not in it.
type record struct {
	issuer   string
	resource string // or "", if the parameter is left out
	endpoint string // for tokens, of validated metadata
	redirect string
	client   client // without its secret

	requested, granted scopes

	access, refresh tokenvault.Secret // either may be empty
	expires         time.Time         // of the access token; zero: not known
}

// recordFile is a record as it is stored; when the access token expires is beside it.
type recordFile struct {
	Version   int    `json:"v"`
	Origin    string `json:"origin"` // for people
	Issuer    string `json:"issuer"`
	Resource  string `json:"resource,omitempty"`
	Endpoint  string `json:"token_endpoint"`
	Redirect  string `json:"redirect_uri"`
	Method    string `json:"auth_method"`
	Source    source `json:"reg_source"`
	Client    string `json:"client_id"`
	Requested scopes `json:"scopes_requested,omitempty"`
	Granted   scopes `json:"scopes_granted,omitempty"`
	Access    string `json:"access,omitempty"`
	Refresh   string `json:"refresh,omitempty"`
}

const recordVersion = 1

// encode returns what is stored of r, as the sign-in at a server.
func (r record) encode(server *url.URL) tokenvault.Secret {
	text, err := json.Marshal(recordFile{
		Version: recordVersion, Origin: originOf(server), Issuer: r.issuer, Resource: r.resource, Endpoint: r.endpoint, Redirect: r.redirect,
		Method: r.client.method, Source: r.client.source, Client: r.client.id, Requested: r.requested, Granted: r.granted,
		Access: r.access.Expose(), Refresh: r.refresh.Expose(),
	})
	if err != nil {
		return tokenvault.Secret{} // it is of strings
	}
	defer clear(text)
	return tokenvault.NewSecret(text)
}

// decodeRecord reads what is stored. It reports false for what this version did not write.
func decodeRecord(e tokenvault.Entry) (record, bool) {
	var f recordFile
	err := e.Value.Use(func(b []byte) error { return json.Unmarshal(b, &f) })
	if err != nil || f.Version != recordVersion {
		return record{}, false
	}
	return record{
		issuer: f.Issuer, resource: f.Resource, endpoint: f.Endpoint, redirect: f.Redirect,
		client:    client{source: f.Source, id: f.Client, method: f.Method},
		requested: f.Requested, granted: f.Granted, expires: e.ExpiresAt,
		access: tokenvault.NewSecret([]byte(f.Access)), refresh: tokenvault.NewSecret([]byte(f.Refresh)),
	}, true
}

// isFor reports whether the record is of a client that the configuration means. One of
// another client is left alone, and not used.
func (r record) isFor(o ClientOptions) bool {
	if o.Issuer != "" && o.Issuer != r.issuer {
		return false
	}
	if o.ID != "" {
		return r.client.source == sourceConfigured && r.client.id == o.ID
	}
	return r.client.source != sourceConfigured
}

// with returns r with the tokens of a refresh. A server may give no new refresh token, and
// then the old one stays.
func (r record) with(t tokens) record {
	r.access, r.expires = t.access, t.expires
	if !t.refresh.IsZero() {
		r.refresh = t.refresh
	}
	if t.granted != nil {
		r.granted = t.granted
	}
	return r
}

// isExpired reports whether the access token is surely over.
func (r record) isExpired(now time.Time) bool {
	return r.access.IsZero() || !r.expires.IsZero() && !now.Before(r.expires)
}

// record is the sign-in that has come of p.
func (p *pending) record(t tokens) record {
	r := record{
		issuer: p.server.issuer, resource: p.resource, endpoint: p.server.token.String(), redirect: p.redirect,
		client: p.client, requested: p.scopes, granted: p.scopes,
	}
	r.client.secret = tokenvault.Secret{}
	return r.with(t)
}
