package mcpwire

import (
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// appendRoots appends the answer to roots/list: of each root that is a local directory
// its uri, its name and what may go upstream of _meta (I05). Other roots are left out without a word; the upstream has no use for
// them.
func (r *replyReader) appendRoots(b []byte) (out []byte, ok bool) {
	var found [1]picked
	if !pickOnce(r.m, r.m.Result, found[:], "roots") || r.m.First(found[0].Value) != '[' {
		return b, false
	}
	b = append(b, `{"roots":[`...)
	first := true
	for w := r.m.Walk(found[0].Value); w.Next(); {
		before := len(b)
		if !first {
			b = append(b, ',')
		}
		comma := len(b)
		if b, ok = r.appendRoot(b, w.Skip()); !ok {
			return b, false
		}
		if len(b) == comma {
			b = b[:before]
			continue
		}
		first = false
	}
	return append(b, `]}`...), true
}

// appendRoot appends the root at s, or nothing if it is not local.
func (r *replyReader) appendRoot(b []byte, s jsonrpc.Span) (out []byte, ok bool) {
	var found [3]picked
	if !pickOnce(r.m, s, found[:], "uri", "name", "_meta") {
		return b, false
	}
	name := found[1].Value
	uri, ok := r.m.String(found[0].Value)
	if !ok || !name.IsZero() && r.m.First(name) != '"' {
		return b, false
	}
	local, ok := localRoot(uri)
	if !ok {
		return b, true
	}
	b = append(b, `{"uri":`...)
	if local == uri {
		b = r.m.AppendSpan(b, found[0].Value)
	} else {
		b = jsonrpc.AppendQuote(b, local)
	}
	if !name.IsZero() {
		b = r.m.AppendSpan(append(b, `,"name":`...), name)
	}
	return r.closeWithMeta(append(b, '}'), found[2].Value), true
}

// maxRoot is the longest URI of a root that goes upstream, in bytes: a path of 4096
// with each byte escaped fits.
const maxRoot = 16 << 10

// localRoot returns the URI of a directory of this machine with its dot segments
// resolved, and escapes for what may not stand in a URI. It reports false for any
// other URI: another scheme or host, a path that is a share of another machine to
// some systems, one that hides dot segments behind escaped slashes, or has a zero byte
// where some programs end.
func localRoot(uri string) (string, bool) {
	const scheme = "file://"
	if len(uri) > maxRoot || len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", false
	}
	host, path, ok := strings.Cut(uri[len(scheme):], "/")
	if !ok || host != "" && !strings.EqualFold(host, "localhost") || strings.ContainsAny(path, "?#\\") {
		return "", false
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = plainDots(s)
		if isDisguised(s) {
			return "", false
		}
	}
	path = escape(withoutDots("/"+strings.Join(segments, "/")), notInURI)
	if strings.HasPrefix(path, "//") || !hasURIRest(path) {
		return "", false
	}
	return scheme + host + path, true
}

// plainDots returns a dot segment without escapes, and any other segment as it is.
func plainDots(segment string) string {
	if s := unescape(segment); s == "." || s == ".." {
		return s
	}
	return segment
}

// isDisguised reports whether a segment, unescaped, is several with a dot segment among
// them, or holds a zero byte.
func isDisguised(segment string) bool {
	s := unescape(segment)
	parts := strings.FieldsFunc(s, func(c rune) bool { return c == '/' || c == '\\' })
	several := len(parts) == 0 || len(parts[0]) < len(s)
	return strings.IndexByte(s, 0) >= 0 ||
		several && slices.ContainsFunc(parts, func(p string) bool { return p == "." || p == ".." })
}
