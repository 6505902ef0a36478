package signin

import (
	"context"
	"net/url"
	"strings"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A resource is what the metadata of a server says (RFC 9728).
type resource struct {
	id      string   // as it is written
	issuers []string // of the authorization servers that can be used, in their order
	scopes  []string // nil: not said
}

// resource reads the metadata of the server: where its challenge says, then before its
// path, then at the root of its origin. A document that is there decides; none after it is
// looked at.
func (d *discovery) resource(ctx context.Context, c Challenge) (resource, *Error) {
	others := d.resourceURLs()
	if u, ok := d.parseURL(c.ResourceMetadata); ok && u.String() != others[0].String() {
		// What is wrong with what a challenge says does not count against the other places.
		if doc, _ := d.document(ctx, u); doc != nil {
			return d.readResource(doc)
		}
	}
	for _, target := range others {
		doc, err := d.document(ctx, target)
		if err != nil {
			return resource{}, err
		}
		if doc != nil {
			return d.readResource(doc)
		}
	}
	return resource{}, because(mcpwire.CauseNoResourceMetadata)
}

func (d *discovery) resourceURLs() []*url.URL {
	const name = "oauth-protected-resource"
	root := wellKnown(d.server, name, "")
	path := d.server.EscapedPath()
	if path == "/" || path == "" {
		return []*url.URL{root}
	}
	return []*url.URL{wellKnown(d.server, name, path), root}
}

func (d *discovery) readResource(doc document) (resource, *Error) {
	r := resource{id: doc.text("resource"), scopes: doc.texts("scopes_supported")}
	if !covers(r.id, d.server) {
		return r, because(mcpwire.CauseResourceMismatch)
	}
	if doc.isTrue("dpop_bound_access_tokens_required") {
		return r, because(mcpwire.CauseDPoPRequired)
	}
	for _, issuer := range doc.texts("authorization_servers") {
		if d.isIssuer(issuer) {
			r.issuers = append(r.issuers, issuer)
		}
	}
	if len(r.issuers) == 0 {
		return r, because(mcpwire.CauseNoAuthorizationServer)
	}
	return r, nil
}

// covers reports whether a resource is the server, or one that the server is a part of.
func covers(id string, server *url.URL) bool {
	u, ok := parseURL(id, true)
	if !ok || originOf(u) != originOf(server) || u.RawQuery != "" && u.RawQuery != server.RawQuery || u.ForceQuery {
		return false
	}
	whole, part := strings.TrimSuffix(u.EscapedPath(), "/"), strings.TrimSuffix(server.EscapedPath(), "/")
	return part == whole || strings.HasPrefix(part, whole+"/")
}

// chooseIssuer chooses among the authorization servers of a resource: the configured one,
// or else the one that there is a sign-in of, or else the first. A configured one may
// differ from what the resource says in the slash of an empty path, and counts as it is
// configured: where a resource and an authorization server do not agree about that slash,
// only a person can say who is meant.
func chooseIssuer(listed []string, configured, kept string) (string, *Error) {
	for _, issuer := range listed {
		switch {
		case configured != "" && (issuer == configured || differInSlash(issuer, configured)):
			return configured, nil
		case configured == "" && issuer == kept:
			return issuer, nil
		}
	}
	if configured != "" {
		return "", because(mcpwire.CauseIssuerNotRegistered)
	}
	return listed[0], nil
}

// differInSlash reports whether one of two issuers without a path ends with a slash.
func differInSlash(a, b string) bool {
	long, short := a, b
	if len(a) < len(b) {
		long, short = b, a
	}
	u, err := url.Parse(short)
	return err == nil && u.Path == "" && long == short+"/"
}
