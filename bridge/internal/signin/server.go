package signin

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// An authServer is what the metadata of an authorization server says (RFC 8414).
type authServer struct {
	issuer string

	authorization *url.URL // endpoint
	token         *url.URL // endpoint
	registration  *url.URL // endpoint, or nil

	iss       bool // it names itself in its redirects (RFC 9207)
	documents bool // a client may be the URL of its own metadata

	scopes  []string // nil: not said, as below
	grants  []string
	methods []string // of authentication at the token endpoint
}

// isIssuer reports whether a text can be the name of an authorization server.
func (d *discovery) isIssuer(text string) bool {
	_, ok := d.parseURL(text)
	return ok && isIssuerURL(text, d.loopback)
}

func isIssuerURL(text string, loopback bool) bool {
	_, ok := parseURL(text, loopback)
	return ok && !strings.Contains(text, "?")
}

// authServer reads the metadata of an issuer, if that was not just done.
func (d *discovery) authServer(ctx context.Context, issuer string) (authServer, *Error) {
	now := time.Now()
	d.mu.Lock()
	kept, ok := d.kept[issuer]
	d.mu.Unlock()
	if ok && now.Before(kept.until) {
		return kept.authServer, nil
	}
	for _, target := range issuerURLs(issuer) {
		doc, err := d.document(ctx, target)
		if err != nil {
			return authServer{}, err
		}
		if doc == nil {
			continue
		}
		s, err := d.readAuthServer(doc, issuer)
		if err != nil {
			return authServer{}, err
		}
		d.keep(s, now.Add(metadataKept))
		return s, nil
	}
	return authServer{}, because(mcpwire.CauseNoAuthorizationServerMetadata)
}

func (d *discovery) keep(s authServer, until time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = map[string]keptServer{s.issuer: {s, until}} // there is seldom another
}

// issuerURLs returns where the metadata of an issuer may be. For one with a path the root
// is not asked, which may be another issuer's.
func issuerURLs(issuer string) []*url.URL {
	const oauth, openID = "oauth-authorization-server", "openid-configuration"
	u, err := url.Parse(issuer)
	if err != nil { // was checked
		return nil
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	all := []*url.URL{wellKnown(u, oauth, path), wellKnown(u, openID, path)}
	if path == "" {
		return all
	}
	return append(all, u.JoinPath(".well-known", openID))
}

func (d *discovery) readAuthServer(doc document, issuer string) (authServer, *Error) {
	s := authServer{
		issuer:    doc.text("issuer"),
		iss:       doc.isTrue("authorization_response_iss_parameter_supported"),
		documents: doc.isTrue("client_id_metadata_document_supported"),
		scopes:    doc.texts("scopes_supported"), grants: doc.texts("grant_types_supported"),
		methods: doc.texts("token_endpoint_auth_methods_supported"),
	}
	if s.issuer != issuer {
		return s, mismatch(issuer, s.issuer)
	}
	if !slices.Contains(doc.texts("code_challenge_methods_supported"), "S256") {
		return s, because(mcpwire.CausePKCEUnsupported)
	}
	if types := doc.texts("response_types_supported"); types != nil && !slices.Contains(types, "code") {
		return s, &Error{Cause: mcpwire.CauseDiscoveryFailed, Detail: DetailNoCodes}
	}
	var ok bool
	if s.authorization, ok = d.parseURL(doc.text("authorization_endpoint")); !ok || bringsReserved(s.authorization) {
		return s, because(mcpwire.CauseInvalidAuthorizationURL)
	}
	if s.token, ok = d.parseURL(doc.text("token_endpoint")); !ok {
		return s, &Error{Cause: mcpwire.CauseDiscoveryFailed, Detail: DetailNoTokenEndpoint}
	}
	if s.registration, ok = d.parseURL(doc.text("registration_endpoint")); !ok {
		s.registration = nil
	}
	return s, nil
}

// mismatch is the error of an authorization server that calls itself by another name. The
// names are shown only if they are of the alphabet of URLs.
func mismatch(expected, received string) *Error {
	e := because(mcpwire.CauseIssuerMismatch)
	if received != "" && len(received) <= maxURL && !strings.ContainsFunc(expected+received, isUnsafe) {
		e.Expected, e.Received = expected, received
	}
	return e
}
