package bridge

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/bridge/internal/signin"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/streamhttp"
	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A SignIn signs the user in to the server of a [Remote] when the server asks for it, by
// the authorization of MCP 2026-07-28: with OAuth 2.1, a browser, and a redirect to this
// machine.
//
// Until the client says that it is initialized, a sign-in opens the browser. After that
// nothing is opened unasked: the client is asked to open the URL, if it can be, and else
// the request fails. All requests that want a sign-in at a time wait for the same one, and
// each can be cancelled on its own.
type SignIn struct {
	// Vault keeps what comes of a sign-in, one record for each account and URL, and one
	// for each authorization server at which the bridge has registered itself. Run does
	// not close it.
	Vault tokenvault.Store

	// Account tells several accounts of one person at a server apart: at most 64 of
	// A-Z, a-z, 0-9 and "._@-". It may be empty.
	Account string

	// ClientID is of a client that the person has registered at the authorization server,
	// and ClientSecret its secret. Both may be empty. A secret goes to ClientIssuer only,
	// which then is required, and is not kept.
	ClientID     string
	ClientSecret Secret

	// ClientIssuer is the issuer of the authorization server that is to be used, of those
	// that the server names. If empty, it is the first.
	ClientIssuer string

	// ClientMetadata is the https URL of the metadata of a client, which authorization
	// servers read that know such. It may be empty.
	ClientMetadata string

	// Scopes are asked for beside those that the server wants.
	Scopes []string

	// Resource is the resource that tokens are to be for, in place of the one that the
	// server names. It must cover the URL of the server, and may be empty. OmitResource
	// leaves the parameter out, for an authorization server that refuses it; then
	// ClientIssuer is required.
	Resource     string
	OmitResource bool

	// RedirectPort is the port of 127.0.0.1 that the browser comes back to. If zero, it is
	// [DefaultRedirectPort].
	RedirectPort int

	// PortLock is a file that processes lock which share the port, so that they wait for
	// each other. It is made if it is not there, and never removed. It may be empty.
	PortLock string

	// Timeout is how long the user may take, from 10 seconds to an hour. If zero, it is 300
	// seconds.
	Timeout time.Duration

	// Opener opens the browser. If nil, nothing is opened, and the user opens the URL that
	// is shown.
	Opener oauthloopback.Opener

	// Sandboxed says that no browser can be opened, and that nobody could come back from
	// it: whatever needs a sign-in fails at once.
	Sandboxed bool

	// PrivateHosts are hosts in a private network to which requests of a sign-in may go
	// although the server is not in one. Addresses that are private, or of this machine,
	// are refused otherwise, where the server is not reached at such a one itself.
	PrivateHosts []string

	// Show is called with the URL of the authorization request, once for each sign-in,
	// before anything is opened. It is required.
	Show func(oauthloopback.AuthURL)

	// AllowLoopbackHTTP lets authorization servers on this machine be reached over http,
	// for tests.
	AllowLoopbackHTTP bool
}

// DefaultRedirectPort is the port that a [SignIn] has if it says nothing else.
const DefaultRedirectPort = 41894

// What [SignIn.Timeout] is if it says nothing else, and its bounds.
const (
	DefaultSignInTimeout = 300 * time.Second
	MinSignInTimeout     = 10 * time.Second
	MaxSignInTimeout     = time.Hour
)

// CheckSignIn refuses a SignIn that cannot be of a [Remote] at a URL, as far as the texts in
// it go. The error says what is wrong with one, and holds nothing of it.
func CheckSignIn(url string, s *SignIn) error {
	server, err := serverURL(url)
	if err != nil {
		return err
	}
	return s.options(server).Check()
}

// check refuses what cannot be of a server at a URL.
func (s *SignIn) check(server *url.URL) error {
	switch {
	case s.Vault == nil:
		return errors.New("bridge: SignIn.Vault is nil")
	case s.Show == nil:
		return errors.New("bridge: SignIn.Show is nil")
	case s.Timeout != 0 && (s.Timeout < MinSignInTimeout || s.Timeout > MaxSignInTimeout):
		return fmt.Errorf("bridge: SignIn.Timeout is not from %v to %v", MinSignInTimeout, MaxSignInTimeout)
	case s.RedirectPort < 0 || s.RedirectPort > 65535:
		return errors.New("bridge: SignIn.RedirectPort is no port")
	case s.ClientIssuer == "" && s.ClientSecret.Expose() != "":
		return errors.New("bridge: SignIn.ClientSecret needs ClientIssuer")
	case s.ClientID == "" && s.ClientSecret.Expose() != "":
		return errors.New("bridge: SignIn.ClientSecret needs ClientID")
	case s.ClientIssuer == "" && s.OmitResource:
		return errors.New("bridge: SignIn.OmitResource needs ClientIssuer")
	case s.OmitResource && s.Resource != "":
		return errors.New("bridge: SignIn.Resource and OmitResource exclude each other")
	}
	if err := s.options(server).Check(); err != nil {
		return fmt.Errorf("bridge: SignIn: %w", err)
	}
	return nil
}

// options are those of the package that signs in.
func (s *SignIn) options(server *url.URL) signin.Options {
	return signin.Options{
		URL: server, Vault: s.Vault, Account: s.Account,
		Client: signin.ClientOptions{
			ID: s.ClientID, Secret: tokenvault.NewSecret([]byte(s.ClientSecret.Expose())), Issuer: s.ClientIssuer, MetadataURL: s.ClientMetadata,
		},
		Scopes: s.Scopes, Resource: s.Resource, OmitResource: s.OmitResource,
		RedirectPort: or(s.RedirectPort, DefaultRedirectPort), PortLock: s.PortLock, Timeout: or(s.Timeout, DefaultSignInTimeout),
		Opener: s.Opener, NoBrowser: s.Opener == nil, Sandboxed: s.Sandboxed,
		Show: s.Show, AllowLoopbackHTTP: s.AllowLoopbackHTTP,
	}
}

// begin returns what lets requests in at a server, which is reached over n.
func (s *SignIn) begin(server *url.URL, n *streamhttp.Network, sc *session.Config) *access {
	o := s.options(server)
	o.Policy = signin.AddressPolicy{URL: server, Server: n.Server, PrivateHosts: s.PrivateHosts}
	o.HTTP = n.SignInClient(o.Policy.Check)
	o.Go = sc.Go
	o.Event = func(e signin.Event) { sayOfSignIn(sc.Log, e) }
	return &access{coordinator: signin.New(o), host: server.Host, patience: 2*o.Timeout + slack, stop: make(chan struct{})}
}
