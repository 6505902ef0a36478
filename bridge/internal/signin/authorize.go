package signin

import (
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A pending sign-in is all that was decided before the user is asked. It does not change
// while the user is away.
type pending struct {
	server   authServer
	client   client
	resource string // or "", for servers that refuse the parameter
	redirect string
	scopes   scopes
	consent  bool // ask the user even if there is a session, or offline_access counts for nothing

	state, verifier tokenvault.Secret
}

// newState returns a state: 256 random bits.
func newState() tokenvault.Secret {
	var b [32]byte
	rand.Read(b[:]) // ends the process rather than to fail
	return tokenvault.NewSecret([]byte(base64.RawURLEncoding.EncodeToString(b[:])))
}

func newVerifier() tokenvault.Secret { return tokenvault.NewSecret([]byte(oauth2.GenerateVerifier())) }

// reserved are the parameters that an authorization endpoint must not bring along: the
// bridge decides about them.
var reserved = []string{
	"response_type", "client_id", "redirect_uri", "scope", "state", "resource", "code_challenge", "code_challenge_method",
	"iss", "nonce", "prompt", "request", "request_uri", "response_mode",
}

// bringsReserved reports whether the query of an endpoint has one of them, or cannot be
// read.
func bringsReserved(endpoint *url.URL) bool {
	brought, err := url.ParseQuery(endpoint.RawQuery)
	return err != nil || slices.ContainsFunc(reserved, brought.Has)
}

// url returns the URL of the authorization request.
func (p *pending) url() string {
	u := *p.server.authorization
	u.Host = strings.ToLower(u.Host)
	parts := []string{u.RawQuery}
	for _, parameter := range [][2]string{
		{"response_type", "code"}, {"client_id", p.client.id}, {"redirect_uri", p.redirect}, {"state", p.state.Expose()},
		{"code_challenge", oauth2.S256ChallengeFromVerifier(p.verifier.Expose())}, {"code_challenge_method", "S256"},
		{"resource", p.resource}, {"scope", p.scopes.String()}, {"prompt", p.prompt()},
	} {
		if parameter[1] != "" {
			parts = append(parts, parameter[0]+"="+escape(parameter[1]))
		}
	}
	u.RawQuery = strings.TrimPrefix(strings.Join(parts, "&"), "&")
	return u.String()
}

func (p *pending) prompt() string {
	if p.consent {
		return "consent"
	}
	return ""
}

// escape escapes a value in the way that every server reads: a blank is %20.
func escape(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

// checkState says whether a redirect is of this sign-in.
func (p *pending) checkState(state string) *Error {
	if !p.state.Equal(tokenvault.NewSecret([]byte(state))) {
		return because(mcpwire.CauseSignInError)
	}
	return nil
}

// checkIssuer says whether a redirect is of the authorization server that was asked (RFC
// 9207). Nothing else of a redirect means anything before.
func (p *pending) checkIssuer(iss string, present bool) *Error {
	switch {
	case present && iss != p.server.issuer:
		return because(mcpwire.CauseIssMismatch)
	case !present && p.server.iss:
		return because(mcpwire.CauseIssMissing)
	}
	return nil
}

// exchangeForm is the token request for a code.
func (p *pending) exchangeForm(code tokenvault.Secret) url.Values {
	form := url.Values{
		"grant_type": {grantCode}, "code": {code.Expose()}, "redirect_uri": {p.redirect}, "code_verifier": {p.verifier.Expose()},
	}
	if p.resource != "" {
		form.Set("resource", p.resource)
	}
	return form
}
