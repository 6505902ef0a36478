package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A member is a direct member of params or result that some rule reads: its
// place in [Members].
type member int

const (
	memMeta member = iota
	memName
	memURI
	memCursor
	memArguments
	memProtocolVersion
	memCapabilities
	memClientInfo
	memResultType
	memTTL
	memCacheScope
	memInputRequests
	memRequestState
	memNextCursor
	memSupportedVersions
	memServerInfo
	memInstructions
	memContent
	memStructuredContent
	memIsError
	memTools
	memResources
	memTemplates
	memPrompts
	memContents
	memMessages
	memCompletion
	memTasks
)

var memberNames = [...]string{
	memMeta:              "_meta",
	memName:              "name",
	memURI:               "uri",
	memCursor:            "cursor",
	memArguments:         "arguments",
	memProtocolVersion:   "protocolVersion",
	memCapabilities:      "capabilities",
	memClientInfo:        "clientInfo",
	memResultType:        "resultType",
	memTTL:               "ttlMs",
	memCacheScope:        "cacheScope",
	memInputRequests:     "inputRequests",
	memRequestState:      "requestState",
	memNextCursor:        "nextCursor",
	memSupportedVersions: "supportedVersions",
	memServerInfo:        "serverInfo",
	memInstructions:      "instructions",
	memContent:           "content",
	memStructuredContent: "structuredContent",
	memIsError:           "isError",
	memTools:             "tools",
	memResources:         "resources",
	memTemplates:         "resourceTemplates",
	memPrompts:           "prompts",
	memContents:          "contents",
	memMessages:          "messages",
	memCompletion:        "completion",
	memTasks:             "tasks",
}

// A picked is a member that is read but not recorded, since it stands only in some
// objects: elsewhere such a name means nothing, and may stand twice.
type picked struct {
	jsonrpc.Member
	twice   bool
	instead []byte // what is written for the value; nil for the value as it came
}

// once returns the value, which is absent if the member stands twice.
func (p *picked) once() jsonrpc.Span {
	if p.twice {
		return jsonrpc.Span{}
	}
	return p.Value
}

// pick finds direct members of params by name; one that is not there is zero.
func pick(m *jsonrpc.Message, found []picked, names ...string) {
	pickOf(m, m.Params, found, names...)
}

// pickOf finds direct members of the object at s, if it is one.
func pickOf(m *jsonrpc.Message, s jsonrpc.Span, found []picked, names ...string) {
	if m.First(s) != '{' {
		return
	}
	for w := m.Walk(s); w.Next(); {
		i := slices.IndexFunc(names, w.NameIs)
		if i < 0 {
			continue
		}
		p := &found[i]
		p.twice = !p.IsZero()
		p.Member = jsonrpc.Member{Name: w.Name(), Prev: w.Prev(), Value: w.Skip()}
	}
}

// pickOnce is pickOf where s must be an object in which no member that is looked for
// stands twice; else it reports false. A member that is null counts as absent.
func pickOnce(m *jsonrpc.Message, s jsonrpc.Span, found []picked, names ...string) bool {
	pickOf(m, s, found, names...)
	if m.First(s) != '{' || anyTwice(found) {
		return false
	}
	for i := range found {
		if isNull(m, found[i].Value) {
			found[i] = picked{}
		}
	}
	return true
}

func isNull(m *jsonrpc.Message, s jsonrpc.Span) bool { return m.First(s) == 'n' }

func isNumber(m *jsonrpc.Message, s jsonrpc.Span) bool {
	c := m.First(s)
	return c == '-' || c >= '0' && c <= '9'
}

// anyTwice reports whether one of the members stands twice.
func anyTwice(found []picked) bool {
	return slices.ContainsFunc(found, func(p picked) bool { return p.twice })
}

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

// appendMember appends a member to an object that was begun, unless the value is
// absent.
func appendMember(b []byte, name string, value []byte) []byte {
	if len(value) == 0 {
		return b
	}
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), name...), `":`...)
	return append(b, value...)
}

// onlyStrings reports whether everything in the object or array at s is a string.
func onlyStrings(m *jsonrpc.Message, s jsonrpc.Span) bool { return onlyFirst(m, s, '"') }

// onlyObjects reports whether everything in the object or array at s is an object.
func onlyObjects(m *jsonrpc.Message, s jsonrpc.Span) bool { return onlyFirst(m, s, '{') }

func onlyFirst(m *jsonrpc.Message, s jsonrpc.Span, first byte) bool {
	for w := m.Walk(s); w.Next(); {
		if w.First() != first {
			return false
		}
	}
	return true
}

// Members returns the names that a [jsonrpc.Reader] on either side of a session
// must record, in this order. They are the members that a rule reads, so a line
// that has one of them twice is a bad line (W11).
func Members() []string { return slices.Clone(memberNames[:]) }
