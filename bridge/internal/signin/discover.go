package signin

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A discovery finds out who gives tokens for a server.
type discovery struct {
	web      web
	server   *url.URL // that is signed in to
	policy   AddressPolicy
	loopback bool // URLs of http to this machine are let through, for tests

	mu   sync.Mutex // guards the field below
	kept map[string]keptServer
}

// A keptServer is metadata that need not be read again yet.
type keptServer struct {
	authServer
	until time.Time
}

// parseURL reads a URL that a server names for the bridge to use.
func (d *discovery) parseURL(text string) (*url.URL, bool) {
	u, ok := parseURL(text, d.loopback)
	return u, ok && d.policy.checkURL(u) == nil
}

// document asks for a document of metadata. It is nil where the server has none there: then
// it may be elsewhere.
func (d *discovery) document(ctx context.Context, target *url.URL) (document, *Error) {
	a, detail, err := d.web.get(ctx, target)
	switch {
	case detail != "" || err != nil:
		return nil, stopped(mcpwire.CauseDiscoveryFailed, detail, err)
	case a.status >= 500:
		return nil, &Error{Cause: mcpwire.CauseDiscoveryFailed, Detail: DetailStatus, Status: a.status}
	case a.status != http.StatusOK || !a.json:
		return nil, nil
	}
	doc, ok := parseDocument(a.body)
	if !ok {
		return nil, &Error{Cause: mcpwire.CauseDiscoveryFailed, Detail: DetailNotJSON}
	}
	return doc, nil
}

// wellKnown returns the URL of the origin of u at which a name of RFC 8615 stands before a
// path.
func wellKnown(u *url.URL, name, path string) *url.URL {
	w := &url.URL{Scheme: u.Scheme, Host: u.Host}
	w.RawPath = "/.well-known/" + name + path
	w.Path, _ = url.PathUnescape(w.RawPath) // the path of a URL, which was unescaped before
	return w
}
