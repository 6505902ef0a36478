package mcpwire

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A bigLine is a line of the upstream that is as long as one member makes it.
type bigLine struct {
	name    string
	request string // of the front, to which the line is the answer under the id 2; empty if it needs none
	line    string // FILL stands for one long text, MANY for a great number of the values that follow it
	many    string // value of MANY, with its comma
	ceiling int    // what may be allocated outside the lock, in bytes for each byte of the line
}

// noise is what may be allocated however long the line is, in bytes.
const noise = 64 << 10

const (
	answerHead = `{"jsonrpc":"2.0","id":2,"result":{`
	asksHead   = answerHead + `"resultType":"input_required",`
	noticeHead = `{"jsonrpc":"2.0","method":"notifications/`
	listURIs   = `{"jsonrpc":"2.0","id":7,"method":"resources/list"}`
	subscribed = `_meta":{"io.modelcontextprotocol/subscriptionId":2}`
)

// bigLines are the members that a server can make long, for each thing that it sends.
var bigLines = []bigLine{
	{"text of content", callTool, answerHead + `"content":[{"type":"text","text":"FILL"}]}}`, "", 0},
	{"type of content", callTool, answerHead + `"content":[{"type":"FILL"}]}}`, "", 8},
	{"blocks of content", callTool, answerHead + `"content":[MANY0]}}`, `{"type":"text","text":""},`, 0},
	{"blocks of an unknown type", callTool, answerHead + `"content":[MANY0]}}`, `{"type":"x"},`, 30},
	{"structuredContent that is text", callTool, answerHead + `"structuredContent":"FILL"}}`, "", 0},
	{"_meta", callTool, answerHead + `"content":[],"_meta":{"a.example/k":"FILL"}}}`, "", 0},
	{"keys of _meta", callTool, answerHead + `"content":[],"_meta":{MANY"k":1}}}`, `"progressToken":1,`, 0},
	{"name of a tool", listTools, answerHead + `"tools":[{"name":"FILL"}]}}`, "", 0},
	{"tools", listTools, answerHead + `"tools":[MANY0]}}`, `{"name":"t"},`, 30},
	{"a schema", listTools, answerHead + `"tools":[{"name":"t","inputSchema":{"type":"object","properties":{MANY"z":{}}}}]}}`, `"p":{"type":"array"},`, 1},
	{"an enum", listTools, answerHead + `"tools":[{"name":"t","inputSchema":{"type":"object","enum":[MANY0]}}]}}`, `"a",`, 0},
	{"nextCursor", listTools, answerHead + `"tools":[],"nextCursor":"FILL"}}`, "", 0},
	{"a URI", listURIs, answerHead + `"resources":[{"uri":"u:FILL"}]}}`, "", 8},
	{"a URI of escapes", listURIs, answerHead + `"resources":[{"uri":"u:MANY"}]}}`, `%ff`, 8},
	{"URIs", listURIs, answerHead + `"resources":[MANY{"uri":"u:z"}]}}`, `{"uri":"u:/a/b"},`, 40},
	{"messages of a prompt", getPrompt, answerHead + `"messages":[MANY0]}}`, `{"role":"user","content":{"type":"text","text":""}},`, 0},
	{"a blob", readMemo, answerHead + `"contents":[{"uri":"memo://one","blob":"FILL"}]}}`, "", 0},
	{"values of a completion", complete, answerHead + `"completion":{"values":[MANY0]}}}`, `"v",`, 0},
	{"message of an error", callTool, `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"FILL"}}`, "", 0},
	{"members of an error", callTool, `{"jsonrpc":"2.0","id":2,"error":{MANY"code":1,"message":""}}`, `"x":1,`, 0},
	{"versions of an error", callTool, `{"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"","data":{"supported":[MANY0]}}}`, `"x",`, 0},
	{"message of a form", callTool, asksHead + `"inputRequests":{"f":{"method":"elicitation/create","params":{"message":"FILL","requestedSchema":{"type":"object","properties":{}}}}}}}`, "", 8},
	{"schema of a form", callTool, asksHead + `"inputRequests":{"f":{"method":"elicitation/create","params":{"message":"","requestedSchema":{"type":"object","properties":{MANY"z":{"type":"string"}}}}}}}}`, `"p":{"type":"string"},`, 0},
	{"URL of a page", callTool, asksHead + `"inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","message":"","url":"https://a.example/FILL"}}}}}`, "", 12},
	{"messages of sampling", callTool, asksHead + `"inputRequests":{"m":{"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[MANY{"role":"user","content":[]}]}}}}}`, `{"role":"user","content":{"type":"text","text":""}},`, 0},
	{"prompt of sampling", callTool, asksHead + `"inputRequests":{"m":{"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"user","content":[]}],"systemPrompt":"FILL"}}}}}`, "", 8},
	{"key of a question", callTool, asksHead + `"inputRequests":{"FILL":{"method":"roots/list"}}}}`, "", 16},
	{"questions", callTool, asksHead + `"inputRequests":{MANY"z":1}}}`, `"q":{"method":"roots/list"},`, 0},
	{"requestState", callTool, asksHead + `"requestState":"FILL"}}`, "", 0},
	{"an answer to nothing", "", answerHead + `"content":["FILL"]}}`, "", 0},
	{"data of a log message", "", noticeHead + `message","params":{"level":"error","data":"FILL"}}`, "", 0},
	{"data of escapes", "", noticeHead + `message","params":{"level":"error","data":"MANY"}}`, `\n`, 0},
	{"_meta of a log message", "", noticeHead + `message","params":{"level":"error","data":1,"_meta":{MANY"z":1}}}`, `"k":1,`, 0},
	{"members of a log message", "", noticeHead + `message","params":{MANY"level":"error","data":1}}`, `"k":1,`, 0},
	{"message of progress", watchedCall, noticeHead + `progress","params":{"progressToken":2,"progress":1,"message":"FILL"}}`, "", 0},
	{"value of progress", watchedCall, noticeHead + `progress","params":{"progressToken":2,"progress":1MANY}}`, `0`, 0},
	{"reason of a cancellation", "", noticeHead + `cancelled","params":{"requestId":2,"reason":"FILL"}}`, "", 0},
	{"URI of an update", "", noticeHead + `resources/updated","params":{"uri":"FILL","` + subscribed + `}}`, "", 0},
	{"_meta of a change", "", noticeHead + `tools/list_changed","params":{"_meta":{MANY"z":1}}}`, `"k":1,`, 0},
	{"an acknowledgement", "", noticeHead + `subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":[MANY0]},"` + subscribed + `}}`, `"u:a",`, 0},
	{"an unknown notification", "", noticeHead + `x","params":{MANY"z":1}}`, `"k":1,`, 0},
	{"a request", "", `{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{MANY"z":1}}`, `"k":1,`, 0},
}

// of returns the line with a size of about n bytes.
func (b *bigLine) of(n int) string {
	if b.many == "" {
		return strings.Replace(b.line, "FILL", strings.Repeat("x", n), 1)
	}
	return strings.Replace(b.line, "MANY", strings.Repeat(b.many, n/len(b.many)), 1)
}

// A cost is what a line takes: bytes that are allocated, and time, which only a
// benchmark looks at.
type cost struct {
	bytes int
	took  time.Duration
}

// add does the work and adds what it took.
func (c *cost) add(work func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	work()
	c.took += time.Since(start)
	runtime.ReadMemStats(&after)
	c.bytes += int(after.TotalAlloc - before.TotalAlloc)
}

// costs are those of one line: to read it, to work on it inside the caller's lock, and
// outside.
type costs struct{ read, inside, outside cost }

// play gives the line, with a size of about n bytes, to a session.
func (b *bigLine) play(t testing.TB, n int) (c costs) {
	t.Helper()
	p := opened(t, Options{Profile: Profile{EditorURIs: true}, Rand: zeros{}})
	p.play(warningSet)
	if b.request != "" {
		p.input("F>", b.request)
	}
	r := jsonrpc.NewReader(strings.NewReader(b.of(n)+"\n"), &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512})
	var m *jsonrpc.Message
	var err error
	c.read.add(func() { m, err = r.Read() })
	if err != nil {
		t.Fatal(err)
	}
	var out Steps
	c.inside.add(func() { p.session.FromUpstream(p.now, 0, m, &out) })
	if h := out.Shape; h != nil {
		out.Reset()
		c.outside.add(h.Run)
		c.inside.add(func() { p.session.Shaped(p.now, h, &out) })
	}
	return c
}

// However long a server makes a line, and by whichever member: what is allocated inside
// the caller's lock does not grow with it, but for a question, which is copied on its way
// to the front; what is allocated outside grows no faster than the line.
func TestBigLines(t *testing.T) {
	const small, big = 4 << 20, 8 << 20 // bytes
	copies := map[string]bool{"message of a form": true, "prompt of sampling": true}
	for i := range bigLines {
		b := &bigLines[i]
		t.Run(b.name, func(t *testing.T) {
			most := noise
			if copies[b.name] {
				most = 2 * big
			}
			half, whole := b.play(t, small), b.play(t, big)
			if got := whole.inside.bytes; got > most {
				t.Errorf("%d bytes are allocated inside, want at most %d", got, most)
			}
			if got := whole.outside.bytes; got > b.ceiling*big+noise {
				t.Errorf("%d bytes are allocated outside, want at most %d for each byte", got, b.ceiling)
			}
			if got := whole.outside.bytes; got > 3*half.outside.bytes+noise {
				t.Errorf("%d bytes are allocated outside, of half the line %d", got, half.outside.bytes)
			}
		})
	}
}

// The time that the work on a long line takes inside the caller's lock and outside, in
// parts of the time that it takes to read the line: a walk over the line inside shows as
// a large part.
func BenchmarkBigLines(b *testing.B) {
	for i := range bigLines {
		l := &bigLines[i]
		b.Run(l.name, func(b *testing.B) {
			var all costs
			for b.Loop() {
				c := l.play(b, 8<<20)
				all.read.took += c.read.took
				all.inside.took += c.inside.took
				all.outside.took += c.outside.took
			}
			b.ReportMetric(float64(all.inside.took)/float64(all.read.took), "inside/read")
			b.ReportMetric(float64(all.outside.took)/float64(all.read.took), "outside/read")
		})
	}
}
