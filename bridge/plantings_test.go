package bridge

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// marker stands in every value that must not come out.
const marker = "m4rk3r"

// A planting is a session in which markers stand wherever there is a place for them.
type planting struct {
	name    string
	change  func(t *testing.T, c *Config)
	replies []string // of the server, one for each request
	lines   []string // of the client, after initialize
	answers int      // that the client waits for, behind that to initialize if there are lines
	bare    bool     // there is no initialize
	lost    bool     // the server is
	log     string   // a part of the log that shows that it happened
}

// The parts of a session, all with markers.
const (
	markedInitialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}},"experimental":{"m4rk3r":{}}},` +
		`"clientInfo":{"name":"m4rk3r-client","version":"m4rk3r"},"_meta":{"vscode.m4rk3r":"m4rk3r"}}}`
	markedDiscovery = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
		`"capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{},"m4rk3r":{}},"instructions":"m4rk3r","ttlMs":0,"cacheScope":"private",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m4rk3r-server","version":"m4rk3r"}}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	markedCall  = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"m4rk3r-tool","arguments":{"m4rk3r":"m4rk3r-argument"},` +
		`"_meta":{"progressToken":"m4rk3r-token","vscode.m4rk3r":"m4rk3r","traceparent":"m4rk3r"}}}`
	markedResult = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","content":[{"type":"text","text":"m4rk3r-result"}],"requestState":"m4rk3r-state"}}`
	markedRound  = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","requestState":"m4rk3r-state","inputRequests":{"key":{"method":"elicitation/create",` +
		`"params":{"mode":"form","message":"m4rk3r","requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"m4rk3r"}}}}}}}}`
)

// question is in place of a line: the client waits until it is asked something.
const question = "?"

var plantings = []planting{
	{
		name: "success",
		replies: []string{
			"!stderr m4rk3r-stderr\n" + markedDiscovery,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":ID,"progress":1,"message":"m4rk3r"}}` + "\n" +
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","data":"m4rk3r"}}` + "\n" + markedResult,
			`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","nextCursor":"m4rk3r-next","tools":[` +
				`{"name":"m4rk3r-repaired","inputSchema":{"properties":{"m4rk3r":{"type":"array"}}}},{"name":"m4rk3r-dropped","inputSchema":{"type":"m4rk3r"}},{"m4rk3r":1}]}}`,
			`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[{"uri":"m4rk3r:","text":"m4rk3r"}]}}`,
		},
		lines: []string{
			markedCall,
			`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"m4rk3r-cursor"}}`,
			`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///m4rk3r?m4rk3r"}}`,
		},
		answers: 3, log: "exchange method=tools/list round=1 outcome=ok",
	},
	{
		name: "errors of the server",
		replies: []string{
			markedDiscovery,
			`{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"m4rk3r","data":{"m4rk3r":"m4rk3r"}}}`,
			`{"jsonrpc":"2.0","id":ID,"error":{"code":-32042,"message":"m4rk3r","data":{"elicitations":[{"mode":"url","url":"https://m4rk3r","elicitationId":"m4rk3r","message":"m4rk3r"}]}}}`,
			`{"jsonrpc":"2.0","id":ID,"error":{"code":"m4rk3r","message":"m4rk3r"}}`,
		},
		lines:   []string{markedCall, withID(markedCall, 2), withID(markedCall, 3)},
		answers: 3, log: "outcome=url_elicitation_error",
	},
	{
		name: "results that are none",
		replies: []string{
			markedDiscovery,
			`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"m4rk3r","content":[]}}`,
			`{"jsonrpc":"2.0","id":ID,"result":"m4rk3r"}`,
			`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"task","task":{"taskId":"m4rk3r"}}}`,
			`{"jsonrpc":"2.0","id":ID,"result":{"content":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"error":{"code":1,"message":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"m4rk3r","resultType":"complete","content":[]}}`,
		},
		lines:   []string{markedCall, withID(markedCall, 2), withID(markedCall, 3), withID(markedCall, 4), withID(markedCall, 5), withID(markedCall, 6)},
		answers: 6, log: "breaks its protocol revision",
	},
	{
		name:    "a round",
		replies: []string{markedDiscovery, markedRound, markedResult},
		lines:   []string{initialized, markedCall, question, `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{"name":"m4rk3r-answer"},"m4rk3r":1}}`},
		answers: 1, log: "exchange method=tools/call round=2 outcome=ok",
	},
	{
		name:    "a round with a wrong answer",
		replies: []string{markedDiscovery, markedRound},
		lines:   []string{initialized, markedCall, question, `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{"name":{"m4rk3r":"m4rk3r"}}}}`},
		answers: 1, log: "a request got an error of the bridge",
	},
	{
		name:    "a round with an error of the client",
		replies: []string{markedDiscovery, markedRound},
		lines:   []string{initialized, markedCall, question, `{"jsonrpc":"2.0","id":"b-1","error":{"code":-32603,"message":"m4rk3r at m4rk3r.js","data":"m4rk3r"}}`},
		answers: 1, log: "cause=input_",
	},
	{
		name:    "a round that is refused",
		change:  func(_ *testing.T, c *Config) { c.Limits.Rounds = 1 },
		replies: []string{markedDiscovery, markedRound, markedRound},
		lines:   []string{initialized, markedCall, question, `{"jsonrpc":"2.0","id":"b-1","result":{"action":"decline"}}`},
		answers: 1, log: "cause=rounds_exhausted",
	},
	{
		name:    "a round without an answer",
		change:  func(_ *testing.T, c *Config) { c.Limits.Input = 50 * time.Millisecond },
		replies: []string{markedDiscovery, markedRound},
		lines:   []string{initialized, markedCall, question},
		answers: 1, log: "cause=input_timeout",
	},
	{
		name: "questions that are none",
		replies: []string{
			markedDiscovery,
			strings.Replace(markedRound, "elicitation/create", "m4rk3r/create", 1),
			strings.Replace(markedRound, `"form"`, `"m4rk3r"`, 1),
			strings.Replace(markedRound, `"requestState":"m4rk3r-state"`, `"requestState":{"m4rk3r":1}`, 1),
			strings.Replace(markedRound, `m4rk3r-state`, strings.Repeat(marker, 20_000), 1),
			`{"jsonrpc":"2.0","id":ID,"error":{"code":-32021,"message":"m4rk3r","data":{"requiredCapabilities":{"m4rk3r":{}}}}}`,
		},
		lines:   []string{initialized, markedCall, withID(markedCall, 2), withID(markedCall, 3), withID(markedCall, 4), withID(markedCall, 5)},
		answers: 5, log: "exchange method=tools/call",
	},
	{
		name: "subscriptions",
		replies: []string{
			markedDiscovery,
			`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":ID},"notifications":{"resourceSubscriptions":["file:///m4rk3r"]}}}` + "\n" +
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":ID,"m4rk3r":1},"uri":"file:///m4rk3r"}}` + "\n" +
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":ID},"uri":"file:///m4rk3r/other"}}`,
			`{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"m4rk3r","data":"m4rk3r"}}`,
		},
		lines: []string{
			initialized,
			`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///m4rk3r"}}`,
			`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///m4rk3r/second"}}`,
		},
		answers: 2, log: "cause=subscription_refused",
	},
	{
		name:   "server that is not there",
		change: func(_ *testing.T, c *Config) { c.Upstream = marked(Command{Path: "m4rk3r-no-such-program"}) },
		lost:   true, log: "its command was not found",
	},
	{
		name: "server in a directory that is not there",
		change: func(t *testing.T, c *Config) {
			c.Upstream = marked(Command{Path: filepath.Join(t.TempDir(), "m4rk3r", "program")})
		},
		lost: true, log: "cannot start the server",
	},
	{
		name: "server that is no program",
		change: func(t *testing.T, c *Config) {
			path := filepath.Join(t.TempDir(), "m4rk3r.exe")
			if err := os.WriteFile(path, []byte("m4rk3r"), 0o700); err != nil {
				t.Fatal(err)
			}
			c.Upstream = marked(Command{Path: path})
		},
		lost: true, log: "cannot start the server",
	},
	{
		name:    "server that exits at once",
		replies: []string{"!stderr m4rk3r-stderr\n!exit"},
		lost:    true, log: "status=3",
	},
	{
		name:    "server that exits during a call",
		replies: []string{markedDiscovery, "!stderr m4rk3r-stderr\n!exit"},
		lines:   []string{markedCall}, lost: true, log: "status=3",
	},
	{
		name:    "server that is killed during a call",
		replies: []string{markedDiscovery, "!kill"},
		lines:   []string{markedCall}, lost: true, log: killed(),
	},
	{
		name:    "server that ends within a line",
		replies: []string{markedDiscovery, `{"jsonrpc":"2.0","id":ID,"result":{"m4rk3r` + "\n!exit"},
		lines:   []string{markedCall}, lost: true, log: "status=3",
	},
	{
		name:    "server that is not of a revision we know",
		replies: slices.Repeat([]string{`{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"m4rk3r","data":"m4rk3r"}}`}, 3), // to whatever is tried
		answers: 1, log: "cannot initialize",
	},
	{
		name:    "discovery that breaks the revision",
		replies: []string{`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"m4rk3r","supportedVersions":["2026-07-28"]}}`},
		answers: 1, log: "cannot initialize",
	},
	{
		name:    "discovery without an answer",
		change:  func(_ *testing.T, c *Config) { c.Limits.Discover = 50 * time.Millisecond },
		replies: []string{"!stderr m4rk3r-stderr"},
		answers: 1, log: "cannot initialize: The server did not answer in time.",
	},
	{
		name:    "call without an answer",
		change:  func(_ *testing.T, c *Config) { c.Limits.Call = 50 * time.Millisecond },
		replies: []string{markedDiscovery, "!stderr m4rk3r-stderr"},
		lines:   []string{markedCall}, answers: 1, log: "outcome=timeout",
	},
	{
		name:    "junk before a message",
		replies: []string{strings.Repeat("m4rk3r-junk\n", 200)},
		lost:    true, log: "writes no messages and is given up",
	},
	{
		name:    "junk after a message",
		replies: []string{markedDiscovery, strings.Repeat("{m4rk3r-junk\n", 10)},
		lines:   []string{markedCall}, lost: true, log: "writes no messages and is given up",
	},
	{
		name:    "too large a line of the server",
		change:  func(_ *testing.T, c *Config) { c.Limits.Line = 4096 },
		replies: []string{markedDiscovery, `{"jsonrpc":"2.0","id":ID,"result":{"m4rk3r":"` + strings.Repeat(marker, 1000) + `"}}`},
		lines:   []string{markedCall}, answers: 1, log: "outcome=response_too_large",
	},
	{
		name:    "too large a line of the client",
		change:  func(_ *testing.T, c *Config) { c.Limits.Line = 4096 },
		replies: []string{markedDiscovery},
		lines:   []string{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat(marker, 1000) + `"}}`},
		answers: 1, log: "cause=too_large",
	},
	{
		name: "bad lines of the server",
		replies: []string{markedDiscovery, strings.Join([]string{
			`m4rk3r`,
			`{"jsonrpc":"2.0","id":99,"result":"m4rk3r`,
			`{"jsonrpc":"1.0","id":99,"result":"m4rk3r"}`,
			`{"jsonrpc":"2.0","id":"m4rk3r","result":{}}`,
			`{"jsonrpc":"2.0","id":1,"method":"m4rk3r/method","params":{"m4rk3r":1}}`,
			`{"jsonrpc":"2.0","method":"notifications/m4rk3r","params":{"m4rk3r":1}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"m4rk3r","progress":1}}`,
			"[\"m4rk3r\xff\"]",
			`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m4rk3r"}}`,
			strings.Repeat(`[`, 600) + marker,
			markedResult,
		}, "\n")},
		lines:   []string{markedCall},
		answers: 1, log: "a line of the server is no message and was dropped",
	},
	{
		name:    "bad lines of the client",
		replies: []string{markedDiscovery},
		lines: []string{
			`m4rk3r`,
			`{"jsonrpc":"2.0","id":1,"method":"m4rk3r`,
			`[{"jsonrpc":"2.0","id":1,"method":"m4rk3r"}]`,
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m4rk3r\xff\"}",
			`{"jsonrpc":"2.0","id":1,"method":"m4rk3r","params":` + strings.Repeat(`[`, 70) + `"m4rk3r"` + strings.Repeat(`]`, 70) + `}`,
			`{"jsonrpc":"2.0","id":{"m4rk3r":1},"method":"m4rk3r"}`,
			`{"jsonrpc":"2.0","id":1,"method":"m4rk3r/method","params":{"m4rk3r":1}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"m4rk3r":1}}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"m4rk3r","name":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"m4rk3r":1}}`,
			`{"jsonrpc":"2.0","id":1,"result":"m4rk3r"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"m4rk3r","reason":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","method":"notifications/m4rk3r","params":{"m4rk3r":1}}`,
		},
		answers: 11, log: "cause=parse_error",
	},
	{
		name:    "request before initialize",
		bare:    true,
		lines:   []string{markedCall},
		answers: 1, log: "cause=not_initialized",
	},
	{
		name:    "cancelled call",
		replies: []string{markedDiscovery, ""},
		lines: []string{
			markedCall,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"m4rk3r"}}`,
			`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"m4rk3r":1}}`,
		},
		answers: 1, log: "the client has cancelled a request",
	},
	{
		name:    "too many calls",
		change:  func(_ *testing.T, c *Config) { c.Limits.InFlight = 1 },
		replies: []string{markedDiscovery},
		lines:   []string{markedCall, withID(markedCall, 2)},
		answers: 1, log: "cause=busy",
	},
	{
		name:    "call that is in flight at the end",
		replies: []string{markedDiscovery},
		lines:   []string{markedCall},
		log:     "the input has ended; a request that was not answered in time is cancelled",
	},
	{
		name:    "server that reads no more",
		change:  func(_ *testing.T, c *Config) { c.Limits.Backlog, c.Limits.Grace = 1<<10, 100*time.Millisecond },
		replies: []string{markedDiscovery, "!stop"},
		lines:   stallingCalls(),
		lost:    true, log: "does not read its input and is given up",
	},
}

// stallingCalls are more than a pipe holds.
func stallingCalls() []string {
	lines := []string{markedCall}
	for id := 2; id < 30; id++ {
		lines = append(lines, withID(strings.Replace(markedCall, "m4rk3r-argument", strings.Repeat(marker, 3_000), 1), id))
	}
	return lines
}

func withID(line string, id int) string {
	text, _ := json.Marshal(id)
	return strings.Replace(line, `"id":1,`, `"id":`+string(text)+`,`, 1)
}

// marked plants markers in what a server is started with.
func marked(c Command) Command {
	c.Args = append(c.Args, "--key", "m4rk3r-key", "https://m4rk3r/?m4rk3r")
	c.Env = append(slices.Clip(c.Env), "M4RK3R_KEY=m4rk3r-variable", "m4rk3r=1")
	return c
}
