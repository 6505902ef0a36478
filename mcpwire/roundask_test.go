package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// req: I10
func TestT119(t *testing.T) {
	for _, tt := range []struct{ name, entry, asks string }{
		{"members of a form", `{"x":1,"method":"elicitation/create","params":{"task":{},"_meta":{},"requestedSchema":{"type":"object","properties":{"a":{"type":"boolean"}}},"extra":1,"message":"é","mode":"form"}}`,
			`"method":"elicitation/create","params":{"mode":"form","message":"é","requestedSchema":{"type":"object","properties":{"a":{"type":"boolean"}}}}}`},
		{"a form without a mode", `{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"boolean"}}}}}`,
			`"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"boolean"}}}}}`},
		{"members of a URL", `{"method":"elicitation/create","params":{"elicitationId":"mine","_meta":{},"url":"https://a.example/x","message":"Open","mode":"url"}}`, `VISIT`},
		{"roots with parameters", `{"method":"roots/list","params":{"_meta":{"a":1}}}`, `"method":"roots/list"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, `
				U> {V2,"id":2,ASKS"inputRequests":{"k":`+tt.entry+`}}}
				F< {V2,"id":"b-1",`+tt.asks)
		})
	}
	t.Run("the ids are never used again", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"s":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F< {V2,"id":"b-2","method":"roots/list"}
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-2",WITHDRAWN
			F> {V2,"id":7,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":3,CALLEDMETA}}
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-3","method":"roots/list"}`)
	})
}

func TestT12Questions(t *testing.T) {
	early := strings.Replace(handshake, `F> {"method":"notifications/initialized","jsonrpc":"2.0"}`, ``, 1)
	begin := func(t *testing.T) *player {
		p := newPlayer(t, Options{Rand: zeros{}})
		p.play(early + roundWords.Replace(roundCall+`
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}`))
		return p
	}
	t.Run("they wait for initialized", func(t *testing.T) {
		begin(t).play(roundWords.Replace(`
			! wait 29s
			F> {V2,"method":"notifications/initialized"}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"method":"notifications/initialized"}`))
	})
	t.Run("but not for ever", func(t *testing.T) {
		p := begin(t)
		from := p.now
		p.play(roundWords.Replace(`
			! fire request
			F< {V2,"id":7,"error":{"code":-32600,"message":"The session is not initialized.","data":{"cause":"not_initialized"}}}
			F> {V2,"method":"notifications/initialized"}`))
		if got := p.now.Sub(from); got != 30*time.Second {
			t.Errorf("after %v, want 30s", got)
		}
	})
	t.Run("cancelled before", func(t *testing.T) {
		begin(t).play(roundWords.Replace(`
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			F> {V2,"method":"notifications/initialized"}`))
	})
}

// req: I06
func TestT120(t *testing.T) {
	p := round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"s":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		F< {V2,"id":"b-2","method":"roots/list"}
		F> {V2,"id":"b-1","result":{"roots":[]}}`)
	from := p.now
	p.play(roundWords.Replace(`
		! fire request
		W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-2",WITHDRAWN
		F< {V2,"id":7,"error":{"code":-32603,"message":"The input that the server asked for was not given in time.","data":{"cause":"input_timeout"}}}
		F> {V2,"id":"b-2","result":{"roots":[]}}`))
	if got := p.now.Sub(from); got != time.Hour {
		t.Errorf("after %v, want an hour", got)
	}
	for _, tt := range []struct {
		request string
		want    time.Duration
	}{{callTool, time.Hour}, {readMemo, time.Hour}, {getPrompt, time.Hour}} {
		p := opened(t, Options{})
		p.input("F>", tt.request)
		p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}`))
		p.input("F>", `{"jsonrpc":"2.0","id":"b-1","result":{"roots":[]}}`)
		timer, ok := p.next(TimerRequest)
		if got := timer.At.Sub(p.now); !ok || got != tt.want {
			t.Errorf("%s: the answer to the second round has %v, want %v", tt.request, got, tt.want)
		}
	}
}

// req: I17
func TestI17(t *testing.T) {
	const empty = `{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}`
	t.Run("Visual Studio Code", func(t *testing.T) {
		round(t, Options{Profile: VSCode}, `
			U> {V2,"id":2,ASKS"inputRequests":{"f":`+empty+`}}}
			F< {V2,"id":"b-1","method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{"next":{"type":"string","title":"Next","enum":["Continue"],"default":"Continue"}},"required":["next"]}}}
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"next":"Continue"}}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"accept","content":{}}},META}}`)
		round(t, Options{Profile: VSCode}, `
			U> {V2,"id":2,ASKS"inputRequests":{"f":`+empty+`}}}
			F< {V2,"id":"b-1","method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{"next":{"type":"string","title":"Next","enum":["Continue"],"default":"Continue"}},"required":["next"]}}}
			F> {V2,"id":"b-1","result":{"action":"cancel"}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"cancel"}},META}}`)
	})
	t.Run("what is empty cannot be what a form requires", func(t *testing.T) {
		round(t, Options{Profile: VSCode}, `
			U> {V2,"id":2,ASKS"inputRequests":{"f":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{},"required":["x"]}}}}}}
			F< {V2,"id":"b-1","method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{"next":{"type":"string","title":"Next","enum":["Continue"],"default":"Continue"}},"required":["next"]}}}
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"next":"Continue"}}}
			F< {V2,"id":7,FAILED,"detail":"f"}}}`)
	})
	t.Run("strict", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"f":`+empty+`}}}
			F< {V2,"id":"b-1","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"next":"Continue"}}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"accept","content":{}}},META}}`)
	})
}

// req: I13
func TestI13Rate(t *testing.T) {
	p := round(t, Options{}, ``)
	asked := 0
	count := func() int {
		asked += len(p.wrote)
		p.wrote = nil
		return asked
	}
	p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":`+ask(16)+`}}`))
	for id := 3; id <= 5; id++ {
		p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}`, id+10))
	}
	p.wrote = p.wrote[:16] // without the calls
	if got := count(); got != 16 {
		t.Fatalf("%d questions at once, want 16", got)
	}
	p.input("U>", roundWords.Replace(`{V2,"id":3,ASKS"inputRequests":`+ask(4)+`}}`))
	if got := count(); got != 20 {
		t.Errorf("%d questions at once, want 20", got)
	}
	p.input("U>", roundWords.Replace(`{V2,"id":4,ASKS"inputRequests":`+ask(1)+`}}`))
	p.input("U>", roundWords.Replace(`{V2,"id":5,ASKS"inputRequests":`+ask(3)+`}}`))
	if got := count(); got != 20 {
		t.Errorf("%d questions over the rate, want 20", got)
	}
	from := p.now
	p.input("!", "fire request")
	if got := count(); got != 21 || p.now.Sub(from) != 100*time.Millisecond {
		t.Errorf("%d questions after %v, want 21 after 100ms", got, p.now.Sub(from))
	}
	p.input("!", "fire request")
	if got := count(); got != 24 || p.now.Sub(from) != 400*time.Millisecond {
		t.Errorf("%d questions after %v, want 24 after 400ms", got, p.now.Sub(from))
	}
	t.Run("a round that was sent has had its turn", func(t *testing.T) {
		round(t, Options{Limits: Limits{Inputs: 1, InputBurst: 1}}, `
			F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":3,CALLEDMETA}}
			F> {V2,"id":9,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":4,CALLEDMETA}}
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}
			! fire request
			F< {V2,"id":"b-2","method":"roots/list"}
			F> {V2,"method":"notifications/cancelled","params":{"requestId":8}}
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-2",WITHDRAWN
			U> {V2,"id":4,ASKS"inputRequests":{"r":ROOTS}}}`)
	})
	t.Run("a cancelled round gives its turn back", func(t *testing.T) {
		p := round(t, Options{}, ``)
		p.input("F>", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"t"}}`)
		p.input("F>", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t"}}`)
		p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":`+ask(16)+`}}`))
		p.input("U>", roundWords.Replace(`{V2,"id":3,ASKS"inputRequests":`+ask(14)+`}}`))
		p.wrote = nil
		p.play(`
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}`)
		p.input("U>", roundWords.Replace(`{V2,"id":4,ASKS"inputRequests":`+ask(4)+`}}`))
		if len(p.wrote) != 4 {
			t.Errorf("%d questions, want 4", len(p.wrote))
		}
	})
}
