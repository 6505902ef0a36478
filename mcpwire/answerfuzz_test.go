package mcpwire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// FuzzAnswer gives any result as an answer to each kind of question. What goes upstream
// is JSON, would go upstream the same again, and of roots holds only local ones.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"roots":[{"uri":"file:///w/../%2e%2e/x","name":"w","_meta":{"vscode.a":1}},{"uri":"vscode:x"}]}`)
	f.Add(`{"role":"user","content":[{"type":"text"},{"type":"tool_use","id":"1"}],"model":"m","stopReason":null,"_meta":{"vscode.a":1}}`)
	f.Add(`{"action":"accept"}`)
	f.Fuzz(func(t *testing.T, result string) {
		for name, appendAnswer := range map[string]func([]byte, *jsonrpc.Message) ([]byte, bool){
			"roots": rootsAnswer, "sampling": samplingAnswer,
			"url": func(b []byte, m *jsonrpc.Message) ([]byte, bool) {
				b, _, ok := (&replyReader{m, 0}).appendURL(b)
				return b, ok
			},
		} {
			m := formLine(resultHead, result)
			if m == nil {
				return
			}
			answer, ok := appendAnswer(nil, m)
			if !ok {
				continue
			}
			if !json.Valid(answer) {
				t.Fatalf("%s: %s goes upstream as %s", name, result, answer)
			}
			again, ok := appendAnswer(nil, formLine(resultHead, string(answer)))
			if !ok || string(again) != string(answer) {
				t.Errorf("%s: %s goes upstream as %s, %t", name, answer, again, ok)
			}
			if name == "roots" {
				checkRoots(t, answer)
			}
		}
	})
}

// checkRoots checks that the roots that went upstream are local, without dot segments.
func checkRoots(t *testing.T, answer []byte) {
	t.Helper()
	var a struct{ Roots []struct{ URI string } }
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Roots {
		path, ok := strings.CutPrefix(r.URI, "file://")
		if host, _, _ := strings.Cut(path, "/"); host != "" && !strings.EqualFold(host, "localhost") || !ok || strings.HasPrefix(path, "//") {
			t.Errorf("root %q", r.URI)
		}
		for segment := range strings.FieldsFuncSeq(unescape(path), func(c rune) bool { return c == '/' || c == '\\' }) {
			if segment == "." || segment == ".." {
				t.Errorf("root %q has dot segments", r.URI)
			}
		}
	}
}
