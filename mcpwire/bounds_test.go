package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each limit holds where it is set to, and one over it is over.
func TestLimitsThatAreSet(t *testing.T) {
	const n = 3
	values := func(n int) string { return strings.TrimSuffix(strings.Repeat(`"v",`, n), ",") }
	for _, tt := range []struct {
		name   string
		limits Limits
		passes func(p *player, count int) int // plays count of what is limited, and tells how many passed
	}{
		{"log messages at once", Limits{LogBurst: n, LogRate: 1}, func(p *player, count int) int {
			p.play(warningSet)
			for range count {
				p.input("U>", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}`)
			}
			return len(p.wrote)
		}},
		{"progress at once", Limits{ProgressBurst: n, ProgressRate: 1}, func(p *player, count int) int {
			p.input("F>", watchedCall)
			p.wrote = nil
			for i := range count {
				p.input("U>", progressUp(i))
			}
			return len(p.wrote)
		}},
		{"values of a completion", Limits{Completions: n}, func(p *player, count int) int {
			p.input("F>", complete)
			p.wrote = nil
			p.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"completion":{"values":[`+values(count)+`]}}}`)
			return strings.Count(p.wrote[0], `"v"`)
		}},
		{"requests in flight", Limits{InFlight: n}, func(p *player, count int) int {
			for i := range count {
				p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i))
			}
			return strings.Count(strings.Join(p.wrote, ""), "U< ")
		}},
		{"pages of a walk", Limits{Pages: n}, func(p *player, count int) int {
			passed, cursor := 1, ``
			for i := 1; i <= count && strings.Contains(p.page(i+1, cursor, fmt.Sprintf(`"c%d"`, i)), "nextCursor"); i++ {
				passed, cursor = i+1, fmt.Sprintf(`"c%d"`, i)
			}
			return min(passed, count)
		}},
	} {
		for _, count := range []int{n - 1, n, n + 1} {
			t.Run(fmt.Sprintf("%s: %d", tt.name, count), func(t *testing.T) {
				p := opened(t, Options{Limits: tt.limits})
				if got, want := tt.passes(p, count), min(count, n); got != want {
					t.Errorf("%d of %d pass, want %d", got, count, want)
				}
			})
		}
	}
}

const watchedCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"k"}}}`

// What is over the rate has to wait for as long as the rate that is set says.
func TestRatesThatAreSet(t *testing.T) {
	p := opened(t, Options{Limits: Limits{ProgressBurst: 1, ProgressRate: 4, LogBurst: 1, LogRate: 4}})
	p.input("F>", watchedCall)
	p.wrote = nil
	start := p.now
	p.play(`U> ` + progressUp(1) + `
		` + progressFront(1) + `
		U> ` + progressUp(2) + `
		! fire progress
		` + progressFront(2))
	if got, want := p.now.Sub(start), 250*time.Millisecond; got != want {
		t.Errorf("progress is held back for %v, want %v", got, want)
	}
	logged := message(`"level":"error","data":1`)
	front := `
		F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}`
	p.play(warningSet + logged + front + `
		! wait 249ms` + logged + `
		! wait 1ms` + logged + front)
}

// The bytes of all messages that are held have a limit: what the caller holds, the
// requests in flight, and the one that comes (W01).
//
// req: W01
func TestHeldBytes(t *testing.T) {
	const (
		busy  = `"error":{"code":-32603,"message":"Too many requests are in flight.","data":{"cause":"busy"}}}`
		first = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		next  = `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`
	)
	for _, over := range []int{-1, 0, 1} {
		t.Run(fmt.Sprint(over), func(t *testing.T) {
			const waiting = 1000
			p := opened(t, Options{Limits: Limits{Held: waiting + len(first) + len(next)}})
			p.play(`
				F> ` + first + `
				U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}`)
			p.session.Waiting(waiting + over)
			if over <= 0 {
				p.play(`
				F> ` + next + `
				U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{META}}`)
				return
			}
			p.play(`
				F> ` + next + `
				F< {"jsonrpc":"2.0","id":2,` + busy + `
				F> {"jsonrpc":"2.0","id":"p","method":"ping"}
				F< {"jsonrpc":"2.0","id":"p","result":{}}
				F> {"jsonrpc":"2.0","id":"s","method":"logging/setLevel","params":{"level":"info"}}
				F< {"jsonrpc":"2.0","id":"s","result":{}}
				F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
				X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
				F> ` + next + `
				U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + meta + `,"io.modelcontextprotocol/logLevel":"info"}}}
				U> {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
				F< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`)
			if got := p.session.core.table.held; got != 0 {
				t.Errorf("%d bytes are held at the end", got)
			}
		})
	}
}

// Texts of one side that the other one gets, or an error repeats, have bounds; what is
// over them is left out.
func TestBoundsOfTexts(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) } // of n bytes
	for _, over := range []int{-1, 0, 1} {
		kept := func(s string) string {
			if over > 0 {
				return ``
			}
			return s
		}
		t.Run(fmt.Sprintf("the reason of a cancellation: %d", over), func(t *testing.T) {
			reason := `"` + text(4096-2+over) + `"`
			opened(t, Options{}).play(called + `
				F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":` + reason + `}}
				X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2` + kept(`,"reason":`+reason) + `}}`)
		})
		t.Run(fmt.Sprintf("the message of progress: %d", over), func(t *testing.T) {
			message := `"` + text(4096-2+over) + `"`
			watched(t, `"k"`).play(`
				U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"message":` + message + `}}
				F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":1` + kept(`,"message":`+message) + `}}`)
		})
		t.Run(fmt.Sprintf("the total of progress: %d", over), func(t *testing.T) {
			total := `1` + strings.Repeat("0", 256-1+over)
			watched(t, `"k"`).play(`
				U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":` + total + `}}
				F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":1` + kept(`,"total":`+total) + `}}`)
		})
		t.Run(fmt.Sprintf("the value of progress: %d", over), func(t *testing.T) {
			value := `1` + strings.Repeat("0", 256-1+over)
			watched(t, `"k"`).play(`
				U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":` + value + `}}
				` + kept(`F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":`+value+`}}`))
		})
		t.Run(fmt.Sprintf("a key of _meta: %d", over), func(t *testing.T) {
			key := `"vscode.` + text(256-len(`"vscode."`)+over) + `"`
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{` + key + `:1,"vscode.a":2}}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + kept(`,`+key+`:1`) + `,"vscode.a":2}}}`)
		})
		t.Run(fmt.Sprintf("_meta of a request: %d", over), func(t *testing.T) {
			const head, tail = `{"vscode.a":2,"x":"`, `"}`
			value := head + text(maxFrontMeta-len(head+tail)+over) + tail
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":` + value + `}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + kept(`,"vscode.a":2`) + `}}}`)
		})
		t.Run(fmt.Sprintf("a traceparent: %d", over), func(t *testing.T) {
			const head = `"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-`
			parent := `"traceparent":` + head + text(256-len(head)-1+over) + `"`
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{` + parent + `}}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + kept(`,`+parent) + `}}}`)
		})
		t.Run(fmt.Sprintf("a version that is no text: %d", over), func(t *testing.T) {
			version := `[` + strings.Repeat(" ", 64-2+over) + `]`
			newPlayer(t, Options{}).play(`
				F> ` + strings.Replace(initialize, `"2025-11-25"`, version, 1) + `
				F< {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params","supported":["2024-11-05","2025-03-26","2025-06-18","2025-11-25"]` + kept(`,"requested":`+version) + `}}}`)
		})
		t.Run(fmt.Sprintf("a list of versions: %d", over), func(t *testing.T) {
			list := `["` + text(1024-4+over) + `"]`
			newPlayer(t, Options{}).play(discoverFirst + `
				U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":` + list + `}}
				F< {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"The server speaks no protocol revision that the bridge knows.","data":{"cause":"unsupported_protocol_version"` + kept(`,"supported":`+list) + `}}}`)
		})
	}
}

// The members of _meta that pass go with every method; one bad key among them fails
// nothing, and a key of the bridge stays its own.
//
// req: W10
func TestW10EveryMethod(t *testing.T) {
	const parent = `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`
	for name := range forwarded() {
		p := opened(t, Options{})
		p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"`+name+`","params":{"_meta":{"vscode.":1,"io.modelcontextprotocol/clientInfo":{"name":"x"},"io.modelcontextprotocol/\u0063lientCapabilities":{"sampling":{}},"vscode.a":1,"vscode.modelcontextprotocol/x":1,`+parent+`,"baggage":"x","tracestate":"a=1"},`+anyParams[1:]+`}`)
		want := meta + `,"vscode.a":1,` + parent + `,"tracestate":"a=1"}}}`
		if len(p.wrote) != 1 || !strings.HasPrefix(p.wrote[0], "U< ") || !strings.HasSuffix(p.wrote[0], want) || strings.Count(p.wrote[0], "clientInfo") != 1 {
			t.Errorf("%s wrote %q, want it to end with %s", name, p.wrote, want)
		}
	}
}
