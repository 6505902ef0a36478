package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

var (
	hostileSessions = flag.Int("hostile", 40, "how many sessions TestHostileRun plays")
	hostileSeed     = flag.Uint64("hostile.seed", 1, "seed of the first session of TestHostileRun")
)

// A server that keeps to nothing and a client that does not wait for it, both with
// goroutines of their own, one that writes and one that reads. Whatever they do, every
// request ends, Run ends, no goroutine is left and no memory grows.
//
// What the two do depends on the seed alone; in which order their goroutines run does
// not.
func TestHostileRun(t *testing.T) {
	var settled uint64
	var sum hostileSum
	for i := range *hostileSessions {
		seed := *hostileSeed + uint64(i)
		synctest.Test(t, func(t *testing.T) { playHostile(t, seed, &sum) })
		if t.Failed() {
			t.Fatalf("play it again: go test ./bridge -race -run '^TestHostileRun$' -hostile 1 -hostile.seed %d", seed)
		}
		if i == *hostileSessions/4 {
			settled = heap()
		}
	}
	if grown := int64(heap()) - int64(settled); grown > 4<<20 {
		t.Errorf("after %d sessions %d bytes more are in use than after a quarter of them", *hostileSessions, grown)
	}
	if t.Logf("%d sessions: %+v", *hostileSessions, sum); *hostileSessions >= 20 && min(sum.results, sum.asked, sum.told) < *hostileSessions {
		t.Errorf("the sessions reach too little: %+v", sum)
	}
}

// A hostileSum counts what came to the clients: results, questions, notifications.
type hostileSum struct{ results, asked, told int }

// heap returns the bytes that are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// playHostile plays one session.
func playHostile(t *testing.T, seed uint64, sum *hostileSum) {
	r := rand.New(rand.NewPCG(seed, 1))
	near, far := jsonrpc.Pipe()
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	c := &hostileClient{t: t, in: toBridge, open: map[string]bool{}, moves: 30 + r.IntN(120), quits: r.IntN(4) == 0, r: rand.New(rand.NewPCG(seed, 2)), pace: rand.New(rand.NewPCG(seed, 4))}
	s := &hostileServer{stream: far, moves: 50 + r.IntN(400), quits: r.IntN(4) == 0, r: rand.New(rand.NewPCG(seed, 3)), pace: rand.New(rand.NewPCG(seed, 5)), quiet: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()

	var all sync.WaitGroup
	all.Go(s.read)
	all.Go(s.write)
	all.Go(func() { c.read(fromBridge) })
	all.Go(c.write)
	err := Run(ctx, Config{Front: Stdio{In: in, Out: out}, Upstream: Link{Stream: near}})
	if err != nil && !(errors.Is(err, ErrUpstreamLost) && s.quits) {
		t.Errorf("seed %d: Run = %v", seed, err)
	}
	close(s.quiet)
	in.Close()
	out.Close()
	far.Close()
	all.Wait()
	if err == nil && c.never > 0 {
		t.Errorf("%d requests were not answered within hours", c.never)
	}
	joined(t)
	sum.results, sum.asked, sum.told = sum.results+c.results, sum.asked+c.asked, sum.told+c.told
}

// A hostileServer answers anything, or nothing.
type hostileServer struct {
	stream io.ReadWriteCloser
	moves  int
	quits  bool
	quiet  chan struct{} // closed at the end
	r      *rand.Rand
	pace   *rand.Rand // of what reads

	mu     sync.Mutex // guards the fields below
	newest int        // id of a request
	listen int        // id of the newest one for a stream
	begun  bool       // discover was answered
}

// read reads what the bridge writes, at its own pace.
func (s *hostileServer) read() {
	lines := jsonrpc.NewReader(s.stream, nil)
	for {
		m, err := lines.Read()
		if _, bad := errors.AsType[*jsonrpc.LineError](err); bad {
			panic("the bridge wrote a bad line")
		}
		if err != nil {
			return
		}
		if s.pace.IntN(50) == 0 {
			time.Sleep(time.Duration(s.pace.IntN(500)) * time.Millisecond)
		}
		id, _ := m.Int(m.ID)
		method, _ := m.String(m.Method)
		s.mu.Lock()
		s.newest = max(s.newest, int(id))
		if method == "subscriptions/listen" {
			s.listen = int(id)
		}
		s.mu.Unlock()
	}
}

// write writes lines in pieces of any size, and goes away or falls silent in the end.
func (s *hostileServer) write() {
	for range s.moves {
		line := s.line() + "\n"
		for line != "" {
			n := len(line)
			if s.r.IntN(3) == 0 {
				n = 1 + s.r.IntN(n)
			}
			if _, err := io.WriteString(s.stream, line[:n]); err != nil {
				return
			}
			line = line[n:]
		}
		if s.r.IntN(3) == 0 {
			time.Sleep(time.Duration(s.r.IntN(200)) * time.Millisecond)
		}
	}
	if s.quits {
		s.stream.Close()
		return
	}
	<-s.quiet
}

func (s *hostileServer) line() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := max(1, s.newest-s.r.IntN(6))
	if !s.begun && s.newest == 1 {
		s.begun = true
		return `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"logging":{}}}}`
	}
	form := `{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`
	page := fmt.Sprintf(`{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/%d"}}`, s.r.IntN(2))
	model := `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}`
	asks := func(members string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required",%s}}`, id, members)
	}
	switch s.r.IntN(16) {
	case 0, 1, 2:
		return fmt.Sprintf(`{"result":{"content":[],"tools":[{"name":"t","inputSchema":{}}],"contents":[],"resultType":"complete","ttlMs":1},"id":%d,"jsonrpc":"2.0"}`, id)
	case 3, 4:
		return asks(`"inputRequests":{"a":` + form + `,"b":` + page + `,"c":` + model + `,"d":{"method":"roots/list"}},"requestState":"s"`)
	case 5:
		return asks(`"inputRequests":{"b":` + page + `},"x":"` + strings.Repeat("x", 1<<s.r.IntN(18)) + `"`)
	case 6:
		return asks(`"requestState":"` + strings.Repeat("s", 1<<s.r.IntN(10)) + `"`)
	case 7:
		return asks(`"inputRequests":{"a":` + form + `,"x":{"method":"x"}}`)
	case 8:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"no"}}`, id, -32000-s.r.IntN(700))
	case 9, 10:
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d}}`, id, s.r.IntN(1000))
	case 11:
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
	case 12:
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, s.listen)
	case 13:
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["u:0","u:1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, s.listen)
	case 14:
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":%d}}`, id)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[}}`, id)
}

// A hostileClient asks, answers and cancels, and does not wait for anything but the end
// of what it has asked.
type hostileClient struct {
	t     *testing.T
	in    io.WriteCloser
	moves int
	quits bool // without waiting for answers
	r     *rand.Rand
	pace  *rand.Rand // of what reads
	never int        // requests without an answer when it had waited long enough

	mu        sync.Mutex      // guards the fields below
	open      map[string]bool // ids of requests that were sent; true if cancelled since
	questions []string        // ids that were not answered
	newest    int             // number of a question

	results, asked, told int // how many came
}

func (c *hostileClient) write() {
	c.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"test","version":"1"}}}`)
	for range 100 { // until it is answered, or the server is gone or says nothing
		if time.Sleep(10 * time.Millisecond); c.waits() == 0 {
			break
		}
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i := range c.moves {
		if !c.send(c.line(i)) {
			return
		}
		if c.r.IntN(4) == 0 {
			time.Sleep(time.Duration(c.r.IntN(300)) * time.Millisecond)
		}
	}
	for end := time.Now().Add(4 * time.Hour); !c.quits && c.waits() > 0 && time.Now().Before(end); {
		time.Sleep(time.Minute)
	}
	if !c.quits {
		c.never = c.waits()
	}
	c.in.Close()
}

func (c *hostileClient) send(line string) bool {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal([]byte(line), &m) == nil && m.ID != nil && m.Method != "" {
		c.mu.Lock()
		c.open[string(m.ID)] = false
		c.mu.Unlock()
	}
	_, err := io.WriteString(c.in, line+"\n")
	return err == nil
}

// waits returns how many requests wait for an answer.
func (c *hostileClient) waits() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancelled := range c.open {
		if !cancelled {
			n++
		}
	}
	return n
}

// line is the next line, the number i.
func (c *hostileClient) line(i int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch n := c.r.IntN(20); {
	case n < 7:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","arguments":{"a":%q},"_meta":{"progressToken":%[1]d}}}`, i, strings.Repeat("a", 1<<c.r.IntN(18)))
	case n < 8:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"tools/list"}`, i)
	case n < 10:
		verb := [...]string{"subscribe", "unsubscribe"}[c.r.IntN(2)]
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/%s","params":{"uri":"u:%d"}}`, i, verb, c.r.IntN(3))
	case n < 11:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"logging/setLevel","params":{"level":"info"}}`, i)
	case n < 13:
		id := fmt.Sprint(i - c.r.IntN(10))
		if _, ok := c.open[id]; ok {
			c.open[id] = true
		}
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	return c.reply()
}

// reply answers a question, or one that nobody has asked.
func (c *hostileClient) reply() string {
	id := fmt.Sprintf(`"b-%d"`, c.r.IntN(40))
	if n := len(c.questions); n > 0 && c.r.IntN(8) > 0 {
		i := c.r.IntN(n)
		id = c.questions[i]
		c.questions = append(c.questions[:i], c.questions[i+1:]...)
	}
	switch c.r.IntN(8) {
	case 0:
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-1,"message":"no"}}`
	case 1:
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"`
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept","content":{"type":"text","text":"t"},"roots":[],"role":"assistant","model":"m","x":"` + strings.Repeat("x", 1<<c.r.IntN(14)) + `"}}`
}

// read reads what the bridge writes until its end, and checks it.
func (c *hostileClient) read(from io.Reader) {
	lines := jsonrpc.NewReader(from, &jsonrpc.ReaderOptions{MaxDepth: 512, AllowLoneSurrogates: true})
	for {
		m, err := lines.Read()
		if e, bad := errors.AsType[*jsonrpc.LineError](err); bad && e.ID == nil && e.Response {
			continue // an error about a line without a usable id
		} else if bad {
			c.t.Errorf("the bridge wrote a bad line: %v", e)
			continue
		}
		if err != nil {
			return
		}
		c.take(m)
		if c.pace.IntN(50) == 0 {
			time.Sleep(time.Duration(c.pace.IntN(500)) * time.Millisecond)
		}
	}
}

func (c *hostileClient) take(m *jsonrpc.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := string(m.AppendSpan(nil, m.ID))
	switch m.Kind {
	case jsonrpc.KindResponse:
		if _, ok := c.open[id]; !ok {
			c.t.Errorf("a second response, or one to nothing: %s", id)
		}
		delete(c.open, id)
		if !m.Result.IsZero() {
			c.results++
		}
		for w := m.Walk(m.Result); !m.Result.IsZero() && w.Next(); {
			for _, name := range []string{"resultType", "inputRequests", "requestState", "ttlMs", "cacheScope"} {
				if w.NameIs(name) {
					c.t.Errorf("%s reached the client", name)
				}
			}
		}
	case jsonrpc.KindRequest:
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(id, `"b-`), `"`))
		if err != nil || n <= c.newest { // one that was taken back leaves a gap
			c.t.Errorf("the id of a question is %s after %d", id, c.newest)
		}
		c.newest = n
		c.asked++
		c.questions = append(c.questions, id)
	case jsonrpc.KindNotification:
		c.told++
	}
}
