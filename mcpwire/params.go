package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// params are the members of a request of the front that go upstream, in the order
// in which they stand.
type params struct {
	members [3]jsonrpc.Member
	n       int
}

// keptParams implements T50: it picks the members that the table names for md,
// and checks their types. Every other one stays here, so a front can neither
// steer the rounds of a request nor ask for a task.
func keptParams(m *jsonrpc.Message, md *method) (params, bool) {
	var k params
	for _, p := range md.params {
		v, once := p.find(m)
		if !once {
			return k, false
		}
		switch first := m.First(v.Value); {
		case first == p.first && (p.check == nil || p.check(m, v.Value)):
			k.members[k.n] = v
			k.n++
		case p.required || first != 0 && first != 'n':
			return k, false
		}
	}
	slices.SortFunc(k.members[:k.n], func(a, b jsonrpc.Member) int { return a.Name.Off - b.Name.Off })
	return k, true
}

// find returns the member of m that p is about, and whether it stands once at most.
func (p *param) find(m *jsonrpc.Message) (jsonrpc.Member, bool) {
	if p.name == "" {
		return m.Member(int(p.member)), true
	}
	var found [1]picked
	pick(m, found[:], p.name)
	return found[0].Member, !found[0].twice
}

// isReference reports whether the object at s names what an argument belongs to: a
// prompt or a resource.
func isReference(m *jsonrpc.Message, s jsonrpc.Span) bool {
	var found [1]picked
	pickOf(m, s, found[:], "type")
	kind := found[0].once()
	return m.Is(kind, "ref/prompt") || m.Is(kind, "ref/resource")
}

// isArgument reports whether the object at s has a name and a value.
func isArgument(m *jsonrpc.Message, s jsonrpc.Span) bool {
	var found [2]picked
	pickOf(m, s, found[:], "name", "value")
	return m.First(found[0].once()) == '"' && m.First(found[1].once()) == '"'
}
