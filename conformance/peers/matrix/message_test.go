package matrix

import (
	"encoding/json"
	"fmt"
)

// The revisions, oldest first: as text they have the same order.
const (
	rev20241105 = "2024-11-05"
	rev20250326 = "2025-03-26"
	rev20250618 = "2025-06-18"
	rev20251125 = "2025-11-25"
	rev20260728 = "2026-07-28"
)

var revisions = []string{rev20241105, rev20250326, rev20250618, rev20251125, rev20260728}

// meta begins the names of _meta that are the protocol's own.
const meta = "io.modelcontextprotocol/"

// A message is one of JSON-RPC.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *fault          `json:"error,omitempty"`
}

type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// An object is one of JSON.
type object = map[string]any

// line returns the message as it is written.
func (m message) line() []byte {
	return encode(struct {
		Version string `json:"jsonrpc"`
		message
	}{"2.0", m})
}

// encode returns a value of a test, which can be encoded.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func notification(method string, params any) message {
	m := message{Method: method}
	if params != nil {
		m.Params = encode(params)
	}
	return m
}

// at follows a path of names and indexes in a JSON value, and is nil where it ends.
func at(raw json.RawMessage, path ...any) any {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	for _, step := range path {
		switch step := step.(type) {
		case string:
			o, _ := v.(object)
			v = o[step]
		case int:
			a, _ := v.([]any)
			if step >= len(a) {
				return nil
			}
			v = a[step]
		}
	}
	return v
}

// text returns the text of the first block of the result of a call.
func (m message) text() string {
	s, _ := at(m.Result, "content", 0, "text").(string)
	return s
}

// cause returns the cause that an error of the bridge has.
func (m message) cause() string {
	if m.Error == nil {
		return ""
	}
	data, _ := m.Error.Data.(object)
	s, _ := data["cause"].(string)
	return s
}

// brief shows a message in the text of a failure.
func (m message) brief() string { return fmt.Sprintf("%.400s", m.line()) }
