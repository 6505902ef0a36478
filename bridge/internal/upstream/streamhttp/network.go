// Package streamhttp speaks to a server at a URL, over Streamable HTTP of MCP 2026-07-28:
// each request is one POST, and has a response of its own, which is one message or a
// stream of events. To an older server it speaks as that has it: in a session, with a
// stream that belongs to no request, or over what 2024-11-05 had before.
package streamhttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
)

// A Network makes the connections of a session: those to the server, and those of its
// sign-in. All of them have the same trust, the same proxies and the same limits, and end
// with it.
type Network struct {
	transport *http.Transport
	dialer    net.Dialer
	connect   time.Duration

	ctx    context.Context // ends dials
	cancel context.CancelFunc
	dials  sync.WaitGroup

	mu     sync.Mutex         // guards the fields below
	conns  map[*conn]struct{} // that net/http has
	closed bool
	server netip.Addr    // where the server was, when it was last connected to without a proxy
	gone   chan struct{} // closed once closed and without a connection
	once   sync.Once
}

// NetworkOptions configure a [Network].
type NetworkOptions struct {
	Roots   *x509.CertPool // nil: those of the system
	Proxy   func(*url.URL) (*url.URL, error)
	Connect time.Duration // that a connection may take until it is secure
}

// NewNetwork returns a Network. It is closed by Close.
func NewNetwork(o NetworkOptions) *Network {
	n := &Network{connect: o.Connect, conns: make(map[*conn]struct{}), gone: make(chan struct{})}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.dialer = net.Dialer{
		Timeout:         o.Connect,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: tcpIdle, Interval: tcpInterval, Count: tcpProbes},
	}
	n.transport = &http.Transport{
		DialContext:            n.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    o.Connect,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           idleConns,
		MaxIdleConnsPerHost:    idleConns,
		IdleConnTimeout:        idleConn,
		MaxResponseHeaderBytes: headerBytes,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: pingAfter, PingTimeout: pingAnswer, WriteByteTimeout: pingAfter,
			MaxReceiveBufferPerStream: streamBytes,
		},
	}
	if o.Proxy != nil {
		n.transport.Proxy = func(r *http.Request) (*url.URL, error) { return o.Proxy(r.URL) }
	}
	return n
}

// RoundTrip sends a request, as an [http.RoundTripper].
func (n *Network) RoundTrip(req *http.Request) (*http.Response, error) {
	return roundTrip(n.transport, req)
}

// roundTrip sends a request by t. A server that switches to another protocol, which nobody
// has asked for, takes the connection out of the hands of net/http: no limit and no
// cancellation would end a read of it. So it is closed at once.
func roundTrip(t *http.Transport, req *http.Request) (*http.Response, error) {
	res, err := t.RoundTrip(req)
	if err == nil && res.StatusCode == http.StatusSwitchingProtocols {
		res.Body.Close()
		res.Body = http.NoBody
	}
	return res, err
}

// isProxied reports whether a proxy is asked to connect to u.
func (n *Network) isProxied(u *url.URL) bool {
	if n.transport.Proxy == nil {
		return false
	}
	p, err := n.transport.Proxy(&http.Request{URL: u})
	return p != nil || err != nil
}

// errClosed is the error of a dial after Close.
var errClosed = errors.New("streamhttp: closed")

// dial connects to addr.
func (n *Network) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return n.dialBy(ctx, &n.dialer, network, addr)
}

// dialBy connects to addr by d. A name that means this machine is not looked up.
func (n *Network) dialBy(ctx context.Context, d *net.Dialer, network, addr string) (net.Conn, error) {
	if !n.begin() {
		return nil, errClosed
	}
	defer n.dials.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(n.ctx, cancel)()

	c, err := dialHost(ctx, d, network, addr)
	if err != nil {
		return nil, err
	}
	return n.keep(c)
}

// begin counts a dial, unless the network is closed.
func (n *Network) begin() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return false
	}
	n.dials.Add(1)
	return true
}

func dialHost(ctx context.Context, d *net.Dialer, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || !isLocalName(host) {
		return d.DialContext(ctx, network, addr)
	}
	c, err := d.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	if err != nil && ctx.Err() == nil {
		if c, other := d.DialContext(ctx, network, net.JoinHostPort("::1", port)); other == nil {
			return c, nil
		}
	}
	return c, err
}

// A conn is a connection that ends with its network.
type conn struct {
	net.Conn
	n       *Network
	written atomic.Int64 // bytes
}

func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	return n, err
}

func (n *Network) keep(c net.Conn) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		c.Close()
		return nil, errClosed
	}
	kept := &conn{Conn: c, n: n}
	n.conns[kept] = struct{}{}
	return kept, nil
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	delete(c.n.conns, c)
	c.n.settle()
	return err
}

// settle says that every connection is given up. The caller holds the lock.
func (n *Network) settle() {
	if n.closed && len(n.conns) == 0 {
		n.once.Do(func() { close(n.gone) })
	}
}

// Close closes every connection, ends those that are being made, and returns when
// net/http has given them up.
func (n *Network) Close() {
	n.mu.Lock()
	n.closed = true
	for c := range n.conns {
		c.Conn.Close()
	}
	n.settle()
	n.mu.Unlock()
	n.cancel()
	n.transport.CloseIdleConnections()
	n.dials.Wait()
	halt.Within(n.gone, giveUp)
}
