package oauthloopback

import (
	"crypto/subtle"
	"net/url"
	"strings"
)

// A Redirect is the answer of the authorization server, as the browser brought
// it. It holds a code or an error code. It cannot be printed or encoded.
type Redirect struct{ sealed[redirect] }

type redirect struct {
	query  string // as it came
	values url.Values
}

// Code returns the authorization code, or "" for an error.
func (r Redirect) Code() string { return r.value().values.Get("code") }

// State returns the state, which is the one that was expected.
func (r Redirect) State() string { return r.value().values.Get("state") }

// Iss returns the issuer that the server says it is (RFC 9207). Nothing else of
// the redirect means anything until the caller has compared it. A server whose
// metadata promises it (authorization_response_iss_parameter_supported) must not
// leave it out; another one may.
func (r Redirect) Iss() (iss string, present bool) {
	values := r.value().values
	return values.Get("iss"), values.Has("iss")
}

// ErrorCode returns the error code, such as access_denied, or "" for a code. It is
// of printable ASCII, and otherwise what the server sent.
func (r Redirect) ErrorCode() string { return r.value().values.Get("error") }

// ErrorDescription returns the server's description of an error. It can hold
// anything.
func (r Redirect) ErrorDescription() string { return r.value().values.Get("error_description") }

// ErrorURI returns the server's link to a page about an error. It can hold
// anything.
func (r Redirect) ErrorURI() string { return r.value().values.Get("error_uri") }

// readRedirect reads the query of a redirect. It is good if it holds the state and
// either a code or an error.
func readRedirect(query string, state Secret) (Redirect, bool) {
	if len(query) > maxQuery {
		return Redirect{}, false
	}
	values, err := url.ParseQuery(query) // fails for a semicolon, too
	if err != nil {
		return Redirect{}, false
	}
	for _, name := range []string{"state", "code", "error", "iss"} {
		if len(values[name]) > 1 {
			return Redirect{}, false
		}
	}
	code, failure := values.Get("code"), values.Get("error")
	good := same(values.Get("state"), state.Expose()) &&
		values.Has("code") != values.Has("error") &&
		code+failure != "" && printable(code) && printable(failure)
	return Redirect{seal(redirect{query, values}, "[redirect]")}, good
}

// same compares in a time that does not depend on where two texts differ.
func same(got, want string) bool {
	return subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7E })
}
