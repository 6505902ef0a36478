package mcpwire

import (
	"encoding/base64"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// The names of the headers that 2026-07-28 derives from a request (T195).
const (
	headerVersion = "MCP-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerParam   = "Mcp-Param-"
)

// headers are those that every request has (T195).
func headers(method string) Headers {
	return Headers{{headerVersion, Revision20260728}, {headerMethod, method}}
}

// headers returns those of the request of s, which m is and which was written just before:
// they say what the body says (T196).
func (s *slot) headers(m *jsonrpc.Message) Headers {
	h := headers(s.method.name)
	switch s.method.named {
	case memName:
		name, _ := m.String(m.Member(int(memName)).Value)
		h = append(h, Header{headerName, headerValue(name)})
	case memURI: // which may not be the front's (W21)
		h = append(h, Header{headerName, headerValue(string(s.uri))})
	}
	return h
}

// The marks around a value that is sent as base64 (T197).
const (
	encodedHead = "=?base64?"
	encodedTail = "?="
)

// headerValue implements T197 and T201: it returns text as the value of a header. What a
// header cannot hold goes as base64, and so does what would be read as that, and the
// empty string, which some servers take for no header.
func headerValue(text string) string {
	if isPlainValue(text) {
		return text
	}
	return encodedHead + base64.StdEncoding.EncodeToString([]byte(text)) + encodedTail
}

func isPlainValue(text string) bool {
	if text == "" || text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return !strings.HasPrefix(text, encodedHead) || !strings.HasSuffix(text, encodedTail)
}
