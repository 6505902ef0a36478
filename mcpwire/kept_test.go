package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// sizedCall is a call with an argument of n bytes.
func sizedCall(n int) string {
	return `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"t","arguments":{"a":"` + strings.Repeat("x", n) + `"},"_meta":{"progressToken":"k","vscode.x":1}}}`
}

// A request of any length is kept until it ends, and goes out again as it was, with
// everything that it carried.
func TestT17EveryLength(t *testing.T) {
	for _, n := range []int{1, 4 << 10, 60 << 10, 64 << 10, 1 << 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := opened(t, Options{})
			up := func(id int) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","arguments":{"a":"%s"},%s,"io.modelcontextprotocol/logLevel":"warning","progressToken":%d,"vscode.x":1}}}`, id, strings.Repeat("x", n), meta, id)
			}
			p.play(warningSet + `
				F> ` + sizedCall(n) + `
				U< ` + up(2) + `
				U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
				U< ` + up(3) + `
				U> {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
				F< {"jsonrpc":"2.0","id":"x","result":{"content":[]}}`)
			if got := p.session.core.table.held; got != 0 {
				t.Errorf("%d bytes are held after the answer", got)
			}
		})
	}
}

// Progress starts anew with the second sending, but the front sees no value twice.
//
// req: W14
func TestT141SentAgain(t *testing.T) {
	p := opened(t, Options{})
	p.input("F>", watchedCall)
	p.wrote = nil
	p.play(`
		U> ` + progressUp(5) + `
		` + progressFront(5) + `
		U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t",` + meta + `,"progressToken":3}}}
		U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}
		U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":5}}
		U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":9}}
		U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":6}}
		` + progressFront(6))
}

// The chunks of a big request are held until it ends, and no longer.
func TestBigRequestIsHeld(t *testing.T) {
	p := opened(t, Options{})
	r := jsonrpc.NewReader(strings.NewReader(sizedCall(1<<20)+"\n\n"), &jsonrpc.ReaderOptions{Members: Members()})
	m, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	var out Steps
	p.session.FromFront(p.now, m, &out)
	if _, err := r.Read(); err == nil {
		t.Fatal("there is a second message")
	}
	m.Hold() // panics if the session does not hold it
	m.Release()
	if got, want := p.session.core.table.held, m.Len(); got != want {
		t.Errorf("%d bytes are held, want %d", got, want)
	}
	out.Reset()
	p.session.FromUpstream(p.now, 0, parse(t, `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`), &out)
	defer func() {
		if recover() == nil {
			t.Error("the request is held after its end")
		}
	}()
	m.Hold()
}

// Requests of every length are kept without an allocation.
func TestKeptRequestAllocatesNothing(t *testing.T) {
	for _, size := range []int{3 << 10, 5 << 10, 20 << 10, 60 << 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			const runs, atOnce = 20, 4
			p := opened(t, Options{})
			var calls [atOnce]*jsonrpc.Message
			for i := range calls {
				calls[i] = parse(t, strings.Replace(sizedCall(size), `"x"`, fmt.Sprint(i), 1))
			}
			var answers []*jsonrpc.Message
			for i := range (runs + 1) * atOnce {
				answers = append(answers, parse(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, i+2)))
			}
			var out Steps
			next, now := 0, time.Unix(1_800_000_000, 0)
			got := testing.AllocsPerRun(runs, func() {
				for _, call := range calls {
					out.Reset()
					p.session.FromFront(now, call, &out)
				}
				for range calls {
					out.Reset()
					p.session.FromUpstream(now, 0, answers[next], &out)
					next++
				}
			})
			if got != 0 {
				t.Errorf("%d calls of %d bytes allocate %v times, want 0", atOnce, size, got)
			}
		})
	}
}

// After many long requests at once, only some of their memory is kept.
func TestMemoryKeptOfRequests(t *testing.T) {
	p := opened(t, Options{})
	for i := range maxInFlight {
		p.input("F>", strings.Replace(sizedCall(60<<10), `"x"`, fmt.Sprint(i), 1))
	}
	for i := range maxInFlight {
		p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, i+2))
	}
	kept := 0
	for _, b := range p.session.core.table.spares {
		kept += cap(b)
	}
	for i := range p.session.core.table.slots {
		kept += cap(p.session.core.table.slots[i].request.line)
	}
	if most := maxSpares*2*maxSpare + maxInFlight*maxKept; kept > most {
		t.Errorf("%d bytes are kept, want at most %d", kept, most)
	}
	if got := len(p.session.core.table.spares); got != maxSpares {
		t.Errorf("%d spare copies are kept, want %d", got, maxSpares)
	}
}

// A request goes out again whatever reader it came from: one that takes more than those
// of the front usually do, too.
func TestT17EveryReader(t *testing.T) {
	deep := strings.Repeat("[", 500) + strings.Repeat("]", 500)
	for name, argument := range map[string]string{"lone surrogates": `"\ud800"`, "depth": deep} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, Options{})
			m, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"a":`+argument+`}}}`),
				&jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true})
			if err != nil {
				t.Fatal(err)
			}
			var out Steps
			p.session.FromFront(p.now, m, &out)
			p.carryOut(&out)
			p.wrote = nil
			p.play(`
				U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
				U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"a":` + argument + `},META}}`)
		})
	}
}

// A line that a reader took which does not record what the session reads ends as a
// request that is not valid.
func TestT17OtherReader(t *testing.T) {
	p := opened(t, Options{})
	m, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{},"_meta":{}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.input("F>", callTool)
	s := p.session.core.table.ofFront([]byte("7"))
	s.request.keep(m, &p.session.core.table.spares)
	p.wrote = nil
	p.play(`
		U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`)
}
