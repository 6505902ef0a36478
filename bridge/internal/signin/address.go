package signin

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// A zone is a part of the network. Whoever is in one may send the bridge to that and to
// those before it.
type zone uint8

const (
	zonePublic    zone = iota
	zonePrivate        // of an organisation or a home
	zoneLoopback       // this machine
	zoneForbidden      // nobody's: link-local, where clouds have their metadata, and the like
)

// errBlocked refuses an address.
var errBlocked = errors.New("signin: the address is not one to connect to")

// An AddressPolicy says where the requests of a sign-in may go. Their URLs come from the
// server, which must not use the bridge to reach what it does not reach itself.
type AddressPolicy struct {
	// URL is that of the server.
	URL *url.URL

	// Server returns the address that the server was connected to at. It is not valid
	// where a proxy stands before the server; then its URL decides.
	Server func() netip.Addr

	// PrivateHosts are in a private network, and may be connected to all the same.
	PrivateHosts []string
}

// Check refuses a connection to an address, of the host of a URL.
func (p AddressPolicy) Check(host string, to netip.Addr) error {
	z := zoneOf(to)
	switch {
	case z == zoneForbidden:
		return errBlocked
	case z <= p.server(), p.isPrivateHost(host):
		return nil
	}
	return errBlocked
}

// checkURL refuses a URL whose host is an address, or a name of this machine, that must
// not be connected to. Other names are checked once they are looked up, unless a proxy does
// that, which may read an address in one of its old forms.
func (p AddressPolicy) checkURL(u *url.URL) error {
	host := strings.TrimSuffix(u.Hostname(), ".")
	if isLocalName(host) {
		return p.Check(host, netip.IPv6Loopback())
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return p.Check(host, ip)
	}
	if isOldAddress(host) {
		return errBlocked
	}
	return nil
}

// isOldAddress reports whether a host that is no address by today's rules was one once: its
// last label is a number, decimal, octal or hexadecimal, which no domain ends with.
func isOldAddress(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	digits, isHex := strings.CutPrefix(strings.ToLower(last), "0x")
	if isHex {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

// server returns the zone of the server. One that is where nobody should be is not trusted
// with more than the public.
func (p AddressPolicy) server() zone {
	at := p.Server()
	if !at.IsValid() {
		host := p.URL.Hostname()
		if isLocalName(host) {
			return zoneLoopback
		}
		at, _ = netip.ParseAddr(host) // not valid where it is a name
	}
	if z := zoneOf(at); z != zoneForbidden {
		return z
	}
	return zonePublic
}

func (p AddressPolicy) isPrivateHost(host string) bool {
	return slices.ContainsFunc(p.PrivateHosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// Networks that the package netip has no word for.
var (
	sharedV4   = netip.MustParsePrefix("100.64.0.0/10")  // of providers (RFC 6598)
	benchmarks = netip.MustParsePrefix("198.18.0.0/15")  // RFC 2544
	protocols  = netip.MustParsePrefix("192.0.0.0/24")   // RFC 6890
	siteV6     = netip.MustParsePrefix("fec0::/10")      // RFC 3879
	thisV4     = netip.MustParsePrefix("0.0.0.0/8")      // RFC 1122
	reservedV4 = netip.MustParsePrefix("240.0.0.0/4")    // RFC 1112
	embedded   = netip.MustParsePrefix("::/96")          // RFC 4291
	translated = netip.MustParsePrefix("64:ff9b::/96")   // RFC 6052
	local64    = netip.MustParsePrefix("64:ff9b:1::/48") // RFC 8215
	sixToFour  = netip.MustParsePrefix("2002::/16")      // RFC 3056
)

func zoneOf(ip netip.Addr) zone {
	ip = ip.Unmap().WithZone("")
	if inner, ok := innerOf(ip); ok {
		return zoneOf(inner)
	}
	switch {
	case ip.IsLoopback():
		return zoneLoopback
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast(),
		thisV4.Contains(ip), reservedV4.Contains(ip), embedded.Contains(ip):
		return zoneForbidden
	case ip.IsPrivate(), sharedV4.Contains(ip), benchmarks.Contains(ip), protocols.Contains(ip), siteV6.Contains(ip), local64.Contains(ip):
		return zonePrivate
	}
	return zonePublic
}

// innerOf returns the address of IPv4 that a translator makes of one of IPv6.
func innerOf(ip netip.Addr) (netip.Addr, bool) {
	b := ip.As16()
	switch {
	case translated.Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:])), true
	case sixToFour.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return ip, false
}
