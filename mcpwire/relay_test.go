package mcpwire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// passing returns a player whose front is of the revision of the server.
func passing(t testing.TB) *player {
	t.Helper()
	p := newPlayer(t, embedded())
	p.play(`
		F> {"jsonrpc":"2.0","id":"first","method":"tools/list"}
		U< {"jsonrpc":"2.0","id":1,"method":"tools/list"}
		U> {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}
		F< {"jsonrpc":"2.0","id":"first","result":{"resultType":"complete","tools":[]}}`)
	p.log = nil
	return p
}

// Nothing changes but ids: what the front or the upstream write stays to the byte.
//
// req: E04
func TestRelayPassesLinesAsTheyAre(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"members in another order, with spaces", `
			F> { "params" : {"b" : 1.50, "a":"\u0041"}, "method":"x\/y" , "id" : "\u0061" ,"jsonrpc":"2.0" }
			U< { "params" : {"b" : 1.50, "a":"\u0041"}, "method":"x\/y" , "id" : 2 ,"jsonrpc":"2.0" }
			U> {"result":{"ttlMs":1,"_meta":{"x":1}, "n":1e400},"id":2,"jsonrpc":"2.0"}
			F< {"result":{"ttlMs":1,"_meta":{"x":1}, "n":1e400},"id":"\u0061","jsonrpc":"2.0"}`},
		{"an error", `
			F> {"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"t"}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}}
			F< {"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}}`},
		{"a request that asks", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
			U> {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"s"}}
			F< {"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"s"}}
			F> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"t","inputResponses":{"r":{"roots":[]}},"requestState":"s"}}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","inputResponses":{"r":{"roots":[]}},"requestState":"s"}}`},
		{"progress and log messages", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":7}}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":7}}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
			U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`},
		{"a notification of the front", `
			F> {"jsonrpc":"2.0","method":"x/y","params":{"a":1}}
			U< {"jsonrpc":"2.0","method":"x/y","params":{"a":1}}`},
		{"ping is a method like others", `
			F> {"jsonrpc":"2.0","id":7,"method":"ping"}
			U< {"jsonrpc":"2.0","id":2,"method":"ping"}
			U> {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}`},
		{"a stream of notifications", `
			F> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}
			U< {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}
			U> {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2,"x":1},"notifications":{"toolsListChanged":true}}}
			F< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l","x":1},"notifications":{"toolsListChanged":true}}}
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
			F< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
			U> {"jsonrpc":"2.0","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}},"id":2}
			F< {"jsonrpc":"2.0","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"l"}},"id":"l"}
			U> {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`},
		{"a stream that the server cancels", `
			F> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{}}
			U< {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{}}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"r","requestId":2}}
			F< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"r","requestId":"l"}}
			U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
			U> {"jsonrpc":"2.0","id":2,"result":{}}`},
		{"what is not of the revision goes nowhere", `
			F> {"jsonrpc":"2.0","id":"b-1","result":{}}
			U> {"jsonrpc":"2.0","id":1,"method":"roots/list"}
			U> {"jsonrpc":"2.0","id":99,"result":{}}`},
		{"an id that is in flight", `
			F> {"jsonrpc":"2.0","id":7,"method":"x/y"}
			U< {"jsonrpc":"2.0","id":2,"method":"x/y"}
			F> {"jsonrpc":"2.0","id":7,"method":"x/y"}
			F< {"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}`},
		{"a broken answer", `
			F> {"jsonrpc":"2.0","id":7,"method":"x/y"}
			U< {"jsonrpc":"2.0","id":2,"method":"x/y"}
			U> {"jsonrpc":"2.0","id":2,"result":{}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`},
		{"the server is lost", `
			F> {"jsonrpc":"2.0","id":7,"method":"x/y"}
			U< {"jsonrpc":"2.0","id":2,"method":"x/y"}
			! lost upstream_closed
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server has closed its output.","data":{"cause":"upstream_closed"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { passing(t).play(tt.script) })
	}
}

// What would have to be searched for long inside the lock of the caller does not pass.
func TestRelayOfLongNotifications(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	p := passing(t)
	p.play(`
		F> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{}}
		U< {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{}}
		U> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"` + long + `"}}
		U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1,"_meta":{"x":"` + long + `"}}}
		U> {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + long + `"}}
		F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + long + `"}}`)
	if got := p.logged(EventDropped, "N04"); got != 2 {
		t.Errorf("%d notifications were dropped for their length, want 2", got)
	}
}

// The log names methods of the protocol alone.
func TestRelayNamesNoMethodOfAnother(t *testing.T) {
	p := passing(t)
	p.play(`
		F> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"tools/list"}
		U> {"jsonrpc":"2.0","id":2,"result":{}}
		F< {"jsonrpc":"2.0","id":7,"result":{}}
		F> {"jsonrpc":"2.0","id":7,"method":"private/one"}
		U< {"jsonrpc":"2.0","id":3,"method":"private/one"}
		U> {"jsonrpc":"2.0","id":3,"result":{}}
		F< {"jsonrpc":"2.0","id":7,"result":{}}`)
	var got []string
	for _, e := range p.log {
		got = append(got, e.Method)
	}
	if len(got) != 2 || got[0] != "tools/list" || got[1] != "" {
		t.Errorf("the log names %q, want tools/list and nothing", got)
	}
}

// A call of a front of the server's own revision allocates nothing, either.
func TestRelayedCallAllocatesNothing(t *testing.T) {
	p := passing(t)
	call := parse(t, `{"jsonrpc":"2.0","id":"7b0e3a52-9f6f-4a57-8a0e-2f3c35e0a4d1","method":"tools/call","params":{"name":"deploy","arguments":{"env":"prod"}}}`)
	const runs = 100
	var answers []*jsonrpc.Message
	for i := range runs + 1 {
		answers = append(answers, parse(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[]}}`, i+2)))
	}
	var out Steps
	line := make([]byte, 0, 4096)
	next := 0
	got := testing.AllocsPerRun(runs, func() {
		out.Reset()
		p.session.FromFront(p.now, call, &out)
		line = out.ToUpstream[0].AppendTo(line[:0])
		out.Reset()
		p.session.FromUpstream(p.now, 0, answers[next], &out)
		line = out.ToFront[0].AppendTo(line[:0])
		next++
	})
	if got != 0 {
		t.Errorf("a relayed call allocates %v times, want 0", got)
	}
	if want := `{"jsonrpc":"2.0","id":"7b0e3a52-9f6f-4a57-8a0e-2f3c35e0a4d1","result":{"resultType":"complete","content":[]}}`; string(line) != want {
		t.Errorf("the front got\n%s\nwant\n%s", line, want)
	}
}

// FuzzRelay gives a session any lines of a front of the server's own revision, and of the
// server. Each line passes once at most. The front gets the ids of its own that it waits
// for, the server those that the session has given.
func FuzzRelay(f *testing.F) {
	f.Add("F" + listTools + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`)
	f.Add("F" + `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{}}` + "\nU" + `{"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}},"id":2,"jsonrpc":"2.0"}`)
	f.Add("F" + `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen"}` + "\nU" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"requestId":3}}`)
	f.Add("F" + `{"jsonrpc":"2.0","id":1,"method":"x"}` + "\nF" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\nU" + `{"jsonrpc":"2.0","id":2,"error":{}}`)
	f.Add("F[]\nU[]\nF{\nU{\nF" + `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\nU" + `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	f.Fuzz(func(t *testing.T, script string) {
		p := passing(t)
		for line := range strings.SplitSeq(script, "\n") {
			side, ok := map[string]Side{"F": Front, "U": Upstream}[line[:min(1, len(line))]]
			if ok && strings.Trim(line[1:], " \t\r\ufeff") != "" {
				p.relayLine(side, line[1:])
			}
		}
		var out Steps
		p.session.Lost(p.now, CauseUpstreamClosed, &out)
		if n := p.session.core.table.used(); n != 0 {
			t.Errorf("%d requests are in flight behind the end", n)
		}
	})
}

// relayLine checks what comes of a line of side.
func (p *player) relayLine(side Side, text string) {
	open := map[string]bool{}
	p.session.core.table.each(func(s *slot) { open[string(s.front)] = true })
	var out Steps
	p.line(side, text, &out)
	toFront, toUpstream := slices.Clone(out.ToFront), slices.Clone(out.ToUpstream)
	p.carryOut(&out)
	p.wrote = nil
	if len(toFront)+len(toUpstream) > 1 || side == Upstream && len(toUpstream) > 0 {
		p.t.Errorf("%q gave %d lines for the front and %d for the server", text, len(toFront), len(toUpstream))
	}
	for _, f := range toUpstream {
		if f.Msg != nil && f.Msg.Kind == jsonrpc.KindRequest && p.session.core.table.ofUpstream(f.Exchange) == nil {
			p.t.Errorf("%q passed under an id that nobody waits for", text)
		}
	}
	for _, f := range toFront {
		m, err := jsonrpc.Parse(f.AppendTo(nil), &jsonrpc.ReaderOptions{MaxDepth: 512, AllowLoneSurrogates: true})
		if err == nil && side == Upstream && m.Kind == jsonrpc.KindResponse && !open[string(m.AppendSpan(nil, m.ID))] {
			p.t.Errorf("the front got an answer that it does not wait for: %s", f.AppendTo(nil))
		}
	}
}
