package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A revision is one of those that begin with a handshake. A later one is greater; zero
// is none of them.
type revision uint8

const (
	revision20241105 revision = 1 + iota
	revision20250326
	revision20250618
	revision20251125
)

// newestLegacy is what a front gets that asks for a revision that is none of these
// (T14).
const newestLegacy = revision20251125

var revisionNames = [...]string{
	revision20241105: Revision20241105,
	revision20250326: Revision20250326,
	revision20250618: Revision20250618,
	revision20251125: Revision20251125,
}

func (r revision) String() string { return revisionNames[r] }

// revisionAt reads the revision at s; it is zero for any other value.
func revisionAt(m *jsonrpc.Message, s jsonrpc.Span) revision {
	return revision(max(slices.IndexFunc(revisionNames[:], func(name string) bool { return name != "" && m.Is(s, name) }), 0))
}

// offered implements T14: the revision for a front that asks for the one at s.
func offered(m *jsonrpc.Message, s jsonrpc.Span) revision {
	if r := revisionAt(m, s); r != 0 {
		return r
	}
	return newestLegacy
}

// absent says how a front of r wants an error without a usable id (T3): only
// 2025-11-25 lets the member be absent.
func (r revision) absent() absentID {
	if r >= revision20251125 {
		return idOmitted
	}
	return idNull
}
