package demo

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// revision is the one that the server speaks.
const revision = "2026-07-28"

// A request is what the server reads of a line.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Cursor    string          `json:"cursor"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// Serve is a small MCP server of revision 2026-07-28 without any older one. It
// reads requests from r and writes answers to w, one a line, until r ends.
//
// Its answers hold what an editor of revision 2025-11-25 does not expect: that is
// what the bridge is shown with. It shares no code with the bridge.
func Serve(r io.Reader, w io.Writer) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var q request
		if json.Unmarshal(line, &q) != nil || q.ID == nil {
			continue // nothing that could be answered
		}
		if _, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", q.ID, q.answer()); err != nil {
			return err
		}
	}
}

// answer returns the result or error member of the response.
func (q *request) answer() string {
	switch q.Params.Meta.Version {
	case revision:
	case "":
		return failure(-32602, "The request does not name its protocol version")
	default:
		return fmt.Sprintf(`"error":{"code":-32022,"message":"Unsupported protocol version",`+
			`"data":{"supported":["%s"],"requested":%s}}`, revision, quote(q.Params.Meta.Version))
	}
	switch q.Method {
	case "server/discover":
		return discovery
	case "tools/list":
		return q.tools()
	case "tools/call":
		return q.call()
	}
	return failure(-32601, "Method not found")
}

func failure(code int, text string) string {
	return fmt.Sprintf(`"error":{"code":%d,"message":%s}`, code, quote(text))
}

func quote(s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return text
}
