package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// W21: Visual Studio Code carries the URI of a resource inside a URI of its own
// and takes it out again as a URL, with all escapes undone. Of a URI that is opaque,
// holds escapes, or is no URL in its usual form, it then asks for another one than
// was listed, and takes only contents whose URI has the path that it asked for.

// A resourceURI is a URI that the upstream has listed.
type resourceURI struct {
	uri   string
	forms []string // what the editor may ask for in its place
}

// size is how many bytes are kept of r.
func (r *resourceURI) size() int {
	n := len(r.uri)
	for _, form := range r.forms {
		n += len(form)
	}
	return n
}

// A listing is the URIs of one answer, on their way to those that are kept.
type listing struct {
	uris  []resourceURI
	bytes int
	full  bool // these alone are more than is kept
}

// note takes note of a URI. What is not kept is not worked on either: the forms of a
// URI are several times as long.
func (l *listing) note(uri string, limits *Limits) {
	if l.full || len(l.uris) >= limits.ListedURIs || l.bytes+len(uri) > limits.ListedBytes {
		*l = listing{full: true}
		return
	}
	r := resourceURI{uri: uri, forms: editorForms(uri)}
	l.bytes += r.size()
	l.uris = append(l.uris, r)
	if l.bytes > limits.ListedBytes {
		*l = listing{full: true}
	}
}

// listed are the URIs that the upstream has listed.
type listed struct {
	uris  map[string]bool
	forms map[string]string // what the editor asks for → the URI, or empty if it may be one of several
	bytes int
	full  bool // there are too many: no URI is replaced any more, since another one might have the same form
}

// addAll takes note of the URIs of one answer.
func (l *listed) addAll(n *listing, limits *Limits) {
	if n.full {
		*l = listed{full: true}
	}
	for i := range n.uris {
		l.add(&n.uris[i], limits)
	}
}

// add takes note of a URI.
func (l *listed) add(r *resourceURI, limits *Limits) {
	if l.full || l.uris[r.uri] {
		return
	}
	l.bytes += r.size()
	if len(l.uris) >= limits.ListedURIs || l.bytes > limits.ListedBytes {
		*l = listed{full: true}
		return
	}
	if l.uris == nil {
		l.uris, l.forms = make(map[string]bool), make(map[string]string)
	}
	l.uris[r.uri] = true
	for _, form := range r.forms {
		uri := r.uri
		if _, taken := l.forms[form]; taken {
			uri = ""
		}
		l.forms[form] = uri
	}
}

// of returns the listed URI that the front means by uri, or nothing if that is uri
// itself, or cannot be told.
func (l *listed) of(uri string) string {
	if l.full || l.uris[uri] {
		return ""
	}
	return l.forms[uri]
}

// readURI notes which resource s asks for: the one at v, which e has kept, or the
// listed one that the front means by it, which then goes upstream in its place (W21).
func (p *legacyOverModern) readURI(s *slot, e *envelope, v jsonrpc.Span) {
	if p.core.meant(s, e.m, v) {
		start := len(e.out.buf)
		e.out.buf = jsonrpc.AppendQuote(e.out.buf, string(s.uri))
		e.replace(v, start)
	}
}

// meant notes which resource s asks for by the URI at v, and reports whether that is
// another one than stands there (W21).
func (c *core) meant(s *slot, m *jsonrpc.Message, v jsonrpc.Span) bool {
	s.uri, _ = m.AppendString(s.uri[:0], v)
	s.frontURI = s.frontURI[:0]
	if !c.options.Profile.EditorURIs {
		return false
	}
	uri := c.listed.of(string(s.uri))
	if uri == "" {
		return false
	}
	s.uri = append(s.uri[:0], uri...)
	s.frontURI = m.AppendSpan(s.frontURI, v)
	return true
}

// restoreURI puts the URI that the front asked for in the place of the one at s, if
// that is the listed one which went upstream for it (W21).
func (h *answerWork) restoreURI(s jsonrpc.Span) {
	if len(h.slot.frontURI) > 0 && h.m.Is(s, string(h.slot.uri)) {
		h.replace(s, string(h.slot.frontURI))
	}
}

// resource checks an element of the list of resources, and notes its URI.
func (h *answerWork) resource(w *jsonrpc.Walk) (end int, broken string) {
	if !h.options.Profile.EditorURIs || h.uris.full { // no garbage for what nobody keeps
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
				h.uris.note(uri, &h.options.Limits)
			}
		}
	}
	return end, ""
}
