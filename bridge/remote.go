package bridge

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/streamhttp"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// Remote speaks to a server at a URL, over Streamable HTTP, or as 2024-11-05 has it over
// HTTP with SSE. Requests go out side by side, and one that fails does so alone: Run never
// returns [ErrUpstreamLost] for it. A session with an older server is deleted at the end;
// one that the server has forgotten is opened again.
//
// Every connection is verified against the authorities of the system; nothing turns that
// off. No address that the server names is ever fetched, but for redirects within its own
// origin and what a [SignIn] needs. Cookies that it sets go back to its origin and are
// forgotten with the session.
type Remote struct {
	// URL is the address of the server: https, or http to localhost or another address of
	// this machine; without user information and fragment.
	URL Secret

	// Headers go with each request. The protocol and the connection need some for
	// themselves, which are refused: [CheckHeader] says which. Each is there once.
	Headers []Header

	// CA holds certificates in PEM that are trusted beside those of the system. It may be
	// empty.
	CA []byte

	// Proxy is read from these variables, in the form of os.Environ: HTTPS_PROXY, else
	// ALL_PROXY, unless NO_PROXY names the host; each may be in lower case. They may hold
	// others, which are ignored. A server on this machine is reached directly, and so is
	// every server if Proxy is empty. Headers never go to a proxy.
	Proxy []string

	// Response bounds one response, or one event of a response that is a stream, in
	// bytes, at most 512 MiB. If zero, it is 64 MiB.
	Response int

	// Connect is how long a connection may take until it is secure. If zero, it is 30
	// seconds.
	Connect time.Duration

	// Idle is how long a stream of notifications may be silent before it is opened again.
	// If zero, that is no limit, until the stream has carried a comment, which servers
	// send to show that they are there; from then on three times the longest silence that
	// it had, and two minutes at least.
	Idle time.Duration

	// SignIn signs the user in when the server asks for it. If nil, that never happens, and
	// what the server refuses fails. It excludes a header Authorization.
	SignIn *SignIn

	// RefuseRedirects refuses redirects within the origin of URL too. Others are always
	// refused.
	RefuseRedirects bool
}

// A Header is one header of HTTP.
type Header struct {
	Name  string
	Value Secret
}

// The defaults of [Remote].
const (
	defaultResponse = 64 << 20 // bytes
	defaultConnect  = 30 * time.Second
)

// CheckURL refuses a text that cannot be a [Remote.URL]. The error says what is wrong with
// it, and holds nothing of it.
func CheckURL(text string) error {
	_, err := streamhttp.ParseURL(text)
	return err
}

// CheckHeader refuses a header that cannot be one of [Remote.Headers]. The error says what
// is wrong with it, and holds nothing of it.
func CheckHeader(h Header) error { return streamhttp.CheckHeader(h.Name, h.Value.Expose()) }

// CheckCA refuses a text that holds no certificate in PEM. The error holds nothing of it.
func CheckCA(text []byte) error {
	if !x509.NewCertPool().AppendCertsFromPEM(text) {
		return errors.New("holds no certificate in PEM")
	}
	return nil
}

// CheckProxy refuses variables of which one names no proxy that can be used. The error
// names it, and holds nothing of its value.
func CheckProxy(env []string) error {
	_, err := streamhttp.ParseProxy(env)
	return err
}

func (r Remote) check() error {
	if err := CheckURL(r.URL.Expose()); err != nil {
		return fmt.Errorf("bridge: Remote.URL %w", err)
	}
	if err := r.checkHeaders(); err != nil {
		return err
	}
	if len(r.CA) > 0 {
		if err := CheckCA(r.CA); err != nil {
			return fmt.Errorf("bridge: Remote.CA %w", err)
		}
	}
	if err := CheckProxy(r.Proxy); err != nil {
		return fmt.Errorf("bridge: Remote.Proxy: %w", err)
	}
	if err := r.checkSignIn(); err != nil {
		return err
	}
	return r.checkLimits()
}

// checkSignIn implements P09 beside the rest: two headers Authorization never go out.
func (r Remote) checkSignIn() error {
	if r.SignIn == nil {
		return nil
	}
	if slices.ContainsFunc(r.Headers, func(h Header) bool { return strings.EqualFold(h.Name, "Authorization") }) {
		return errors.New("bridge: Remote.SignIn and a header Authorization exclude each other")
	}
	target, _ := streamhttp.ParseURL(r.URL.Expose()) // was checked
	return r.SignIn.check(target)
}

func (r Remote) checkHeaders() error {
	for i, h := range r.Headers {
		if err := CheckHeader(h); err != nil {
			return fmt.Errorf("bridge: Remote.Headers: one %w", err)
		}
		if slices.ContainsFunc(r.Headers[:i], func(other Header) bool { return strings.EqualFold(other.Name, h.Name) }) {
			return errors.New("bridge: Remote.Headers: one is there twice")
		}
	}
	return nil
}

func (r Remote) checkLimits() error {
	switch {
	case r.Response < 0 || r.Response > mostBytes:
		return fmt.Errorf("bridge: Remote.Response is not from 0 to %d MiB", mostBytes>>20)
	case r.Connect < 0:
		return errors.New("bridge: Remote.Connect is negative")
	case r.Idle < 0:
		return errors.New("bridge: Remote.Idle is negative")
	}
	return nil
}

func (r Remote) connect(sc *session.Config, limits Limits) {
	target, _ := streamhttp.ParseURL(r.URL.Expose()) // was checked
	proxy, _ := streamhttp.ParseProxy(r.Proxy)       // likewise
	network := streamhttp.NewNetwork(streamhttp.NetworkOptions{Roots: r.roots(), Proxy: proxy, Connect: or(r.Connect, defaultConnect)})
	o := streamhttp.Options{
		Network:     network,
		URL:         func() *url.URL { return target },
		Headers:     r.headers(),
		Reader:      r.reader(limits),
		NoRedirects: r.RefuseRedirects,
		Idle:        r.Idle,
		Distrust:    func(d *streamhttp.Distrust) { sayDistrust(sc.Log, d) },
	}
	up := &remote{}
	if r.SignIn != nil {
		up.access = r.SignIn.begin(target, network, sc)
		o.Access = up.access
		sc.Initialized = up.access.initialized
	}
	up.Client = streamhttp.New(o)
	sc.Wire.Transport = mcpwire.HTTP
	sc.Upstream = up
}

func sayDistrust(log *slog.Logger, d *streamhttp.Distrust) {
	log.LogAttrs(context.Background(), slog.LevelWarn, d.Text, diag.Issuer(d.Issuer))
}

// roots are those of the system and of r.CA; nil are those of the system alone.
func (r Remote) roots() *x509.CertPool {
	if len(r.CA) == 0 {
		return nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil { // there are none; then only what the caller trusts counts
		roots = x509.NewCertPool()
	}
	roots.AppendCertsFromPEM(r.CA)
	return roots
}

func (r Remote) headers() []streamhttp.Header {
	headers := make([]streamhttp.Header, len(r.Headers))
	for i, h := range r.Headers {
		headers[i] = streamhttp.Header{Name: h.Name, Value: h.Value.Expose}
	}
	return headers
}

// reader says how a response is read.
func (r Remote) reader(limits Limits) *jsonrpc.ReaderOptions {
	o := serverLines(limits)
	o.Batches = false
	o.MaxLine = or(r.Response, defaultResponse)
	return o
}

// A remote is a client over HTTP, as a session has it.
type remote struct {
	*streamhttp.Client
	access *access // nil: there is no sign-in
}

func (r *remote) Start(s *session.Session) {
	r.Client.Start(s.Go, func() streamhttp.Receiver { return s.NewEntrant() })
	if r.access != nil {
		r.access.begin(s, r.Client)
	}
}

func (r *remote) Close() {
	if r.access != nil {
		r.access.settle()
	}
	r.Client.Close()
	if r.access != nil {
		r.access.close()
	}
}
