package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// appendPicked appends an object of the members that were found, in their order and as
// they came, but for the values that are replaced.
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
		if p.instead != nil {
			b = append(append(m.AppendSpan(b, p.Name), ':'), p.instead...)
			continue
		}
		b = m.AppendSpan(b, jsonrpc.Span{Off: p.Name.Off, End: p.Value.End})
	}
	return append(b, '}')
}
