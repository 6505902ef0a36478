package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

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
	busy      bool            // the newest response says so

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
	if !c.quits {
		c.settle()
		c.send(callLine(c.moves, "last", "{}")) // all of its slots are free again
		c.settle()
		c.never = c.waits()
	}
	c.in.Close()
}

// settle waits until every request is answered, for hours.
func (c *hostileClient) settle() {
	for end := time.Now().Add(4 * time.Hour); c.waits() > 0 && time.Now().Before(end); {
		time.Sleep(time.Minute)
	}
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

// reply answers a question, or one that was answered.
func (c *hostileClient) reply() string {
	id := fmt.Sprintf(`"b-%d"`, c.r.IntN(c.newest+1))
	if n := len(c.questions); n > 0 && c.r.IntN(8) > 0 {
		id = c.questions[c.r.IntN(n)]
	}
	c.answered(id)
	switch c.r.IntN(8) {
	case 0:
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-1,"message":"no"}}`
	case 1:
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"`
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept","content":{"type":"text","text":"t"},"roots":[],"role":"assistant","model":"m","x":"` + strings.Repeat("x", 1<<c.r.IntN(14)) + `"}}`
}

// answered says that nobody waits for the answer to a question any more.
func (c *hostileClient) answered(id string) {
	c.questions = slices.DeleteFunc(c.questions, func(q string) bool { return q == id })
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
		c.busy = strings.Contains(string(m.AppendSpan(nil, m.Error)), `"busy"`)
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
		if m.Is(m.Method, "notifications/cancelled") {
			var p struct{ RequestID json.RawMessage }
			_ = json.Unmarshal(m.AppendSpan(nil, m.Params), &p)
			id := string(p.RequestID)
			c.answered(id)
		}
	}
}
