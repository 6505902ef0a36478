package oauthloopback

// An AuthURL is the URL of an authorization request that passed every check of
// [Receiver.AuthURL]. It is printed without path and query, and cannot be encoded.
type AuthURL struct{ sealed[authURL] }

type authURL struct {
	raw   string
	maker *Receiver
}

// Raw returns the URL, for the user's eyes: it holds the state.
func (u AuthURL) Raw() string { return u.value().raw }

// A StartURL leads the browser to an AuthURL, once. It is printed without its
// token, and cannot be encoded.
type StartURL struct{ sealed[string] }

// Raw returns the URL, for an [Opener].
func (u StartURL) Raw() string { return u.value() }

// AuthURL checks the URL of an authorization request, which a server has a part
// in. It is taken as it is or refused with [ReasonInvalidURL]:
//
//   - at most 8192 bytes, all of printable ASCII without blanks and "<>\^`{|},
//     each percent sign with two hexadecimal digits behind it;
//   - https in lower case, no user information, no fragment;
//   - a host name in lower case, an IPv4 address with four decimal numbers or an
//     IPv6 address without zone, and a port from 1 to 65535 if any;
//   - exactly one each of response_type=code, client_id, the state and the redirect
//     URI of this receiver, code_challenge, and code_challenge_method=S256.
func (r *Receiver) AuthURL(raw string) (AuthURL, error) {
	host, err := checkURL(raw, expected{
		state: r.settings.state, redirectURI: r.RedirectURI(), loopbackHTTP: r.settings.allowLoopbackHTTP,
	})
	if err != nil {
		return AuthURL{}, err
	}
	return AuthURL{seal(authURL{raw, r}, host+"/…")}, nil
}

// made says that u is of this receiver.
func (r *Receiver) made(u AuthURL) bool { return u.value().maker == r }

func errForeign() error {
	return &Error{Reason: ReasonInvalidURL, Detail: "it is not of this receiver"}
}
