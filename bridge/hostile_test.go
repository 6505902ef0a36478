package bridge

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
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
	err := Run(ctx, Config{Front: Stdio{In: in, Out: out}, Upstream: Link{Stream: near}, Limits: Limits{Limits: mcpwire.Limits{InFlight: 12}}})
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
	if err == nil && !c.quits && (len(c.questions) > 0 || c.busy) {
		t.Errorf("at the end, questions %s wait, and slots are in use: %v", c.questions, c.busy)
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
