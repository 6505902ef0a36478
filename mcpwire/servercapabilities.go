package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// A serverCapability is a capability of a server that reaches the front, with the
// flags that it may have.
type serverCapability struct {
	name    string
	feature feature
	since   revision // that has it; the methods were there before (O7)
	flags   []capabilityFlag
}

type capabilityFlag struct {
	name    string
	feature feature
}

// serverCapabilities are those that reach the front, in their order there, but for
// the ones that have entries of their own.
var serverCapabilities = [...]serverCapability{
	{"tools", featureTools, 0, []capabilityFlag{{"listChanged", featureToolsChanged}}},
	{"resources", featureResources, 0, []capabilityFlag{{"subscribe", featureSubscribe}, {"listChanged", featureResourcesChanged}}},
	{"prompts", featurePrompts, 0, []capabilityFlag{{"listChanged", featurePromptsChanged}}},
	{"logging", featureLogging, 0, nil},
	{"completions", featureCompletions, revision20250326, nil},
}

// serverFeatures implements T32: what the server whose capabilities are at s can do.
// A capability that is true is read as an object; anything else is absent. So is one
// that stands twice, since readers differ in which of the two they take (W11).
func serverFeatures(m *jsonrpc.Message, s jsonrpc.Span) feature {
	var has feature
	for _, c := range serverCapabilities {
		var found [1]picked
		pickOf(m, s, found[:], c.name)
		at := found[0].once()
		if first := m.First(at); first != '{' && first != 't' {
			continue
		}
		has |= c.feature
		for _, f := range c.flags {
			var flag [1]picked
			pickOf(m, at, flag[:], f.name)
			if m.First(flag[0].once()) == 't' {
				has |= f.feature
			}
		}
	}
	return has
}

// appendCapabilities implements T32: the capabilities that a front of r is told of. They
// are as large as the server made them, since they are written once; those of the front
// have a bound because every request repeats them.
func appendCapabilities(b []byte, m *jsonrpc.Message, has feature, r revision) []byte {
	b = append(b, '{')
	for _, c := range serverCapabilities {
		if has&c.feature == 0 || r < c.since {
			continue
		}
		value := []byte{'{'}
		for _, f := range c.flags {
			if has&f.feature != 0 {
				value = appendMember(value, f.name, []byte("true"))
			}
		}
		b = appendMember(b, c.name, append(value, '}'))
	}
	var found [2]picked
	pickOf(m, m.Member(int(memCapabilities)).Value, found[:], "experimental", "extensions")
	b = appendMember(b, "experimental", entries(m, found[0].once(), nil))
	b = appendMember(b, "extensions", entries(m, found[1].once(), isExtension))
	return append(b, '}')
}
