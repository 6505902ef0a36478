package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// parse returns a message as a reader of the session gives it.
func parse(t testing.TB, line string) *jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.Parse([]byte(line), &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A call and its answer are the hot path: translating them allocates nothing.
func TestForwardedCallAllocatesNothing(t *testing.T) {
	p := opened(t, Options{Profile: VSCode})
	call := parse(t, `{"jsonrpc":"2.0","id":"7b0e3a52-9f6f-4a57-8a0e-2f3c35e0a4d1","method":"tools/call","params":{"name":"deploy","arguments":{"env":"prod"},"_meta":{"progressToken":"4c0e","vscode.conversationId":"c1","vscode.requestId":"r9","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","x":1}}}`)
	// The ids upstream go on, so each run needs an answer of its own.
	const runs = 100
	var answers []*jsonrpc.Message
	for i := range runs + 1 {
		answers = append(answers, parse(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}}`, i+2)))
	}
	var out Steps
	line := make([]byte, 0, 4096)
	next, now := 0, time.Unix(1_800_000_000, 0)
	got := testing.AllocsPerRun(runs, func() {
		out.Reset()
		p.session.FromFront(now, call, &out)
		line = out.ToUpstream[0].AppendTo(line[:0])
		out.Reset()
		p.session.FromUpstream(now, 0, answers[next], &out)
		line = out.ToFront[0].AppendTo(line[:0])
		next++
	})
	if got != 0 {
		t.Errorf("a forwarded call allocates %v times, want 0", got)
	}
	if want := `{"jsonrpc":"2.0","id":"7b0e3a52-9f6f-4a57-8a0e-2f3c35e0a4d1","result":{"content":[{"type":"text","text":"done"}]}}`; string(line) != want {
		t.Errorf("the front got\n%s\nwant\n%s", line, want)
	}
}

// So does one that passes to an older server.
func TestPassedCallAllocatesNothing(t *testing.T) {
	p := openedLegacy(t, Options{Profile: VSCode}, "2025-11-25")
	call := parse(t, `{"jsonrpc":"2.0","id":"7b0e3a52-9f6f-4a57-8a0e-2f3c35e0a4d1","method":"tools/call","params":{"name":"deploy","arguments":{"env":"prod"},"_meta":{"progressToken":"4c0e","vscode.conversationId":"c1","vscode.requestId":"r9","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","x":1}}}`)
	const runs = 100
	var answers []*jsonrpc.Message
	for i := range runs + 1 {
		answers = append(answers, parse(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"done"}],"_meta":{"a":1}}}`, i+2)))
	}
	var out Steps
	line := make([]byte, 0, 4096)
	next, now := 0, time.Unix(1_800_000_000, 0)
	got := testing.AllocsPerRun(runs, func() {
		out.Reset()
		p.session.FromFront(now, call, &out)
		line = out.ToUpstream[0].AppendTo(line[:0])
		out.Reset()
		p.session.FromUpstream(now, 0, answers[next], &out)
		line = out.ToFront[0].AppendTo(line[:0])
		next++
	})
	if got != 0 {
		t.Errorf("a passed call allocates %v times, want 0", got)
	}
	if want := `{"jsonrpc":"2.0","id":"7b0e3a52-9f6f-4a57-8a0e-2f3c35e0a4d1","result":{"content":[{"type":"text","text":"done"}],"_meta":{"a":1}}}`; string(line) != want {
		t.Errorf("the front got\n%s\nwant\n%s", line, want)
	}
}

func BenchmarkCall(b *testing.B) {
	s := New(Options{Profile: VSCode})
	var out Steps
	now := time.Unix(1_800_000_000, 0)
	s.FromFront(now, parse(b, initialize), &out)
	s.FromUpstream(now, 0, parse(b, `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`), &out)
	call := parse(b, callTool)
	line := []byte(`{"jsonrpc":"2.0","id":0000000002,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}`)
	b.ReportAllocs()
	for id := 2; b.Loop(); id++ {
		out.Reset()
		s.FromFront(now, call, &out)
		copy(line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%-10d`, id))
		out.Reset()
		s.FromUpstream(now, 0, parse(b, string(line)), &out)
	}
}

func TestMembers(t *testing.T) {
	if n := len(Members()); n > jsonrpc.MaxMembers {
		t.Fatalf("%d members are recorded, a reader takes %d", n, jsonrpc.MaxMembers)
	}
	seen := map[string]bool{}
	for _, name := range Members() {
		if name == "" || seen[name] {
			t.Errorf("member %q is empty or stands twice", name)
		}
		seen[name] = true
	}
}

// req: P05
func TestCauses(t *testing.T) {
	for _, c := range Causes() {
		if c.Text() == "" || c.Help() == "" || c.Code() >= 0 {
			t.Errorf("cause %s has no text, help or code", c)
		}
		if strings.ContainsAny(c.Text(), "\"\\\n") {
			t.Errorf("the text of %s needs escapes", c)
		}
	}
}
