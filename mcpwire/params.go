package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// params are the members of a request of the front that go upstream, in the order
// in which they stand.
type params struct {
	members [2]jsonrpc.Member
	n       int
}

// keptParams implements T50: it picks the members that the table names for md,
// and checks their types. Every other one stays here, so a front can neither
// steer the rounds of a request nor ask for a task.
func keptParams(m *jsonrpc.Message, md *method) (params, bool) {
	var k params
	for _, p := range md.params {
		v := m.Member(int(p.member))
		switch first := m.First(v.Value); {
		case first == p.first && (!p.strings || onlyStrings(m, v.Value)):
			k.members[k.n] = v
			k.n++
		case p.required || first != 0 && first != 'n':
			return k, false
		}
	}
	slices.SortFunc(k.members[:k.n], func(a, b jsonrpc.Member) int { return a.Name.Off - b.Name.Off })
	return k, true
}

// onlyStrings reports whether each member of the object at s is a string.
func onlyStrings(m *jsonrpc.Message, s jsonrpc.Span) bool {
	for w := m.Walk(s); w.Next(); {
		if w.First() != '"' {
			return false
		}
	}
	return true
}

// levels are the names of the log levels (RFC 5424).
var levels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// isLevel reports whether the value at s is the name of a log level.
func isLevel(m *jsonrpc.Message, s jsonrpc.Span) bool {
	return slices.ContainsFunc(levels[:], func(l string) bool { return m.Is(s, l) })
}
