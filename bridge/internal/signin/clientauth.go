package signin

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// The ways in which a client can prove itself at a token endpoint, as metadata names them.
const (
	methodNone  = "none"
	methodPost  = "client_secret_post"
	methodBasic = "client_secret_basic"
)

// ClientAuth proves at a token endpoint who the client is. It adds to the form or to the
// headers, never to both.
type ClientAuth interface {
	apply(form url.Values, h http.Header)
}

// A publicClient has no secret.
type publicClient struct{ id string }

func (c publicClient) apply(form url.Values, _ http.Header) { form.Set("client_id", c.id) }

// A postClient sends its secret in the form.
type postClient struct {
	id     string
	secret tokenvault.Secret
}

func (c postClient) apply(form url.Values, _ http.Header) {
	form.Set("client_id", c.id)
	form.Set("client_secret", c.secret.Expose())
}

// A basicClient sends its secret in a header (RFC 6749, 2.3.1).
type basicClient struct {
	id     string
	secret tokenvault.Secret
}

func (c basicClient) apply(_ url.Values, h http.Header) {
	pair := url.QueryEscape(c.id) + ":" + url.QueryEscape(c.secret.Expose())
	h["Authorization"] = []string{"Basic " + base64.StdEncoding.EncodeToString([]byte(pair))}
}

// A client is what an authorization server knows the bridge as.
type client struct {
	source source
	id     string
	secret tokenvault.Secret
	method string // one of the three
}

// A source says where a client comes from.
type source string

const (
	sourceConfigured source = "pre"  // somebody registered it by hand
	sourceDocument   source = "cimd" // its id is the URL of its metadata
	sourceRegistered source = "dcr"  // the bridge registered it
)

func (c client) auth() ClientAuth {
	switch c.method {
	case methodPost:
		return postClient{c.id, c.secret}
	case methodBasic:
		return basicClient{c.id, c.secret}
	}
	return publicClient{c.id}
}

// methodOf chooses how a client proves itself whose registration does not say. A secret in
// the form is preferred: servers agree about how it is written there. One that lists only
// clients without a secret takes the secret in the header all the same.
func methodOf(secret tokenvault.Secret, listed []string) (string, *Error) {
	switch {
	case secret.IsZero():
		return methodNone, nil
	case slices.Contains(listed, methodPost):
		return methodPost, nil
	case listed == nil, slices.Contains(listed, methodBasic), slices.Contains(listed, methodNone):
		return methodBasic, nil
	}
	return "", because(mcpwire.CauseAuthMethodUnsupported)
}
