package app

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/bridge"
)

// A signIn is what the options say about signing in to a server at a URL. What is zero is
// left to the bridge.
type signIn struct {
	vault          vault
	clientID       string // of a client that the person has registered
	clientIssuer   string
	clientMetadata string // the URL of a document about the client
	scopes         []string
	resource       string
	omitResource   bool
	redirectPort   int
	noBrowser      bool
	timeout        time.Duration
	privateHosts   []string
}

func (s *signIn) addTo(fs *ff.FlagSet) {
	addValue(fs, "client-id", parseText, &s.clientID)
	addValue(fs, "client-issuer", parseText, &s.clientIssuer)
	addValue(fs, "client-metadata-url", parseText, &s.clientMetadata)
	addEach(fs, "scope", parseText, &s.scopes)
	addValue(fs, "resource", parseText, &s.resource)
	addSwitch(fs, "no-resource-parameter", &s.omitResource)
	addValue(fs, "redirect-port", parsePort, &s.redirectPort)
	addSwitch(fs, "no-browser", &s.noBrowser)
	addValue(fs, "sign-in-timeout", parseSignInTime, &s.timeout)
	addEach(fs, "auth-private-host", parseHost, &s.privateHosts)
	s.vault.addTo(fs)
}

// signInOptions are the options of a signIn. A header Authorization excludes them (P09).
var signInOptions = append([]string{
	"client-id", "client-issuer", "client-metadata-url", "scope", "resource", "no-resource-parameter",
	"redirect-port", "no-browser", "sign-in-timeout", "auth-private-host",
}, vaultOptions...)

// check refuses options that do not go together, and texts that cannot be what they should.
// loopbackHTTP is that of [process].
func (s *signIn) check(url string, clientSecret secret, loopbackHTTP bool) error {
	haveSecret := clientSecret.value != nil
	needs := func(option, text string) error { return &usageError{option: option, text: text} }
	switch {
	case haveSecret && s.clientIssuer == "":
		return needs(clientSecretVariable, "goes to one authorization server only; name that by --client-issuer")
	case haveSecret && s.clientID == "":
		return needs(clientSecretVariable, "is the secret of a client; name that by --client-id")
	case s.omitResource && s.clientIssuer == "":
		return needs("--no-resource-parameter", "is for one authorization server; name that by --client-issuer")
	case s.omitResource && s.resource != "":
		return needs("--resource", "has no effect with --no-resource-parameter")
	case s.clientMetadata != "" && s.clientID != "":
		return needs("--client-metadata-url", "is for a client without --client-id")
	}
	for _, part := range s.parts(clientSecret) {
		part.of.AllowLoopbackHTTP = loopbackHTTP
		if err := bridge.CheckSignIn(url, &part.of); err != nil {
			return needs(part.option, err.Error())
		}
	}
	return s.vault.check()
}

// A part is a SignIn in which one option counts, or the variable of a secret.
type part struct {
	option string
	of     bridge.SignIn
}

func (s *signIn) parts(clientSecret secret) []part {
	return []part{
		{clientSecretVariable, bridge.SignIn{ClientSecret: clientSecret.forBridge()}},
		{"--client-id", bridge.SignIn{ClientID: s.clientID}},
		{"--client-issuer", bridge.SignIn{ClientIssuer: s.clientIssuer}},
		{"--client-metadata-url", bridge.SignIn{ClientMetadata: s.clientMetadata}},
		{"--scope", bridge.SignIn{Scopes: s.words()}},
		{"--resource", bridge.SignIn{Resource: s.resource}},
	}
}

// words are the scopes one by one: several may be in one argument, as they are written.
func (s *signIn) words() []string { return strings.Fields(strings.Join(s.scopes, " ")) }

// parseText reads what is looked at once the server is known.
func parseText(s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", errors.New("needs a value")
	}
	return s, nil
}

func parsePort(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, errors.New("takes a port from 1 to 65535")
	}
	return int(n), nil
}

func parseSignInTime(s string) (time.Duration, error) {
	d, err := parseDuration(s)
	if err != nil || d < bridge.MinSignInTimeout || d > bridge.MaxSignInTimeout {
		return 0, fmt.Errorf("takes a time from %.0fs to %.0fh", bridge.MinSignInTimeout.Seconds(), bridge.MaxSignInTimeout.Hours())
	}
	return d, nil
}

var hostName = regexp.MustCompile(`^[0-9A-Za-z]([0-9A-Za-z._-]*[0-9A-Za-z])?$`)

// parseHost reads a host as it stands in a URL, but for the brackets of an address.
func parseHost(s string) (string, error) {
	if ip, err := netip.ParseAddr(s); err == nil && ip.Zone() == "" {
		return s, nil
	}
	if !hostName.MatchString(s) {
		return "", errors.New("takes the name or address of a host, without a port")
	}
	return s, nil
}

// isStatic reports whether the headers have one that says who the person is (P09).
func isStatic(headers []header) bool {
	return slices.ContainsFunc(headers, func(h header) bool { return strings.EqualFold(h.name, "Authorization") })
}

// checkStatic refuses what is for a sign-in beside such a header.
func checkStatic(flags ff.Flags, haveSecret bool) error {
	const text = "is for a sign-in, which a header Authorization excludes"
	if haveSecret {
		return &usageError{option: clientSecretVariable, text: text}
	}
	return checkSet(flags, signInOptions, text)
}
