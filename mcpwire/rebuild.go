package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// pickOnce finds members of the object at s by name; one that is null counts as
// absent, which is zero. It reports false if s is no object, or one stands twice.
func pickOnce(m *jsonrpc.Message, s jsonrpc.Span, found []picked, names ...string) bool {
	if m.First(s) != '{' {
		return false
	}
	for w := m.Walk(s); w.Next(); {
		i := slices.IndexFunc(names, w.NameIs)
		if i < 0 {
			continue
		}
		if !found[i].IsZero() {
			return false
		}
		found[i].Member = jsonrpc.Member{Name: w.Name(), Prev: w.Prev(), Value: w.Skip()}
	}
	for i := range found {
		if m.First(found[i].Value) == 'n' {
			found[i] = picked{}
		}
	}
	return true
}

// appendPicked appends an object of the members that were found, in their order.
func appendPicked(b []byte, m *jsonrpc.Message, found []picked) []byte {
	slices.SortFunc(found, func(a, b picked) int { return a.Name.Off - b.Name.Off })
	b = append(b, '{')
	first := true
	for _, p := range found {
		if p.IsZero() {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = m.AppendSpan(b, jsonrpc.Span{Off: p.Name.Off, End: p.Value.End})
	}
	return append(b, '}')
}
