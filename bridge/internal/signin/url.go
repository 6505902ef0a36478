package signin

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// parseURL reads a URL that a server names: https, without user information and fragment.
// With loopback it may be http to this machine.
func parseURL(text string, loopback bool) (*url.URL, bool) {
	if len(text) > maxURL || strings.ContainsFunc(text, isUnsafe) {
		return nil, false
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.User != nil || strings.Contains(text, "#"):
		return nil, false
	case u.Hostname() == "" || !isPort(u):
		return nil, false
	case u.Scheme == "http":
		return u, loopback && isLoopback(u.Hostname())
	}
	return u, u.Scheme == "https"
}

// isUnsafe tells what no URL may hold: programs read it in different ways, and a terminal
// may do something.
func isUnsafe(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"<>\\^`{|}", r) }

func isPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && n > 0
}

// isLoopback reports whether a host is this machine, whatever a name server says.
func isLoopback(host string) bool {
	if isLocalName(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// isLocalName reports whether a host is a name that means this machine (RFC 6761).
func isLocalName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// originOf returns scheme and host as they are compared: in lower case, without the port
// that is understood.
func originOf(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && !(u.Scheme == "https" && port == "443") && !(u.Scheme == "http" && port == "80") {
		host += ":" + port
	}
	return u.Scheme + "://" + host
}
