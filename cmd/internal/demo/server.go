package demo

import (
	"bufio"
	"bytes"
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
		RequestID json.RawMessage `json:"requestId"`
		Listen    json.RawMessage `json:"notifications"`

		InputResponses map[string]json.RawMessage `json:"inputResponses"`
		RequestState   string                     `json:"requestState"`

		Meta struct {
			Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
			LogLevel      string          `json:"io.modelcontextprotocol/logLevel"`
			ProgressToken json.RawMessage `json:"progressToken"`
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
	var s server
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var q request
		if json.Unmarshal(line, &q) != nil {
			continue // nothing that could be answered
		}
		for _, frame := range s.take(&q) {
			if _, err := fmt.Fprintln(w, frame); err != nil {
				return err
			}
		}
	}
}

// A server knows which call it watches something for, who listens, and whether the
// bill is paid.
type server struct {
	watching  json.RawMessage // the id of the call, if there is one
	listening json.RawMessage // the id of the stream, if there is one
	paid      bool
}

// take returns the frames that q brings forth.
func (s *server) take(q *request) []string {
	if q.ID == nil {
		return s.notified(q)
	}
	answer := s.answer(q)
	if answer == listens {
		s.listening = q.ID
		return q.listen()
	}
	if answer == "" {
		s.watching = q.ID
		return q.progress()
	}
	return append(q.logs(), response(q.ID, answer))
}

// notified answers a call that was cancelled, as a server does that had the answer
// under way when it read of it, and ends a stream that was.
func (s *server) notified(q *request) []string {
	id := q.Params.RequestID
	switch {
	case q.Method != "notifications/cancelled" || id == nil:
		return nil
	case bytes.Equal(id, s.watching):
		s.watching = nil
		return []string{response(id, done("released"))}
	case bytes.Equal(id, s.listening):
		s.listening = nil
		return []string{response(id, fmt.Sprintf(`"result":{"resultType":"complete","_meta":{%s%s}}`, subscriptionID, id))}
	}
	return nil
}

const subscriptionID = `"io.modelcontextprotocol/subscriptionId":`

// listen returns what a new stream begins with: its acknowledgement, and for a
// resource that changes all the time, an update.
func (q *request) listen() []string {
	frames := []string{fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{`+
		`"_meta":{%s%s},"notifications":%s}}`, subscriptionID, q.ID, q.Params.Listen)}
	if bytes.Contains(q.Params.Listen, []byte(`"demo://release"`)) {
		frames = append(frames, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{`+
			`"uri":"demo://release","_meta":{%s%s}}}`, subscriptionID, q.ID))
	}
	return frames
}

func response(id json.RawMessage, answer string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, id, answer)
}

// listens stands for the answer to a stream, which has none until it ends.
const listens = "listens"

// answer returns the result or error member of the response. It is empty for a
// call that goes on until it is cancelled.
func (s *server) answer(q *request) string {
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
	case "subscriptions/listen":
		return listens
	case "tools/list":
		return q.tools()
	case "tools/call":
		if asks := s.asks(q); asks != "" {
			return asks
		}
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
