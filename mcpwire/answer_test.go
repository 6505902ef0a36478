package mcpwire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An answerCase is a result of the front, and what goes upstream of it; nothing if
// it is not valid.
type answerCase struct{ name, result, want string }

// checkAnswers checks what append makes of results.
func checkAnswers(t *testing.T, appendAnswer func([]byte, *jsonrpc.Message) ([]byte, bool), cases []answerCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			// Without recorded members, so that those that stand twice come through.
			m, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":"b-1","result":`+tt.result+`}`), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := appendAnswer([]byte(`.`), m)
			switch {
			case ok != (tt.want != ""):
				t.Errorf("the answer %s is valid: %t, want %t", tt.result, ok, tt.want != "")
			case ok && string(got) != "."+tt.want:
				t.Errorf("the answer %s goes upstream as %s, want .%s", tt.result, got, tt.want)
			case ok && !json.Valid(got[1:]):
				t.Errorf("no JSON: %s", got)
			}
		})
	}
}

// notAnActionRows are results that are no answer to an elicitation.
var notAnActionRows = []answerCase{
	{"null", `null`, ``},
	{"a list", `[]`, ``},
	{"a string", `"accept"`, ``},
	{"nothing", `{}`, ``},
	{"no action", `{"content":{}}`, ``},
	{"an action that is null", `{"action":null}`, ``},
	{"an action that is a number", `{"action":1}`, ``},
	{"another action", `{"action":"reject"}`, ``},
	{"an action in capitals", `{"action":"Accept"}`, ``},
	{"an action twice", `{"action":"accept","action":"accept"}`, ``},
	{"an action twice by an escape", `{"action":"decline","\u0061ction":"accept"}`, ``},
	{"an error in a result", `{"error":{"code":-1}}`, ``},
}

// req: I04
func TestT121FormAnswer(t *testing.T) {
	f := formOf(t, `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]}`)
	optional := formOf(t, formWith(`"a":{"type":"string"}`))
	empty := formOf(t, formWith(``))
	of := func(f *form) func([]byte, *jsonrpc.Message) ([]byte, bool) {
		return func(b []byte, m *jsonrpc.Message) ([]byte, bool) {
			b, _, ok := (&replyReader{m, 0}).appendForm(b, f)
			return b, ok
		}
	}
	checkAnswers(t, of(f), notAnActionRows)
	checkAnswers(t, of(f), []answerCase{
		{"accepted, byte for byte", `{"content": { "age":1.0, "name":"\u006fcto" } ,"action":"\u0061ccept"}`, `{"action":"accept","content":{ "age":1.0, "name":"\u006fcto" }}`},
		{"accepted, other members left out", `{"_meta":{"vscode.x":1},"action":"accept","x":1,"content":{"name":""},"resultType":"complete"}`, `{"action":"accept","content":{"name":""}}`},
		{"accepted, a member beyond the form", `{"action":"accept","content":{"name":"","x":1}}`, `{"action":"accept","content":{"name":"","x":1}}`},
		{"accepted without content that must be there", `{"action":"accept"}`, ``},
		{"accepted with null that must be there", `{"action":"accept","content":null}`, ``},
		{"accepted with a wrong type", `{"action":"accept","content":{"name":1}}`, ``},
		{"accepted with a list", `{"action":"accept","content":[]}`, ``},
		{"accepted with content twice", `{"action":"accept","content":{"name":""},"content":{"name":""}}`, ``},
		{"accepted with null and content", `{"action":"accept","content":null,"content":{"name":""}}`, ``},
		{"declined", `{"action":"decline"}`, `{"action":"decline"}`},
		{"declined with content", `{"action":"decline","content":{"name":"secret"}}`, `{"action":"decline"}`},
		{"declined with content that does not fit", `{"action":"decline","content":7}`, `{"action":"decline"}`},
		{"cancelled with content", `{"content":{"name":"secret"},"action":"cancel","_meta":{}}`, `{"action":"cancel"}`},
	})
	checkAnswers(t, of(optional), []answerCase{
		{"accepted without content", `{"action":"accept"}`, `{"action":"accept","content":{}}`},
		{"accepted with null", `{"action":"accept","content":null}`, `{"action":"accept","content":{}}`},
		{"accepted with empty content", `{"action":"accept","content":{}}`, `{"action":"accept","content":{}}`},
	})
	checkAnswers(t, of(empty), []answerCase{
		{"an empty form accepted", `{"action":"accept","content":{"next":"Continue"}}`, `{"action":"accept","content":{}}`},
		{"an empty form declined", `{"action":"decline","content":{"next":"Continue"}}`, `{"action":"decline"}`},
	})
}

// req: I04
func TestT121URLAnswer(t *testing.T) {
	only := func(b []byte, m *jsonrpc.Message) ([]byte, bool) {
		out, action, ok := (&replyReader{m, 0}).appendURL(b)
		if ok && !strings.HasSuffix(string(out), `{"action":"`+action+`"}`) || !ok && action != "" {
			t.Errorf("action %q, answer %s", action, out)
		}
		return out, ok
	}
	checkAnswers(t, only, notAnActionRows)
	checkAnswers(t, only, []answerCase{
		{"accepted", `{"action":"accept"}`, `{"action":"accept"}`},
		{"accepted with content", `{"action":"accept","content":{"token":"secret"},"_meta":{"a":1}}`, `{"action":"accept"}`},
		{"declined", `{"x":1,"action":"decline"}`, `{"action":"decline"}`},
		{"cancelled", `{"action":"cancel","content":null}`, `{"action":"cancel"}`},
	})
}

func samplingAnswer(b []byte, m *jsonrpc.Message) ([]byte, bool) {
	return (&replyReader{m, standard.ExtraMeta}).appendSampling(b)
}

func rootsAnswer(b []byte, m *jsonrpc.Message) ([]byte, bool) {
	return (&replyReader{m, standard.ExtraMeta}).appendRoots(b)
}

func TestT121SamplingAnswer(t *testing.T) {
	const text = `{"type":"text","text":"\u0068i","annotations":{"x":1},"_meta":{"y":2}}`
	checkAnswers(t, samplingAnswer, []answerCase{
		{"as the editor gives it", `{"model":"probe/probe-1","content":` + text + `,"role":"assistant"}`, `{"model":"probe/probe-1","content":` + text + `,"role":"assistant"}`},
		{"all that may go", `{ "stopReason": "endTurn", "role":"assistant","model":"m","content": [ ` + text + ` ] }`, `{"stopReason": "endTurn","role":"assistant","model":"m","content": [ ` + text + ` ]}`},
		{"what may not", `{"role":"user","x":1,"model":"m","content":[],"resultType":"complete","task":{}}`, `{"role":"user","model":"m","content":[]}`},
		{"a use of a tool", `{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"1","name":"t","input":{}}],"stopReason":"toolUse"}`, `{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"1","name":"t","input":{}}],"stopReason":"toolUse"}`},
		{"a reason that is null", `{"role":"user","model":"m","content":[],"stopReason":null}`, `{"role":"user","model":"m","content":[]}`},
		{"a reason that is a number", `{"role":"user","model":"m","content":[],"stopReason":1}`, ``},
		{"no role", `{"model":"m","content":[]}`, ``},
		{"another role", `{"role":"system","model":"m","content":[]}`, ``},
		{"a role twice", `{"role":"user","role":"user","model":"m","content":[]}`, ``},
		{"no model", `{"role":"user","content":[]}`, ``},
		{"a model that is null", `{"role":"user","model":null,"content":[]}`, ``},
		{"a model twice", `{"role":"user","model":"m","mod\u0065l":"m","content":[]}`, ``},
		{"no content", `{"role":"user","model":"m"}`, ``},
		{"content that is a string", `{"role":"user","model":"m","content":"hi"}`, ``},
		{"content twice", `{"role":"user","model":"m","content":[],"content":[]}`, ``},
		{"a block without type", `{"role":"user","model":"m","content":[{"text":"hi"}]}`, ``},
		{"a block of another type", `{"role":"user","model":"m","content":{"type":"thinking"}}`, ``},
		{"a block that is a string", `{"role":"user","model":"m","content":["hi"]}`, ``},
		{"a reason twice", `{"role":"user","model":"m","content":[],"stopReason":"a","stopReason":"b"}`, ``},
		{"a list", `[]`, ``},
	})
}

// req: W10
func TestT121AnswerMeta(t *testing.T) {
	const answer = `"role":"user","model":"m","content":[]`
	long := `"` + strings.Repeat("x", standard.ExtraMeta) + `"`
	checkAnswers(t, samplingAnswer, []answerCase{
		{"keys of the editor", `{"_meta":{"vscode.a":{"b": 1},"vscode.c":2},` + answer + `}`, `{` + answer + `,"_meta":{"vscode.a":{"b": 1},"vscode.c":2}}`},
		{"any other key", `{` + answer + `,"_meta":{"progressToken":1,"io.modelcontextprotocol/logLevel":"debug","baggage":"b","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","vscode.a":1,"example.com/x":2}}`, `{` + answer + `,"_meta":{"vscode.a":1}}`},
		{"only other keys", `{` + answer + `,"_meta":{"x":1}}`, `{` + answer + `}`},
		{"a reserved prefix", `{` + answer + `,"_meta":{"vscode.mcp/x":1}}`, `{` + answer + `}`},
		{"none", `{` + answer + `,"_meta":{}}`, `{` + answer + `}`},
		{"one that is no object", `{` + answer + `,"_meta":[1]}`, `{` + answer + `}`},
		{"one that is null", `{` + answer + `,"_meta":null}`, `{` + answer + `}`},
		{"one too large", `{` + answer + `,"_meta":{"vscode.a":` + long + `}}`, `{` + answer + `}`},
		{"twice", `{` + answer + `,"_meta":{},"_meta":{}}`, ``},
	})
	checkAnswers(t, rootsAnswer, []answerCase{
		{"of a root", `{"roots":[{"uri":"file:///w","_meta":{"vscode.a":1,"x":2}}]}`, `{"roots":[{"uri":"file:///w","_meta":{"vscode.a":1}}]}`},
		{"of the result", `{"_meta":{"vscode.a":1},"roots":[]}`, `{"roots":[]}`},
	})
}

// req: I05
func TestT121Roots(t *testing.T) {
	checkAnswers(t, rootsAnswer, []answerCase{
		{"as the editor gives them", `{"roots":[{"name":"w","uri":"file:///w"},{"uri":"file:///c%3A/x","name":"\u0078"}]}`, `{"roots":[{"uri":"file:///w","name":"w"},{"uri":"file:///c%3A/x","name":"\u0078"}]}`},
		{"none", `{"roots":[]}`, `{"roots":[]}`},
		{"another scheme", `{"roots":[{"uri":"vscode-vfs://github/x"},{"uri":"file:///w"},{"uri":"https://a.example/"}]}`, `{"roots":[{"uri":"file:///w"}]}`},
		{"only other schemes", `{"roots":[{"uri":"vscode-vfs://github/x"},{"uri":"files:///x"},{"uri":"file"}]}`, `{"roots":[]}`},
		{"other members", `{"x":1,"roots":[{"uri":"file:///w","x":1}],"nextCursor":"c"}`, `{"roots":[{"uri":"file:///w"}]}`},
		{"an escape in a uri", `{"roots":[{"uri":"fil\u0065:\/\/\/w"}]}`, `{"roots":[{"uri":"fil\u0065:\/\/\/w"}]}`},
		{"a name that is null", `{"roots":[{"uri":"file:///w","name":null}]}`, `{"roots":[{"uri":"file:///w"}]}`},
		{"a name that is a number", `{"roots":[{"uri":"file:///w","name":1}]}`, ``},
		{"a root without uri", `{"roots":[{"name":"w"}]}`, ``},
		{"a uri that is a number", `{"roots":[{"uri":1}]}`, ``},
		{"a root that is a string", `{"roots":["file:///w"]}`, ``},
		{"a uri twice", `{"roots":[{"uri":"file:///w","uri":"file:///x"}]}`, ``},
		{"a name twice", `{"roots":[{"uri":"file:///w","name":"a","name":"b"}]}`, ``},
		{"a uri twice where the other is left out", `{"roots":[{"uri":"https://a.example/","uri":"file:///w"}]}`, ``},
		{"roots that are an object", `{"roots":{}}`, ``},
		{"roots that are null", `{"roots":null}`, ``},
		{"roots twice", `{"roots":[],"roots":[]}`, ``},
		{"no roots", `{}`, ``},
		{"a list", `[]`, ``},
	})
}

// req: I05
func TestT121LocalRoot(t *testing.T) {
	for _, tt := range []struct{ uri, want string }{
		{"file:///", "file:///"},
		{"file:///w/a%20b/", "file:///w/a%20b/"},
		{"FILE:///W", "file:///W"},
		{"file://localhost/w", "file://localhost/w"},
		{"file://LocalHost/w", "file://LocalHost/w"},
		{"file:///c:/Users", "file:///c:/Users"},
		{"file:///w/./x", "file:///w/x"},
		{"file:///w/../etc", "file:///etc"},
		{"file:///w/..", "file:///"},
		{"file:///w/x/..", "file:///w/"},
		{"file:///../../etc/passwd", "file:///etc/passwd"},
		{"file:///w/%2e%2E/etc", "file:///etc"},
		{"file:///w/.%2e/etc", "file:///etc"},
		{"file:///w/%2e/etc", "file:///w/etc"},
		{"file:///w/...", "file:///w/..."},
		{"file:///w/.git", "file:///w/.git"},
		{"file:///w/a..b", "file:///w/a..b"},
		{"file:///w/a%2Fb", "file:///w/a%2Fb"},
		{"file:///w/é b", "file:///w/%C3%A9%20b"},

		{"", ""},
		{"file:", ""},
		{"file:/w", ""},
		{"file:w", ""},
		{"file://", ""},
		{"file://localhost", ""},
		{"file://server/share", ""},
		{"file://127.0.0.1/w", ""},
		{"file://localhost.example/w", ""},
		{"file://user@localhost/w", ""},
		{"file://localhost:80/w", ""},
		{"file://local%68ost/w", ""},
		{"file:////server/share", ""},
		{"file:///w/..//server/share", ""},
		{`file:///\server\share`, ""},
		{`file:\\\w`, ""},
		{"file:///w?x", ""},
		{"file:///w#x", ""},
		{"file:///w/%", ""},
		{"file:///w/%zz", ""},
		{"file:///w/..%2f..%2fetc", ""},
		{"file:///w/a%2f..%2f..", ""},
		{"file:///w/..%5c..", ""},
		{"file:///w/%2e%2e%2f", ""},
		{"file:///w%2f../etc", ""},
		{"file:///w/a%00b", ""},
		{"vscode-remote://x/w", ""},
		{"xfile:///w", ""},
		{"file:///" + strings.Repeat("a", maxRoot-len("file:///")), "file:///" + strings.Repeat("a", maxRoot-len("file:///"))},
		{"file:///" + strings.Repeat("a", maxRoot-len("file:///")+1), ""},
	} {
		got, ok := localRoot(tt.uri)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("localRoot(%.100q) = %.100q, %t, want %.100q", tt.uri, got, ok, tt.want)
		}
		if again, _ := localRoot(got); again != got {
			t.Errorf("localRoot(%.100q) = %.100q, want the same", got, again)
		}
	}
}
