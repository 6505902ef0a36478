package mcpwire

import (
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A server marks properties of a tool's input whose values it wants as headers, too, by
// an annotation in their schemas.
const annotation = "x-mcp-header"

// A paramKind is the type that an annotated property must have (T199).
type paramKind uint8

const (
	paramNone paramKind = iota
	paramString
	paramInteger
	paramBoolean
)

// A paramTree says which arguments of a tool become headers: that of the schema itself,
// and of the properties below. Nothing is in the tree that leads to none.
type paramTree struct {
	header string // with its prefix; empty for none
	kind   paramKind
	order  int // among those of the tool
	below  map[string]*paramTree
}

// nodeSize is about what a tree, or a tool, takes beside its names, in bytes.
const nodeSize = 100

// A listedTool is what is known of a tool that was listed.
type listedTool struct {
	name    string
	invalid bool       // an annotation of it is (T199)
	params  *paramTree // nil for none
	size    int        // bytes that it takes
}

// An annotationReader reads the annotations of one input schema. Its limits are those of
// a repair: a schema over them has no tool (T80).
type annotationReader struct {
	m       *jsonrpc.Message
	limits  *Limits
	count   int // of subschemas
	params  int
	size    int // bytes of the tree
	names   map[string]bool
	invalid bool
}

// readTool reads the tool that w is at; its name is empty if it has none. w is a copy:
// the cursor of the caller stays.
func readTool(m *jsonrpc.Message, w jsonrpc.Walk, limits *Limits) listedTool {
	var t listedTool
	r := annotationReader{m: m, limits: limits}
	w.Enter()
	for w.Next() {
		switch {
		case w.NameIs("name"):
			t.name, _ = m.String(w.Skip())
		case w.NameIs("inputSchema") && w.First() == '{':
			t.params = r.schema(&w, 1, true)
		}
	}
	t.invalid = r.invalid
	if t.invalid {
		t.params = nil
	}
	t.size = len(t.name) + nodeSize + r.size
	return t
}

// A nodeReader gathers what one schema says about its own annotation.
type nodeReader struct {
	header   jsonrpc.Span
	kind     paramKind
	headers  int
	types    int
	isTarget bool // it refers to another schema
}

// schema reads the schema object that w is at, and what is below. Only what plain leads
// to, a chain of properties, may be annotated; nil means that nothing is.
func (r *annotationReader) schema(w *jsonrpc.Walk, depth int, plain bool) *paramTree {
	r.count++
	if depth > r.limits.SchemaDepth || r.count > r.limits.Subschemas {
		r.invalid = true
	}
	if r.invalid {
		w.Skip()
		return nil
	}
	var n nodeReader
	var t paramTree
	w.Enter()
	for w.Next() {
		switch {
		case w.NameIs(annotation):
			n.headers++
			n.header = w.Skip()
		case w.NameIs("$ref"):
			n.isTarget = true
		default:
			r.member(w, &t, &n, depth, plain)
		}
	}
	w.Leave()
	if n.headers > 0 {
		r.annotated(&t, &n, plain && depth > 1)
	}
	if t.header == "" && len(t.below) == 0 {
		return nil
	}
	found := t // most schemas have none, and take no memory
	return &found
}

// member reads the member of a schema that w is at.
func (r *annotationReader) member(w *jsonrpc.Walk, t *paramTree, n *nodeReader, depth int, plain bool) {
	switch k := keywordAt(r.m, w); k {
	case keywordType:
		n.types++
		n.kind = paramKindOf(r.m, w.Skip())
	case keywordItems, keywordBelow, keywordAdditional:
		r.below(w, depth)
	case keywordEach, keywordProperties:
		r.each(w, t, depth, plain && k == keywordProperties)
	}
}

// below reads the schema, or the schemas of the list, that w is at.
func (r *annotationReader) below(w *jsonrpc.Walk, depth int) {
	switch w.First() {
	case '{':
		r.schema(w, depth+1, false)
	case '[':
		w.Enter()
		for w.Next() {
			if w.First() == '{' {
				r.schema(w, depth+1, false)
			}
		}
		w.Leave()
	}
}

// each reads the schemas that are the members of the object that w is at. Where they are
// plain, they are properties of t.
func (r *annotationReader) each(w *jsonrpc.Walk, t *paramTree, depth int, plain bool) {
	if w.First() != '{' {
		return
	}
	w.Enter()
	for w.Next() {
		if w.First() != '{' {
			continue
		}
		at := w.Name()
		sub := r.schema(w, depth+1, plain)
		if sub == nil {
			continue
		}
		name, ok := r.m.String(at)
		if _, twice := t.below[name]; twice || !ok {
			r.invalid = true
			continue
		}
		if t.below == nil {
			t.below = make(map[string]*paramTree)
		}
		t.below[name] = sub
		r.size += len(name) + nodeSize
	}
	w.Leave()
}

// annotated implements T199 for the annotation of the schema t.
func (r *annotationReader) annotated(t *paramTree, n *nodeReader, plain bool) {
	name, _ := r.m.String(n.header)
	key := strings.ToLower(name)
	if !plain || n.headers != 1 || n.types != 1 || n.kind == paramNone || n.isTarget || !isHeaderName(name) || r.names[key] {
		r.invalid = true
		return
	}
	if r.names == nil {
		r.names = make(map[string]bool)
	}
	r.names[key] = true
	t.header, t.kind, t.order = headerParam+name, n.kind, r.params
	r.params++
	r.size += len(t.header)
}

func paramKindOf(m *jsonrpc.Message, s jsonrpc.Span) paramKind {
	switch {
	case m.Is(s, "string"):
		return paramString
	case m.Is(s, "integer"):
		return paramInteger
	case m.Is(s, "boolean"):
		return paramBoolean
	}
	return paramNone
}

// isHeaderName reports whether name is a token of HTTP (RFC 9110, section 5.6.2).
func isHeaderName(name string) bool {
	for i := range len(name) {
		if !isAlphanumeric(name[i]) && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(name[i])) {
			return false
		}
	}
	return name != ""
}
