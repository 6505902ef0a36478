package official

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string // "> …" or "< …"; the last one is judged
		want  string   // part of the error; empty for a valid line
	}{
		{"request", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`}, ""},
		{"request of the server", []string{`< {"jsonrpc":"2.0","id":"a","method":"ping"}`}, ""},
		{"refuses a line that is no JSON", []string{`> {"id":1`}, "not JSON"},
		{"refuses two values in a line", []string{`> {} {}`}, "not JSON"},
		{"refuses a line that is not UTF-8", []string{"> {\"id\":\"\xff\"}"}, "not UTF-8"},
		{"refuses a carriage return", []string{"> {}\r"}, "carriage return"},
		{"refuses a batch", []string{`> []`}, "not an object"},
		{"refuses a name that stands twice", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping","a":[{"b":1,"\u0062":2}]}`}, `"b" stands twice`},
		{"refuses an unknown method", []string{`> {"jsonrpc":"2.0","id":1,"method":"nope"}`}, "nope: no such method"},
		{"refuses a request without an id", []string{`> {"jsonrpc":"2.0","method":"ping"}`}, "needs one"},
		{"refuses a notification with an id", []string{`> {"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}`}, "has no id"},
		{"refuses an id in use", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`}, "in use"},
		{"refuses wrong params", []string{`> {"jsonrpc":"2.0","id":1,"method":"measure","params":{}}`}, "not a MeasureRequest"},
		{"a fraction in NumberSchema", []string{`> {"jsonrpc":"2.0","id":1,"method":"measure","params":{"schema":{"minimum":0.5}}}`}, ""},
		{"a fraction in an answer to a form", []string{`> {"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, `< {"jsonrpc":"2.0","id":1,"result":{"content":{"n":0.5}}}`}, ""},
		{"refuses an object in an answer to a form", []string{`> {"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, `< {"jsonrpc":"2.0","id":1,"result":{"content":{"n":{}}}}`}, "not a ElicitResult"},
		{"the union of notifications is not chosen", []string{`> {"jsonrpc":"2.0","method":"notifications/cancelled"}`}, ""},

		{"result", []string{`> {"jsonrpc":"2.0","id":1,"method":"measure"}`, `< {"jsonrpc":"2.0","id":1,"result":{"metres":1}}`}, ""},
		{"refuses a wrong result", []string{`> {"jsonrpc":"2.0","id":1,"method":"measure"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`}, "not a MeasureResult"},
		{"refuses a wrong response", []string{`> {"jsonrpc":"2.0","id":1,"method":"weigh"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`}, "not a WeighResultResponse"},
		{"empty result", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`}, ""},
		{"refuses the answer to nothing", []string{`< {"jsonrpc":"2.0","id":1,"result":{}}`}, "no open request"},
		{"refuses an id of another type", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":"1","result":{}}`}, "no open request"},
		{"refuses a second answer", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`}, "no open request"},
		{"refuses the answer of the asking side", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `> {"jsonrpc":"2.0","id":1,"result":{}}`}, "no open request"},
		{"refuses a result with an error", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{},"error":{}}`}, "or both"},
		{"a late answer to what was cancelled", []string{
			`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`< {"jsonrpc":"2.0","id":1,"result":{}}`,
		}, ""},

		{"error", []string{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"error":{"code":-9,"message":""}}`}, ""},
		{"error without an id", []string{`< {"jsonrpc":"2.0","error":{"code":-9,"message":""}}`}, ""},
		{"refuses a wrong error", []string{`< {"jsonrpc":"2.0","error":{"code":0.5,"message":""}}`}, "not a JSONRPCErrorResponse"},
		{"refuses a wrong error by its code", []string{`< {"jsonrpc":"2.0","error":{"code":-1,"message":""}}`}, "not a BareError"},
		{"refuses a wrong response by its code", []string{`< {"jsonrpc":"2.0","error":{"code":-2,"message":""}}`}, "not a FramedError"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rev, err := Load("testdata", "toy")
			if err != nil {
				t.Fatal(err)
			}
			c := NewConversation(rev)
			for _, line := range tt.lines {
				err = c.Judge(wire.Dir(line[:1]), []byte(line[2:]))
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Judge = %v, want no error", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("Judge = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// The schemas before 2025-11-25 have other names for what holds the definitions, and for a
// response.
func TestOlderSchemas(t *testing.T) {
	dir := t.TempDir()
	const older = `{"definitions": {
		"PingRequest": {"properties": {"method": {"const": "ping"}}, "required": ["method"]},
		"EmptyResult": {"type": "object"},
		"JSONRPCResponse": {"required": ["jsonrpc", "id", "result"]},
		"JSONRPCError": {"required": ["jsonrpc", "id", "error"]}}}`
	if err := os.WriteFile(filepath.Join(dir, "older.schema.json"), []byte(older), 0o600); err != nil {
		t.Fatal(err)
	}
	rev, err := Load(dir, "older")
	if err != nil {
		t.Fatal(err)
	}
	c := NewConversation(rev)
	for _, tt := range []struct{ line, want string }{
		{`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, ""},
		{`< {"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{`> {"jsonrpc":"2.0","id":2,"method":"ping"}`, ""},
		{`< {"id":2,"result":{}}`, "not a JSONRPCResponse"},
		{`< {"jsonrpc":"2.0","error":{"code":-9,"message":""}}`, "not a JSONRPCError"},
	} {
		if err := c.Judge(wire.Dir(tt.line[:1]), []byte(tt.line[2:])); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Judge(%s) = %v, want %q", tt.line, err, tt.want)
		}
	}
}

func TestUnanswered(t *testing.T) {
	rev, err := Load("testdata", "toy")
	if err != nil {
		t.Fatal(err)
	}
	c := NewConversation(rev)
	for _, line := range []string{
		`> {"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`> {"jsonrpc":"2.0","id":2,"method":"weigh"}`,
		`> {"jsonrpc":"2.0","id":3,"method":"measure"}`,
		`< {"jsonrpc":"2.0","id":1,"result":{}}`,
		`> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`,
	} {
		c.Judge(wire.Dir(line[:1]), []byte(line[2:]))
	}
	if got, want := c.Unanswered(wire.ToServer), []string{"weigh"}; !slices.Equal(got, want) {
		t.Errorf("Unanswered = %q, want %q", got, want)
	}
}

func TestLeaks(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"none", `{"id":1,"result":{"content":[],"_meta":{"com.acme/k":1}}}`, nil},
		{"all members", `{"id":1,"result":{"requestState":"","inputRequests":{},"cacheScope":"x","ttlMs":0,"resultType":"complete"}}`,
			[]string{"cacheScope", "inputRequests", "requestState", "resultType", "ttlMs"}},
		{"escaped", `{"id":1,"result":{"\u0074tlMs":0}}`, []string{"ttlMs"}},
		{"deeper down they are data", `{"id":1,"result":{"structuredContent":{"ttlMs":0}}}`, nil},
		{"the server's own metadata", `{"id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{}}}}`, []string{"_meta.serverInfo"}},
		{"of a discovery", `{"id":1,"result":{"supportedVersions":[]}}`, []string{"supportedVersions"}},
		{"of a request or a notification", `{"method":"m","params":{"requestState":"","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`,
			[]string{"_meta.subscriptionId", "requestState"}},
		{"no result", `{"id":1,"error":{"ttlMs":0}}`, nil},
		{"of a question", `{"id":1,"method":"roots/list","params":{"inputResponses":{}}}`, []string{"inputResponses"}},
		{"of a stream", `{"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`, []string{"_meta.subscriptionId"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Leaks([]byte(tt.line)); !slices.Equal(got, tt.want) {
				t.Errorf("Leaks(%s) = %q, want %q", tt.line, got, tt.want)
			}
		})
	}
}
