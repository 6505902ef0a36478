package signin

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// Options say how to sign in to a server. What has no comment of its own is required.
type Options struct {
	URL    *url.URL      // of the server, as it is configured
	HTTP   *http.Client  // follows no redirect, and checks addresses by Policy
	Policy AddressPolicy // where requests may go
	Vault  tokenvault.Store

	// Go starts a goroutine that recovers. The channel is closed when it has ended.
	Go func(f func()) <-chan struct{}

	Account string        // one of several at a server; may be empty
	Client  ClientOptions // may be empty
	Scopes  []string      // that are asked for beside those of the server; may be empty

	// Resource is asked for in place of what the metadata of the server says. It covers URL,
	// or is empty.
	Resource string

	// OmitResource leaves out the parameter resource, for authorization servers that
	// refuse it. Client.Issuer says that it is one of those.
	OmitResource bool

	RedirectPort int           // of 127.0.0.1
	PortLock     string        // file that processes lock which use the port; may be empty
	Timeout      time.Duration // of the user
	Opener       oauthloopback.Opener
	NoBrowser    bool // the user opens the URL that is shown
	Sandboxed    bool // no browser can be opened, and nobody could come back

	// Show is called with the URL that the user may open by hand.
	Show func(oauthloopback.AuthURL)
	// Event is called with what happens meanwhile. It may be nil.
	Event func(Event)

	AllowLoopbackHTTP bool // for tests
}

func (o *Options) tell(e Event) {
	if o.Event != nil {
		o.Event(e)
	}
}

// An Event is something that a person may want to know.
type Event struct {
	Kind     EventKind
	ExitCode int    // of the program that opens browsers, of BrowserFailed; zero if there is none, -1 if it was not started
	Err      *Error // of NotSignedIn
}

// An EventKind is what has happened.
type EventKind uint8

// The kinds.
const (
	SignedIn      EventKind = 1 + iota // there is a token
	NotSignedIn                        // a sign-in that was begun came to nothing
	BrowserFailed                      // no browser was opened; the URL was shown
	LateStart                          // the start URL was opened again: another program possibly signed in
	Waits                              // for a process that signs in on the same port
	NotStored                          // the token is good for this process, and could not be kept
)

// Consent asks a user who is at work, before anything is opened.
type Consent interface {
	// Ask puts a URL to the user, for scopes that may be empty. It returns nil for a yes
	// and [oauthloopback.ErrDeclined] for a no; another error means that the question
	// could not be put. It returns when ctx is done, which can be before the answer.
	Ask(ctx context.Context, u oauthloopback.AuthURL, scopes string) error
	// Over says that the sign-in which was asked for has succeeded.
	Over()
}
