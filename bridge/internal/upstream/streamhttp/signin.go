package streamhttp

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"syscall"
)

// An AddressCheck refuses addresses, for the requests of a sign-in: their URLs come from
// servers. It gets the host of a URL and the address that is about to be connected to,
// so no name server can say one thing to a check and another to a connection. Where a
// proxy connects, it gets the hosts alone that are addresses themselves.
type AddressCheck func(host string, to netip.Addr) error

// SignInClient returns a client for the requests of a sign-in. It follows no redirect,
// keeps no cookie and adds no header. An error of the check comes wrapped, and then
// nothing was connected.
func (n *Network) SignInClient(check AddressCheck) *http.Client {
	direct := n.transport.Clone()
	direct.Proxy = nil
	direct.DisableKeepAlives = true // a connection that is kept would not be checked again
	direct.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		d := n.dialer
		d.Control = func(_, to string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(to)
			if err != nil {
				return err
			}
			return check(host, at.Addr())
		}
		return n.dialBy(ctx, &d, network, addr)
	}
	return &http.Client{
		Transport:     &checked{n, direct, check},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// checked is the transport of a sign-in.
type checked struct {
	n      *Network
	direct *http.Transport
	check  AddressCheck
}

// RoundTrip sends r by way of a proxy, if one is asked to connect to its server, or
// else directly.
func (c *checked) RoundTrip(r *http.Request) (*http.Response, error) {
	if !c.n.isProxied(r.URL) {
		return roundTrip(c.direct, r)
	}
	if at, err := netip.ParseAddr(r.URL.Hostname()); err == nil {
		if err := c.check(r.URL.Hostname(), at); err != nil {
			return nil, err
		}
	}
	return c.n.RoundTrip(r)
}

// CloseIdleConnections closes those that wait for the next request.
func (c *checked) CloseIdleConnections() { c.n.transport.CloseIdleConnections() }

// met takes note of where the server is, unless a proxy stands before it.
func (n *Network) met(c net.Conn, proxied bool) {
	at, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil || proxied {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.server = at.Addr()
}

// Server returns the address that the server was last connected to at. It is not valid
// where there was no connection, or a proxy stands before the server.
func (n *Network) Server() netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.server
}
