package streamhttp

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// ParseURL reads the URL of a server (P10): https, or http to this machine, without user
// information and fragment. Its errors hold nothing of the URL, which can hold a key.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || !isPlain(text):
		return nil, errors.New("is not a valid URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("is no URL of https")
	case u.Hostname() == "" || !isPort(u.Port()) || strings.HasSuffix(u.Host, ":"):
		return nil, errors.New("is a URL without a valid host")
	case u.User != nil:
		return nil, errors.New("holds a user name or password; use a header instead")
	case strings.Contains(text, "#"):
		return nil, errors.New("holds a fragment, which is never sent; leave it out")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, errors.New("is a URL of http to another machine; only https is secure there")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// isPlain reports whether text holds nothing that programs read in different ways.
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7F })
}

func isPort(port string) bool {
	if port == "" {
		return true
	}
	_, err := net.LookupPort("tcp", port)
	return err == nil && port[0] != '-' && port[0] != '+' && strings.Trim(port, "0123456789") == "" && strings.Trim(port, "0") != ""
}

// isLoopback reports whether a host is this machine, whatever a name server says.
func isLoopback(host string) bool {
	if isLocalName(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Zone() == "" && (ip.Is4() && ip.IsLoopback() || ip == netip.IPv6Loopback())
}

// isLocalName reports whether host is a name that means this machine (RFC 6761).
func isLocalName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") && len(host) > len(".localhost")
}

// sameOrigin reports whether two URLs have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
