package mcpwire

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxElicitationURL is the longest URL that is shown to a person, in bytes.
const maxElicitationURL = 8 << 10

// checkURL implements T116 for the URL of an elicitation (I02, I14). shown is what
// the front gets: the URL with scheme and host in lower case, the host in its ASCII
// form, and escapes for what may not stand in a URL. flagged says that the host was
// not ASCII. ok is false if the URL must not be shown: the upstream gets a decline.
//
// Taken are absolute URLs with https, and with http where the host is this machine.
// They hold no backslash, no blank, no control or other invisible character, no user
// information and only whole escapes. A host that ends in a number is an address to
// a browser, however it is spelled (127.1, 0x7f.1, 2130706433), so it must be four
// plain decimals, whatever the scheme; an address of version 6 has no zone and does
// not stand for one of version 4.
//
// checkURL of a URL that was shown gives the same URL.
func checkURL(raw string) (shown string, flagged, ok bool) {
	if len(raw) > maxElicitationURL || !isVisible(raw) {
		return "", false, false
	}
	scheme, rest, found := strings.Cut(raw, "://")
	scheme = strings.ToLower(scheme)
	if !found || scheme != "https" && scheme != "http" {
		return "", false, false
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	rest = escape(rest[len(authority):], notInURI)
	host, port, ok := splitAuthority(authority)
	if !ok || !hasURIRest(rest) {
		return "", false, false
	}
	host, loopback, ok := plainHost(host)
	if !ok || scheme == "http" && !loopback {
		return "", false, false
	}
	shown = scheme + "://" + host + port + rest
	if _, err := url.Parse(shown); err != nil || len(shown) > maxElicitationURL {
		return "", false, false
	}
	return shown, !isASCII(authority), true
}

// isVisible reports whether each character of s can be seen: no control, no blank, no
// mark that turns the direction of text; and no backslash, which some take for a
// slash.
func isVisible(s string) bool {
	for _, c := range s {
		if c == '\\' || c == utf8.RuneError || !unicode.IsGraphic(c) || unicode.IsSpace(c) {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

// splitAuthority splits a host from its port, which keeps its colon. User information
// stays with one of the two, which it makes unfit.
func splitAuthority(s string) (host, port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || strings.HasSuffix(s, "]") {
		return s, "", true
	}
	host, port = s[:i], s[i:]
	return host, port, isPort(port[1:])
}

// isPort reports whether s is a port as one writes it: 1 to 65535, no zero before.
func isPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil && s[0] != '0'
}

// plainHost returns the plain form of a host, and whether it is this machine.
func plainHost(s string) (host string, loopback, ok bool) {
	if inner, bracket := strings.CutPrefix(s, "["); bracket {
		inner, ok = strings.CutSuffix(inner, "]")
		a, err := netip.ParseAddr(inner)
		if !ok || err != nil || !a.Is6() || a.Is4In6() || a.Zone() != "" {
			return "", false, false
		}
		return "[" + a.String() + "]", a.IsLoopback(), true
	}
	if !isASCII(s) {
		var err error
		if s, err = idna.Lookup.ToASCII(s); err != nil {
			return "", false, false
		}
	}
	s = strings.ToLower(s)
	if !isBrowserHost(s) {
		return "", false, false
	}
	if endsInNumber(s) {
		a, err := netip.ParseAddr(s)
		return s, err == nil && a.IsLoopback(), err == nil && a.Is4()
	}
	return s, s == "localhost" || strings.HasSuffix(s, ".localhost"), true
}

// isBrowserHost is isHostName for names that a browser looks up: with underscores,
// hyphens anywhere, and labels in punycode only if they decode; no escapes and no at
// sign.
func isBrowserHost(s string) bool {
	if len(s) > maxHostName {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > maxLabel {
			return false
		}
		for _, c := range []byte(label) {
			if !isAlphanumeric(c) && c != '-' && c != '_' {
				return false
			}
		}
		if strings.HasPrefix(label, "xn--") {
			if back, err := idna.Lookup.ToASCII(label); err != nil || back != label {
				return false
			}
		}
	}
	return true
}

// endsInNumber reports whether the last label of s is a number, decimal or
// hexadecimal: then a browser takes all of s for an address.
func endsInNumber(s string) bool {
	last := s[strings.LastIndexByte(s, '.')+1:]
	if digits, ok := strings.CutPrefix(last, "0x"); ok {
		return isHex([]byte(digits))
	}
	return strings.Trim(last, "0123456789") == ""
}
