package mcpwire

import (
	"net/url"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// W21: Visual Studio Code carries the URI of a resource inside a URI of its own
// and takes it out again with all escapes of the path and the query undone. Of a
// URI that is opaque, or holds such escapes, it then asks for another one than was
// listed.

// editorAuthority is what the editor puts in the place of an authority that is
// empty, on the way there.
const editorAuthority = "dylo78gyp"

// editorForm returns the URI that the editor asks for when it was told of uri. It
// reports false if the editor cannot carry it.
func editorForm(uri string) (string, bool) {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/?#") {
		return "", false
	}
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	authority, path := "", rest
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		authority, path = after, ""
		if i := strings.IndexByte(after, '/'); i >= 0 {
			authority, path = after[:i], after[i:]
		}
	}
	if authority == "" && path != "" && path[0] != '/' { // opaque: the path runs into the placeholder
		authority, path, _ = strings.Cut(editorAuthority+unescape(path), "/")
		if path != "" {
			path = "/" + path
		}
		if strings.Contains(authority, ":") { // the editor takes the rest for a port
			return "", false
		}
	}
	form := scheme + "://" + unescape(authority) + escape(withoutDots(unescape(path)), "\"#<>?`{}")
	if hasQuery && query != "" {
		form += "?" + escape(unescape(query), "\"#<>")
	}
	if hasFragment && fragment != "" {
		form += "#" + escape(unescape(fragment), "\"<>`")
	}
	return form, true
}

// unescape undoes the escapes of s as far as they can be undone.
func unescape(s string) string {
	if text, err := url.PathUnescape(s); err == nil {
		return text
	}
	return s
}

// escape escapes blanks, controls, what is not ASCII, and the characters in set.
func escape(s, set string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || strings.IndexByte(set, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			c = digits[c&15]
		}
		b.WriteByte(c)
	}
	return b.String()
}

// withoutDots resolves the dot segments of a path (RFC 3986, section 5.2.4).
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	var out []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 1 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return strings.Join(out, "/")
}

// listed are the URIs that the upstream has listed.
type listed struct {
	uris  map[string]bool
	forms map[string]string // what the editor asks for → the URI, or empty if it may be one of several
	bytes int
	full  bool // there are too many: no URI is replaced any more, since another one might have the same form
}

// add takes note of a URI.
func (l *listed) add(uri string, limits *Limits) {
	if l.full || l.uris[uri] {
		return
	}
	l.bytes += len(uri)
	if len(l.uris) >= limits.ListedURIs || l.bytes > limits.ListedBytes {
		*l = listed{full: true}
		return
	}
	if l.uris == nil {
		l.uris, l.forms = make(map[string]bool), make(map[string]string)
	}
	l.uris[uri] = true
	form, ok := editorForm(uri)
	if !ok {
		return
	}
	if _, taken := l.forms[form]; taken {
		uri = ""
	}
	l.forms[form] = uri
}

// of returns the listed URI that the front means by uri, or nothing if that is uri
// itself, or cannot be told.
func (l *listed) of(uri string) string {
	if l.full || l.uris[uri] {
		return ""
	}
	return l.forms[uri]
}

// resource checks an element of the list of resources, and notes its URI.
func (h *Shape) resource(w *jsonrpc.Walk) (end int, broken string) {
	if !h.options.Profile.EditorURIs {
		return h.keyed(w)
	}
	look := *w
	if end, broken = h.keyed(w); broken != "" {
		return end, broken
	}
	look.Enter()
	for look.Next() {
		if look.NameIs("uri") {
			if uri, ok := h.m.String(look.Skip()); ok {
				h.uris = append(h.uris, uri)
			}
		}
	}
	return end, ""
}
