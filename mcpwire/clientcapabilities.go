package mcpwire

import (
	"bytes"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A capability is something that the front can be asked for (T31).
type capability uint8

const (
	canForm capability = 1 << iota
	canURL
	canSample
	canSampleTools
	canSampleContext
	canListRoots
)

// in returns what of it a front can be asked for that speaks r, though it may have
// declared more for a later one (O6).
func (c capability) in(r revision) capability {
	if r < revision20251125 {
		c &^= canURL | canSampleTools | canSampleContext
	}
	if r < revision20250618 {
		c &^= canForm
	}
	return c
}

// keyTasks is the extension that is never declared on either side (T180).
const keyTasks = keyPrefix + "tasks"

// readCapabilities implements T31: it returns the value of clientCapabilities that
// goes upstream, made of the capabilities of the front at s, and what the front can
// be asked for. One that stands twice is absent, since readers differ in which of
// the two they take (W11).
//
// O6: a front of an older revision has none of what came later, whatever it says:
// before 2025-11-25 forms are the only elicitation and sampling has no parts, and
// before 2025-06-18 there is no elicitation.
func readCapabilities(m *jsonrpc.Message, s jsonrpc.Span, front revision) ([]byte, capability) {
	var found [5]picked
	pickOf(m, s, found[:], "roots", "sampling", "elicitation", "extensions", "experimental")
	var can capability
	b := []byte{'{'}
	if m.First(found[0].once()) == '{' { // listChanged has no counterpart
		can |= canListRoots
		b = appendMember(b, "roots", []byte("{}"))
	}
	parts, modesOf := samplingParts, elicitationParts
	if front < revision20251125 {
		parts, modesOf = nil, nil
	}
	sampling, kinds := readParts(m, found[1].once(), parts)
	if sampling != nil {
		can |= canSample | kinds
		b = appendMember(b, "sampling", sampling)
	}
	elicitation, modes := readParts(m, found[2].once(), modesOf)
	if elicitation != nil && front >= revision20250618 {
		if modes == 0 { // forms were there before the modes had names
			elicitation, modes = []byte(`{"form":{}}`), canForm
		}
		can |= modes
		b = appendMember(b, "elicitation", elicitation)
	}
	b = appendMember(b, "extensions", entries(m, found[3].once(), isExtension))
	b = appendMember(b, "experimental", entries(m, found[4].once(), nil))
	return append(b, '}'), can
}

// A part is a member of a capability that says more about it.
type part struct {
	name string
	can  capability
}

var (
	samplingParts    = []part{{"context", canSampleContext}, {"tools", canSampleTools}}
	elicitationParts = []part{{"form", canForm}, {"url", canURL}}
)

// appendPlain appends clientCapabilities that say what the front can be asked for, and
// nothing about it.
func appendPlain(b []byte, can capability) []byte {
	b = append(b, '{')
	if can&canListRoots != 0 {
		b = appendMember(b, "roots", []byte("{}"))
	}
	if can&canSample != 0 {
		b = appendMember(b, "sampling", plainParts(can, samplingParts))
	}
	if can&(canForm|canURL) != 0 {
		b = appendMember(b, "elicitation", plainParts(can, elicitationParts))
	}
	return append(b, '}')
}

func plainParts(can capability, parts []part) []byte {
	b := []byte{'{'}
	for _, p := range parts {
		if can&p.can != 0 {
			b = appendMember(b, p.name, []byte("{}"))
		}
	}
	return append(b, '}')
}

// readParts copies the parts of the capability at s whose values are objects. It
// returns nil if there is no such capability.
func readParts(m *jsonrpc.Message, s jsonrpc.Span, parts []part) ([]byte, capability) {
	if m.First(s) != '{' {
		return nil, 0
	}
	var can capability
	b := []byte{'{'}
	for _, p := range parts {
		var found [1]picked
		pickOf(m, s, found[:], p.name)
		if v := found[0].once(); m.First(v) == '{' {
			can |= p.can
			b = appendMember(b, p.name, m.AppendSpan(nil, v))
		}
	}
	return append(b, '}'), can
}

// entries copies the members of the object at s that hold objects and whose names
// pass. It returns nil if there is none.
func entries(m *jsonrpc.Message, s jsonrpc.Span, passes func(key []byte) bool) []byte {
	if m.First(s) != '{' {
		return nil
	}
	b := []byte{'{'}
	for w := m.Walk(s); w.Next(); {
		name, object := w.Name(), w.First() == '{'
		entry := jsonrpc.Span{Off: name.Off, End: w.Skip().End}
		if !object || passes != nil && !passesName(m, name, passes) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = m.AppendSpan(b, entry)
	}
	if len(b) == 1 {
		return nil
	}
	return append(b, '}')
}

func passesName(m *jsonrpc.Message, name jsonrpc.Span, passes func(key []byte) bool) bool {
	key, ok := m.AppendString(nil, name)
	return ok && passes(key)
}

// isExtension reports whether key names an extension that may be declared: a key
// with a prefix, and not that of the tasks, which no side is told of (T180).
func isExtension(key []byte) bool {
	return bytes.Contains(key, []byte("/")) && isMetaKey(key) && string(key) != keyTasks
}
