package streamhttp

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// A Header goes with each request. Its value may be a secret.
type Header struct {
	Name  string
	Value func() string
}

// refusedHeaders belong to the protocol or to the connection (P08), and so does each that
// starts with mcp-.
var refusedHeaders = []string{
	"host", "connection", "content-length", "transfer-encoding", "accept", "content-type", "accept-encoding", "dpop",
	"te", "trailer", "upgrade", "keep-alive", "proxy-connection", "proxy-authorization", "expect", "cookie2", "last-event-id",
}

// CheckHeader refuses a header that must not go to a server (P08). Its errors hold no
// part of the value.
func CheckHeader(name, value string) error {
	lower := strings.ToLower(name)
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isTokenChar(r) }):
		return errors.New("is not the name of a header")
	case slices.Contains(refusedHeaders, lower), strings.HasPrefix(lower, "mcp-"):
		return errors.New("is a header that the protocol or the connection needs for itself")
	case strings.ContainsFunc(value, func(r rune) bool { return (r < ' ' || r > '~') && r != '\t' }):
		return errors.New("has a value with characters that a header cannot hold; it takes visible ASCII, blanks and tabs")
	case value == "" || value != strings.Trim(value, " \t"):
		return errors.New("has a value that is empty, or starts or ends with a blank")
	}
	return nil
}

// isTokenChar reports whether r may stand in the name of a header (RFC 9110).
func isTokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// The headers of each request, beside those of its frame.
const (
	contentType    = "Content-Type"
	jsonType       = "application/json"
	eventsType     = "text/event-stream"
	userAgent      = "trestle"
	cookieName     = "Cookie"
	authorization  = "Authorization"
	noEncoding     = "identity"
	encodingHeader = "Content-Encoding"
)

// base returns the headers that each request has, with those of the configuration.
func base(configured []Header) http.Header {
	h := http.Header{
		contentType:       {jsonType},
		"Accept":          {jsonType + ", " + eventsType},
		"Accept-Encoding": {noEncoding},
		"User-Agent":      {userAgent},
	}
	for _, c := range configured {
		h[http.CanonicalHeaderKey(c.Name)] = []string{c.Value()}
	}
	return h
}
