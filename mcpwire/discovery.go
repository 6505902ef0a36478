package mcpwire

import (
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An era is what an answer to server/discover tells of the upstream.
type era uint8

const (
	eraLegacy    era = iota // speaks only older revisions, or does not know the method (L1)
	eraModern               // speaks 2026-07-28
	eraUnknown              // names only revisions that nobody here knows
	eraViolation            // is modern, but the answer is not valid
)

// A discovery is what the result of server/discover says.
type discovery struct {
	verdict   era
	rule      string       // of a violation
	supported jsonrpc.Span // the list of versions
	features  feature
}

// readDiscovery implements T16 and the violations of T20.
func readDiscovery(m *jsonrpc.Message) discovery {
	if m.First(m.Result) != '{' {
		return discovery{verdict: eraLegacy}
	}
	if !isComplete(m) {
		return discovery{verdict: eraViolation, rule: "T20"}
	}
	d := discovery{}
	d.supported = m.Member(int(memSupportedVersions)).Value
	d.verdict = eraOf(m, d.supported)
	if d.verdict != eraModern {
		return d
	}
	capabilities := m.Member(int(memCapabilities)).Value
	if m.First(capabilities) != '{' {
		return discovery{verdict: eraViolation, rule: "T20"}
	}
	d.features = serverFeatures(m, capabilities)
	return d
}

// eraOf reads a list of versions (T16, T17, L1). A list that is none, or is
// absent, is what an older server sends.
func eraOf(m *jsonrpc.Message, list jsonrpc.Span) era {
	if m.First(list) != '[' {
		return eraLegacy
	}
	found := eraUnknown
	for w := m.Walk(list); w.Next(); {
		switch v := w.Skip(); {
		case m.Is(v, Revision20260728):
			return eraModern
		case revisionAt(m, v) != 0:
			found = eraLegacy
		}
	}
	return found
}

// maxVersions bounds the list of versions that an error repeats, in bytes.
const maxVersions = 1 << 10

// supportedData is what an error about versions tells of the upstream's list
// (T16).
func supportedData(m *jsonrpc.Message, list jsonrpc.Span) []extra {
	if m.First(list) != '[' || list.Len() > maxVersions {
		return nil
	}
	return []extra{{"supported", m.AppendSpan(nil, list)}}
}

// appendInitializeResult implements T20: the result of initialize, built from
// that of server/discover, for a front of r.
func appendInitializeResult(b []byte, m *jsonrpc.Message, d *discovery, r revision, remote bool) []byte {
	b = append(append(append(b, `{"protocolVersion":"`...), r.String()...), `","capabilities":`...) // T14
	b = appendCapabilities(b, m, d.features, r)
	b = append(append(b, `,"serverInfo":`...), serverInfo(m, r, remote)...)
	if s := m.Member(int(memInstructions)).Value; m.First(s) == '"' {
		b = m.AppendSpan(append(b, `,"instructions":`...), s)
	}
	if meta := m.Member(int(memMeta)).Value; m.First(meta) == '{' {
		start := len(b)
		b = append(b, `,"_meta":{`...)
		if kept := appendKeptMeta(b, m, meta); len(kept) > len(b) {
			b = append(kept, '}')
		} else {
			b = b[:start]
		}
	}
	return append(b, '}')
}

// serverInfo finds the Implementation of the server (T20), as a front of r knows it (O8).
func serverInfo(m *jsonrpc.Message, r revision, remote bool) []byte {
	if meta := m.Member(int(memMeta)).Value; m.First(meta) == '{' {
		for w := m.Walk(meta); w.Next(); {
			if !w.NameIs(keyServerInfo) {
				continue
			}
			if info := implementation(m, w.Skip(), r, remote); info != nil {
				return info
			}
		}
	}
	if info := implementation(m, m.Member(int(memServerInfo)).Value, r, remote); info != nil {
		return info
	}
	return []byte(`{"name":"mcp-upstream","version":"unknown"}`)
}
