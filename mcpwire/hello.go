package mcpwire

import (
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// maxEchoed bounds a value of the front that an error repeats, in bytes.
const maxEchoed = 64

// checkInitialize implements T11. Where it reports false, the extras belong in
// the error.
func checkInitialize(m *jsonrpc.Message) ([]extra, bool) {
	version := m.Member(int(memProtocolVersion)).Value
	if m.First(version) != '"' {
		data := []extra{{"supported", []byte(`["` + strings.Join(revisionNames[1:], `","`) + `"]`)}}
		if !version.IsZero() && version.Len() <= maxEchoed {
			data = append(data, extra{"requested", m.AppendSpan(nil, version)})
		}
		return data, false
	}
	capabilities := m.Member(int(memCapabilities)).Value
	info := m.Member(int(memClientInfo)).Value
	return nil, m.First(capabilities) == '{' && m.First(info) == '{'
}

// A hello is what an initialize request says about the front, as every request
// upstream repeats it.
type hello struct {
	meta  []byte     // the _meta member, without its closing brace: T40, T30
	can   capability // what the front can be asked for
	front revision   // that it gets (T14)
}

// readHello implements T40 and T30 for a request that T11 has passed. Since every
// request repeats the result, it is no longer than ExtraMeta, whatever the front says of
// itself: then what its capabilities say beyond their names goes, or its own name, or both.
func readHello(m *jsonrpc.Message, l *Limits) hello {
	front := offered(m, m.Member(int(memProtocolVersion)).Value)
	capabilities, can := readCapabilities(m, m.Member(int(memCapabilities)).Value, front)
	info, plain := clientInfo(m), appendPlain(nil, can)
	h := hello{can: can, front: front}
	for _, v := range [...]struct{ info, capabilities []byte }{
		{info, capabilities}, {info, plain}, {nil, capabilities}, {nil, plain},
	} {
		h.meta = appendHello(nil, v.info, v.capabilities)
		if len(h.meta) <= l.ExtraMeta {
			break
		}
	}
	return h
}

// appendHello appends the _meta member that says this of the front; info may be absent.
func appendHello(b, info, capabilities []byte) []byte {
	b = append(b, `"_meta":{"`+keyProtocolVersion+`":"`+Revision20260728+`"`...)
	if info != nil {
		b = append(append(b, `,"`+keyClientInfo+`":`...), info...)
	}
	return append(append(b, `,"`+keyClientCapabilities+`":`...), capabilities...)
}

// clientInfo returns the clientInfo that goes upstream (T40): the members that
// 2026-07-28 has. It is nil if the front's has no name or version (T11), or
// says something twice.
func clientInfo(m *jsonrpc.Message) []byte {
	return implementation(m, m.Member(int(memClientInfo)).Value, revision20251125, false)
}

// implementation copies the members of an Implementation that r has (O8), each if it
// has its type, and of a remote one only the icons that T84 lets
// through. It returns nil unless name and version are there, once.
func implementation(m *jsonrpc.Message, s jsonrpc.Span, r revision, remote bool) []byte {
	if m.First(s) != '{' {
		return nil
	}
	b := []byte{'{'}
	var seen [len(implementationMembers)]bool
	for w := m.Walk(s); w.Next(); {
		for i, k := range implementationMembers {
			if r < k.since || !w.NameIs(k.name) || w.First() != k.first {
				continue
			}
			if seen[i] {
				return nil
			}
			seen[i] = true
			b = appendMember(b, k.name, memberValue(m, w.Skip(), remote && k.name == "icons"))
			break
		}
	}
	if !seen[0] || !seen[1] {
		return nil
	}
	return append(b, '}')
}

// memberValue returns the value at s as it came, or of icons those that T84 lets
// through; it is absent if there are none.
func memberValue(m *jsonrpc.Message, s jsonrpc.Span, onlyData bool) []byte {
	if !onlyData {
		return m.AppendSpan(nil, s)
	}
	icons, kept, _ := appendIcons(nil, m, s)
	if kept == 0 {
		return nil
	}
	return icons
}

// implementationMembers are the members of an Implementation; the first two are
// required.
var implementationMembers = [...]struct {
	name  string
	first byte
	since revision
}{
	{"name", '"', 0}, {"version", '"', 0}, {"title", '"', revision20250618},
	{"description", '"', revision20251125}, {"websiteUrl", '"', revision20251125}, {"icons", '[', revision20251125},
}
