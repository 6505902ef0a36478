package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// req: I10, I11
func TestT132(t *testing.T) {
	const cancel = `
		F> {V2,"method":"notifications/cancelled","params":{"requestId":7,"reason":"user"}}`
	for _, tt := range []struct{ name, script string }{
		{"one of two is answered", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"s":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F< {V2,"id":"b-2","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[]}}` + cancel + `
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-2",WITHDRAWN
			F> {V2,"id":"b-2","result":{"roots":[]}}`},
		{"while the retry runs", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}` + cancel + `
			X< {V2,"method":"notifications/cancelled","params":{"requestId":3,"reason":"user"}}
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}`},
		{"naming the question", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"method":"notifications/cancelled","params":{"requestId":"b-1"}}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}`},
		{"the id is free again", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}` + cancel + `
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
			F> {V2,"id":7,"method":"ping"}
			F< {V2,"id":7,"result":{}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := round(t, Options{}, tt.script)
			if used := p.session.core.table.used(); used != 0 && len(p.timers) == 0 {
				t.Errorf("%d slots are in use without a timer", used)
			}
		})
	}
	t.Run("while a result that asks is read", func(t *testing.T) {
		p := round(t, Options{}, `
			! hold
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS},"x":"`+strings.Repeat("x", maxInside)+`"}}`+cancel+`
			! commit`)
		if used := p.session.core.table.used(); used != 0 {
			t.Errorf("%d slots are in use", used)
		}
	})
	t.Run("while an answer is read", func(t *testing.T) {
		p := round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"s":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F< {V2,"id":"b-2","method":"roots/list"}
			! hold
			F> {V2,"id":"b-1","result":{"roots":[],"x":"`+strings.Repeat("x", maxInside)+`"}}`+cancel+`
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-2",WITHDRAWN
			! commit`)
		if used := p.session.core.table.used(); used != 0 {
			t.Errorf("%d slots are in use", used)
		}
	})
}

// A result that asks, and ends the request for what is wrong with it, leaves no slot in
// use, whether it is read at once or outside.
func TestT113LeavesNothing(t *testing.T) {
	for _, x := range []string{"", strings.Repeat("x", maxInside)} {
		for _, tt := range []struct{ name, input, end string }{
			{"an unknown method", `"inputRequests":{"a":{"method":"x","params":{}}}`, `REFUSED,"detail":"a"}}}`},
			{"a key that stands twice", `"inputRequests":{"a":ROOTS,"a":ROOTS}`, `NOTVALID`},
			{"neither", `"inputRequests":null`, `NOTVALID`},
			{"a state that is too large", `"requestState":"` + strings.Repeat("s", 64<<10) + `"`, `TOOMUCH}}}`},
		} {
			t.Run(fmt.Sprintf("%s, %d bytes more", tt.name, len(x)), func(t *testing.T) {
				p := round(t, Options{}, `
					U> {V2,"id":2,ASKS`+tt.input+`,"x":"`+x+`"}}
					F< {V2,"id":7,`+tt.end)
				if table := p.session.core.table; table.used() != 0 || table.held != 0 || len(p.timers) != 0 {
					t.Errorf("%d slots are in use, %d bytes are held, timers %v run", table.used(), table.held, p.timers)
				}
			})
		}
	}
}

func TestT133(t *testing.T) {
	round(t, Options{}, `
		F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
		U< {V2,"id":3,CALLEDMETA}}
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-2","method":"roots/list"}
		F> {V2,"id":"b-2","result":{"roots":[{"uri":"file:///2"}]}}
		U< {V2,"id":4,CALLED"inputResponses":{"r":{"roots":[{"uri":"file:///2"}]}},META}}
		F> {V2,"id":"b-1","result":{"roots":[{"uri":"file:///1"}]}}
		U< {V2,"id":5,CALLED"inputResponses":{"r":{"roots":[{"uri":"file:///1"}]}},META}}
		U> {V2,"id":5,"result":{"content":[]}}
		F< {V2,"id":7,FINAL
		U> {V2,"id":4,"result":{"content":[]}}
		F< {V2,"id":8,FINAL`)
}

func TestT21Rounds(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"questions wait", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			! end
			! fire drain
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN`},
		{"a pause", `
			U> {V2,"id":2,ASKS"requestState":"s"}}
			! end
			! fire drain`},
		{"a pause that ends first", `
			U> {V2,"id":2,ASKS"requestState":"s"}}
			! wait 200ms
			! end
			! fire request
			U< {V2,"id":3,CALLED"requestState":"s",META}}
			U> {V2,"id":3,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"questions come after the end", `
			! end
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":7,FAILED}}}`},
		{"questions were being read at the end", `
			! hold
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS},"x":"` + strings.Repeat("x", maxInside) + `"}}
			! end
			! commit
			F< {V2,"id":7,FAILED}}}`},
		{"a state alone was being read at the cancellation", `
			! hold
			U> {V2,"id":2,ASKS"requestState":"s","x":"` + strings.Repeat("x", maxInside) + `"}}
			! end
			! fire drain
			! commit
			F< {V2,"id":7,FAILED}}}`},
		{"an answer was being read at the cancellation", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			! hold
			F> {V2,"id":"b-1","result":{"roots":[],"x":"` + strings.Repeat("x", maxInside) + `"}}
			! end
			! fire drain
			! commit`},
		{"questions come after the cancellation", `
			! end
			! fire drain
			X< {V2,"method":"notifications/cancelled","params":{"requestId":2}}
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := round(t, Options{}, tt.script)
			if used := p.session.core.table.used(); used != 0 || !p.ended || len(p.timers) != 0 {
				t.Errorf("%d slots are in use; the upstream's input ended: %v; timers %v run", used, p.ended, p.timers)
			}
		})
	}
	t.Run("questions that wait for their turn", func(t *testing.T) {
		p := round(t, Options{Limits: Limits{InputBurst: 1, InputRate: 10, Inputs: 1, Drain: time.Hour}}, `
			F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":3,CALLEDMETA}}
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			! end
			! fire request
			F< {V2,"id":7,FAILED}}}`)
		if used := p.session.core.table.used(); used != 1 {
			t.Errorf("%d slots are in use, want 1", used)
		}
	})
	t.Run("a call that is cancelled has no timer any more", func(t *testing.T) {
		p := round(t, Options{}, `
			! end
			! fire drain
			X< {V2,"method":"notifications/cancelled","params":{"requestId":2}}`)
		if len(p.timers) != 0 {
			t.Errorf("timers %v run", p.timers)
		}
	})
}

func TestT100Rounds(t *testing.T) {
	round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		! lost upstream_exited
		W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
		F< {V2,"id":7,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}
		F> {V2,"id":"b-1","result":{"roots":[]}}`)
}

// What rounds hold counts against the budget of held bytes until the request ends.
func TestHeldBytesOfRounds(t *testing.T) {
	large := strings.Repeat("x", 3000)
	t.Run("an answer", func(t *testing.T) {
		p := round(t, Options{Limits: Limits{Held: 3000}}, `
			U> {V2,"id":2,ASKS"inputRequests":{"m":MODEL}}}
			F< {V2,"id":"b-1","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}
			F> {V2,"id":"b-1","result":{"role":"assistant","model":"m","content":{"type":"text","text":"`+large+`"}}}
			F< {V2,"id":7,TOOMUCH,"detail":"m"}}}`)
		if held := p.session.core.table.held; held != 0 {
			t.Errorf("%d bytes are held", held)
		}
	})
	t.Run("questions", func(t *testing.T) {
		round(t, Options{Limits: Limits{Held: 3000}}, `
			U> {V2,"id":2,ASKS"requestState":"`+large+`","inputRequests":{"m":MODEL}}}
			F< {V2,"id":7,TOOMUCH}}}`)
	})
	t.Run("only those of the newest round", func(t *testing.T) {
		var rounds strings.Builder
		for n := range 3 {
			fmt.Fprintf(&rounds, `
			U> {V2,"id":%d,ASKS"inputRequests":{"m":MODEL}}}
			F< {V2,"id":"b-%d","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}
			F> {V2,"id":"b-%[2]d","result":{"role":"assistant","model":"m","content":{"type":"text","text":"%s"}}}
			U< {V2,"id":%d,CALLED"inputResponses":{"m":{"role":"assistant","model":"m","content":{"type":"text","text":"%[3]s"}}},META}}`, n+2, n+1, large, n+3)
		}
		round(t, Options{Limits: Limits{Held: 5000}}, rounds.String())
	})
	t.Run("until the end", func(t *testing.T) {
		p := round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"m":MODEL}}}
			F< {V2,"id":"b-1","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}
			F> {V2,"id":"b-1","result":{"role":"assistant","model":"m","content":{"type":"text","text":"`+large+`"}}}
			U< {V2,"id":3,CALLED"inputResponses":{"m":{"role":"assistant","model":"m","content":{"type":"text","text":"`+large+`"}}},META}}
			U> {V2,"id":3,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`)
		if held := p.session.core.table.held; held != 0 {
			t.Errorf("%d bytes are held", held)
		}
	})
}

// A shape that is handed in twice does not end what goes on.
func TestShapedTwice(t *testing.T) {
	p := round(t, Options{}, `
		! hold
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS},"x":"`+strings.Repeat("x", maxInside)+`"}}`)
	twice := p.held[0]
	p.play(roundWords.Replace(`
		! commit
		F< {V2,"id":"b-1","method":"roots/list"}`))
	var out Steps
	p.session.Shaped(p.now, twice, &out)
	p.carryOut(&out)
	p.play(roundWords.Replace(`
		F> {V2,"id":"b-1","result":{"roots":[]}}
		U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}`))
}
