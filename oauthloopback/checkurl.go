package oauthloopback

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// What an authorization URL has to hold of its receiver.
type expected struct {
	state        Secret
	redirectURI  string
	loopbackHTTP bool
}

// checkURL returns the scheme and host of a good URL. Parsers differ in what they
// repair, so the text is looked at first and nothing is repaired.
func checkURL(raw string, want expected) (origin string, err error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	host, port, hasPort := cutPort(authority)
	_, query, _ := strings.Cut(rest, "?")
	for _, check := range []struct {
		detail string
		good   bool
	}{
		{"length", raw != "" && len(raw) <= maxURL},
		{"byte that a URL cannot hold", !strings.ContainsFunc(raw, badByte)},
		{"percent sign", goodEscapes(raw)},
		{"scheme", scheme == "https" || scheme == "http" && want.loopbackHTTP && onLoopback(host)},
		{"fragment", !strings.Contains(raw, "#")},
		{"user information", !strings.Contains(authority, "@")},
		{"host", goodHost(host)},
		{"port", !hasPort || goodPort(port)},
	} {
		if !check.good {
			return "", &Error{Reason: ReasonInvalidURL, Detail: check.detail}
		}
	}
	if parameter := badParameter(query, want); parameter != "" {
		return "", &Error{Reason: ReasonInvalidURL, Detail: "parameter " + parameter}
	}
	return scheme + "://" + host, nil
}

func badByte(r rune) bool {
	return r < 0x21 || r > 0x7E || strings.ContainsRune("\"<>\\^`{|}", r)
}

func goodEscapes(raw string) bool {
	for i := range len(raw) {
		if raw[i] == '%' && (i+2 >= len(raw) || !hexadecimal(raw[i+1]) || !hexadecimal(raw[i+2])) {
			return false
		}
	}
	return true
}

func hexadecimal(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

// cutPort cuts at the colon behind the host, which for IPv6 ends with a bracket.
func cutPort(authority string) (host, port string, found bool) {
	bracket := strings.LastIndexByte(authority, ']') + 1
	name, port, found := strings.Cut(authority[bracket:], ":")
	return authority[:bracket] + name, port, found
}

func goodPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil && port[0] != '0' // neither 0 nor a second spelling
}

const (
	maxHost  = 253 // bytes
	maxLabel = 63  // bytes
)

func goodHost(host string) bool {
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, ok = strings.CutSuffix(inside, "]")
		address, err := netip.ParseAddr(inside)
		return ok && err == nil && address.Is6() && address.Zone() == ""
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if numeric(last) { // browsers then read the whole as an address, in any of its old forms
		_, err := netip.ParseAddr(host)
		return err == nil
	}
	for label := range strings.SplitSeq(host, ".") {
		if !goodLabel(label) {
			return false
		}
	}
	return len(host) <= maxHost
}

func goodLabel(label string) bool {
	return label != "" && len(label) <= maxLabel && label[0] != '-' && label[len(label)-1] != '-' &&
		!strings.ContainsFunc(label, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
		})
}

// numeric says that a label is a number, of the forms that the old address
// notations have.
func numeric(label string) bool {
	if digits, ok := strings.CutPrefix(label, "0x"); ok {
		return !strings.ContainsFunc(digits, func(r rune) bool { return r > 0x7E || !hexadecimal(byte(r)) })
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

func onLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "[::1]" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// badParameter names the first parameter that does not stand exactly once in
// query with a value that will do.
func badParameter(query string, want expected) string {
	values := map[string][]string{}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		value, valueErr := url.QueryUnescape(value)
		if nameErr != nil || valueErr != nil {
			return "with a bad escape"
		}
		values[name] = append(values[name], value)
	}
	for _, p := range []struct{ name, value string }{
		{"response_type", "code"},
		{"client_id", ""},
		{"state", want.state.Expose()},
		{"redirect_uri", want.redirectURI},
		{"code_challenge", ""},
		{"code_challenge_method", "S256"},
	} {
		got := values[p.name]
		if len(got) != 1 || got[0] == "" || p.value != "" && !same(got[0], p.value) {
			return p.name
		}
	}
	return ""
}
