package mcpwire

import (
	"bytes"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Keys of _meta that the protocol owns.
const (
	keyPrefix             = "io.modelcontextprotocol/"
	keyProtocolVersion    = keyPrefix + "protocolVersion"
	keyClientInfo         = keyPrefix + "clientInfo"
	keyClientCapabilities = keyPrefix + "clientCapabilities"
	keyServerInfo         = keyPrefix + "serverInfo"
	keySubscriptionID     = keyPrefix + "subscriptionId"
	keyLogLevel           = keyPrefix + "logLevel"
	keyRelatedTask        = keyPrefix + "related-task"
	keyProgressToken      = "progressToken"
)

// hopKeys are the keys of _meta that belong to one hop and never reach the front
// (T44).
var hopKeys = [...]string{
	keyServerInfo, keySubscriptionID, keyProtocolVersion, keyClientInfo, keyClientCapabilities, keyLogLevel, keyProgressToken,
}

func isHopKey(w *jsonrpc.Walk) bool {
	for _, k := range hopKeys {
		if w.NameIs(k) {
			return true
		}
	}
	return false
}

// appendKeptMeta appends the members of the object at meta that T44 lets through,
// separated by commas.
func appendKeptMeta(b []byte, m *jsonrpc.Message, meta jsonrpc.Span) []byte {
	first := true
	for w := m.Walk(meta); w.Next(); {
		if isHopKey(&w) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		name := w.Name()
		b = m.AppendSpan(b, jsonrpc.Span{Off: name.Off, End: w.Skip().End})
	}
	return b
}

// A frontMeta is what is read of the _meta of a request of the front.
type frontMeta struct {
	span          jsonrpc.Span // the object; absent if there is none
	parent, state bool         // traceparent and tracestate may go upstream (W10)
	task          bool         // so may the task that a request is about (L9)
	token         jsonrpc.Span // a progress token: a string or an integer (T140)
}

// maxFrontMeta is the longest _meta of the front that is read, in bytes: nothing of a
// longer one goes upstream. It is read inside the caller's lock.
const maxFrontMeta = 256 << 10

// readMeta reads the _meta of a request of the front. traceparent must be
// well-formed, else both trace keys stay here; a key that stands twice counts as
// malformed.
func readMeta(m *jsonrpc.Message) frontMeta {
	f := frontMeta{span: m.Member(int(memMeta)).Value}
	if m.First(f.span) != '{' || f.span.Len() > maxFrontMeta {
		return frontMeta{}
	}
	broken, tokens := false, 0
	for w := m.Walk(f.span); w.Next(); {
		switch {
		case w.NameIs("traceparent"):
			var buf [maxMetaKey]byte
			v := buf[:0]
			if s := w.Skip(); s.Len() <= maxMetaKey {
				v, _ = m.AppendString(v, s)
			}
			broken = broken || f.parent || !isTraceparent(v)
			f.parent = true
		case w.NameIs("tracestate"):
			broken = broken || f.state
			f.state = w.First() == '"'
		case w.NameIs(keyProgressToken):
			tokens++
			f.token = w.Skip()
		}
	}
	if tokens != 1 || !isToken(m, f.token) {
		f.token = jsonrpc.Span{}
	}
	f.parent, f.state = f.parent && !broken, f.state && !broken
	return f
}

// isToken reports whether the value at s is a progress token.
func isToken(m *jsonrpc.Message, s jsonrpc.Span) bool {
	if m.First(s) == '"' {
		return true
	}
	_, ok := m.Int(s)
	return ok
}

// appendExtraMeta implements T42: it appends, each with a comma before it, the
// members of the front's _meta that may go upstream, as they came. b holds the
// members of the bridge already, so the front can replace none of them (T41). If
// they are larger than limit together, none goes.
func appendExtraMeta(b []byte, m *jsonrpc.Message, meta *frontMeta, limit int) []byte {
	if meta.span.IsZero() {
		return b
	}
	start := len(b)
	limit += start
	var key [maxMetaKey]byte
	for w := m.Walk(meta.span); w.Next(); {
		name := w.Name()
		if name.Len() > maxMetaKey {
			continue
		}
		k, ok := m.AppendString(key[:0], name)
		if !ok || !meta.passes(k) {
			continue
		}
		s := jsonrpc.Span{Off: name.Off, End: w.Skip().End}
		if len(b)+1+s.Len() > limit {
			return b[:start]
		}
		b = m.AppendSpan(append(b, ','), s)
	}
	return b
}

// maxMetaKey is the longest key of _meta that can go upstream, in bytes.
const maxMetaKey = 256

// passes reports whether a key of the front's _meta may go upstream (T42).
func (f *frontMeta) passes(key []byte) bool {
	switch string(key) {
	case "traceparent":
		return f.parent
	case "tracestate":
		return f.state
	case keyRelatedTask:
		return f.task
	}
	return bytes.HasPrefix(key, []byte("vscode.")) && isMetaKey(key) && !isReserved(key)
}

// isTraceparent reports whether v is well-formed: version, trace id, parent id
// and flags in lower-case hexadecimal (W3C Trace Context, section 3.2). A later
// version may say more after a hyphen.
func isTraceparent(v []byte) bool {
	const size = len("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	if len(v) < size || v[2] != '-' || v[35] != '-' || v[52] != '-' {
		return false
	}
	version, traceID, parentID, flags := v[:2], v[3:35], v[36:52], v[53:55]
	if !isHex(version) || !isHex(traceID) || !isHex(parentID) || !isHex(flags) || string(version) == "ff" {
		return false
	}
	if len(bytes.Trim(traceID, "0")) == 0 || len(bytes.Trim(parentID, "0")) == 0 {
		return false
	}
	return len(v) == size || string(version) != "00" && v[size] == '-'
}

func isHex(s []byte) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isMetaKey reports whether key follows the grammar of _meta keys: an optional
// prefix of dotted labels and a slash, then a name.
func isMetaKey(key []byte) bool {
	prefix, name, ok := bytes.Cut(key, []byte("/"))
	if !ok {
		return isMetaName(key)
	}
	for more := true; more; {
		var label []byte
		label, prefix, more = bytes.Cut(prefix, []byte("."))
		if !isLabel(label) {
			return false
		}
	}
	return isMetaName(name)
}

// isMetaName reports whether s starts and ends with a letter or digit and holds
// nothing but these, hyphens, underscores and dots.
func isMetaName(s []byte) bool {
	if len(s) == 0 || !isAlphanumeric(s[0]) || !isAlphanumeric(s[len(s)-1]) {
		return false
	}
	for _, c := range s {
		if !isAlphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// isLabel reports whether s is a label of a prefix: a letter first, letters,
// digits and hyphens, no hyphen last.
func isLabel(s []byte) bool {
	if len(s) == 0 || !isLetter(s[0]) || !isAlphanumeric(s[len(s)-1]) {
		return false
	}
	for _, c := range s {
		if !isAlphanumeric(c) && c != '-' {
			return false
		}
	}
	return true
}

// isReserved reports whether the second label of the key's prefix is one that the
// protocol keeps for itself.
func isReserved(key []byte) bool {
	prefix, _, ok := bytes.Cut(key, []byte("/"))
	if !ok {
		return false
	}
	_, rest, _ := bytes.Cut(prefix, []byte("."))
	second, _, _ := bytes.Cut(rest, []byte("."))
	return string(second) == "modelcontextprotocol" || string(second) == "mcp"
}

func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
