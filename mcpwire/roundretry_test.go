package mcpwire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// req: I07
func TestT127(t *testing.T) {
	t.Run("as it came", func(t *testing.T) {
		for _, state := range []string{`""`, `"\u00e9\/\ud83d\ude00 é"`, `"\ud800"`, `"` + strings.Repeat("s", 64<<10-2) + `"`} {
			round(t, Options{}, `
				U> {V2,"id":2,ASKS"requestState":`+state+`,"inputRequests":{"r":ROOTS}}}
				F< {V2,"id":"b-1","method":"roots/list"}
				F> {V2,"id":"b-1","result":{"roots":[]}}
				U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},"requestState":`+state+`,META}}`)
		}
	})
	t.Run("too large", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"requestState":"`+strings.Repeat("s", 64<<10-1)+`","inputRequests":{"r":ROOTS}}}
			F< {V2,"id":7,TOOMUCH}}}`)
	})
	t.Run("only the newest, and none if there is none", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"requestState":"one","inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},"requestState":"one",META}}
			U> {V2,"id":3,ASKS"inputRequests":{"s":ROOTS}}}
			F< {V2,"id":"b-2","method":"roots/list"}
			F> {V2,"id":"b-2","result":{"roots":[]}}
			U< {V2,"id":4,CALLED"inputResponses":{"s":{"roots":[]}},META}}
			U> {V2,"id":4,ASKS"requestState":"three"}}
			! fire request
			U< {V2,"id":5,CALLED"requestState":"three",META}}`)
	})
	t.Run("not for another request", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"requestState":"mine","inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":8,"method":"tools/call","params":{"name":"t","requestState":"theirs","inputResponses":{}}}
			U< {V2,"id":3,CALLEDMETA}}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":4,CALLED"inputResponses":{"r":{"roots":[]}},"requestState":"mine",META}}`)
	})
	t.Run("it cannot be printed", func(t *testing.T) {
		s := newSecret([]byte("hidden"))
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%c"} {
			for _, holder := range []any{s, &s, []secret{s}, struct{ S secret }{s}, rounds{state: s}, &inputWork{state: s}} {
				got := strings.ToLower(fmt.Sprintf(verb, holder))
				if strings.Contains(got, "hidden") || strings.Contains(got, "104 105") || strings.Contains(got, "0x68, 0x69") || strings.Contains(got, "6869") {
					t.Errorf("%s of %T prints %s", verb, holder, got)
				}
			}
		}
		if b, err := json.Marshal(s); err == nil {
			t.Errorf("it is encoded as %s", b)
		}
	})
}

// req: I12
func TestT129(t *testing.T) {
	pauses := func(t *testing.T, o Options, result string) []time.Duration {
		p := round(t, o, ``)
		var got []time.Duration
		for n := range 8 {
			from := p.now
			p.input("U>", roundWords.Replace(fmt.Sprintf(`{V2,"id":%d,ASKS%s}}`, n+2, result)))
			p.input("!", "fire request")
			got = append(got, p.now.Sub(from))
		}
		return got
	}
	ms := func(n ...time.Duration) string {
		for i := range n {
			n[i] *= time.Millisecond
		}
		return fmt.Sprint(n)
	}
	if got, want := fmt.Sprint(pauses(t, Options{Rand: failing{}}, `"requestState":"s"`)), ms(250, 500, 1000, 2000, 4000, 5000, 5000, 5000); got != want {
		t.Errorf("pauses of a state only are %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(pauses(t, Options{Rand: failing{}}, `"inputRequests":{}`)), ms(250, 500, 1000, 2000, 4000, 5000, 5000, 5000); got != want {
		t.Errorf("pauses of empty requests are %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(pauses(t, Options{}, `"requestState":"s"`)), ms(250, 250, 250, 250, 250, 250, 250, 250); got != want {
		t.Errorf("pauses with the luck of zeros are %v, want %v", got, want)
	}
	for _, tt := range []struct{ name, script string }{
		{"they count as rounds", strings.Repeat(`
			U> {V2,"id":N,ASKS"requestState":""}}
			! fire request
			U< {V2,"id":M,CALLED"requestState":"",META}}`, 10) + `
			U> {V2,"id":N,ASKS"requestState":""}}
			F< {V2,"id":7,"error":{"code":-32603,"message":"The server asked for input too often.","data":{"cause":"rounds_exhausted"}}}`},
		{"cancelled in a pause", `
			U> {V2,"id":N,ASKS"requestState":""}}
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}`},
		{"lost in a pause", `
			U> {V2,"id":N,ASKS"requestState":""}}
			! lost upstream_exited
			F< {V2,"id":7,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := tt.script
			for n := 2; strings.Contains(script, `"id":N`); n++ {
				script = strings.Replace(script, `"id":N`, fmt.Sprintf(`"id":%d`, n), 1)
				script = strings.Replace(script, `"id":M`, fmt.Sprintf(`"id":%d`, n+1), 1)
			}
			p := round(t, Options{}, script)
			if len(p.timers) != 0 {
				t.Errorf("timers %v are left", p.timers)
			}
		})
	}
}

// failing is a source of random bytes that has none.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("no randomness") }

func TestT130(t *testing.T) {
	p := opened(t, Options{})
	p.play(roundWords.Replace(`
		F> {V2,"id":7,"method":"tools/call","params":{"_meta":{"progressToken":"p","vscode.requestId":"r","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},"arguments":{"a" : 1.0, "b":"\u00e9"},"name":"t"}}
		U< {V2,"id":2,"method":"tools/call","params":{"arguments":{"a" : 1.0, "b":"\u00e9"},"name":"t",` + meta + `,"progressToken":2,"vscode.requestId":"r","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}
		F> {V2,"id":8,"method":"logging/setLevel","params":{"level":"error"}}
		F< {V2,"id":8,"result":{}}
		U> {V2,"method":"notifications/progress","params":{"progressToken":2,"progress":5}}
		F< {V2,"method":"notifications/progress","params":{"progressToken":"p","progress":5}}
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		U> {V2,"method":"notifications/progress","params":{"progressToken":2,"progress":6}}
		F> {V2,"id":"b-1","result":{"roots":[]}}
		U< {V2,"id":3,"method":"tools/call","params":{"arguments":{"a" : 1.0, "b":"\u00e9"},"name":"t","inputResponses":{"r":{"roots":[]}},` + meta + `,"io.modelcontextprotocol/logLevel":"error","progressToken":3,"vscode.requestId":"r","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}
		U> {V2,"method":"notifications/progress","params":{"progressToken":3,"progress":5}}
		U> {V2,"method":"notifications/progress","params":{"progressToken":2,"progress":7}}
		U> {V2,"method":"notifications/progress","params":{"progressToken":3,"progress":6}}
		F< {V2,"method":"notifications/progress","params":{"progressToken":"p","progress":6}}
		U> {V2,"id":2,"result":{"content":["late"]}}
		U> {V2,"id":3,"result":{"content":[]}}
		F< {V2,"id":7,FINAL`))
}

// A request of the front that lies in chunks goes out again as it came.
func TestT130BigRequest(t *testing.T) {
	p := opened(t, Options{})
	big := strings.Repeat("x", 1<<20)
	p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"a":"`+big+`"}}}`)
	p.wrote = nil
	p.play(roundWords.Replace(`
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		F> {V2,"id":"b-1","result":{"roots":[]}}
		U< {V2,"id":3,"method":"tools/call","params":{"name":"t","arguments":{"a":"` + big + `"},"inputResponses":{"r":{"roots":[]}},META}}`))
}

// T17 in a later round: the answers go out once more, and have the time of that round.
func TestT17Round(t *testing.T) {
	p := opened(t, Options{})
	p.play(roundWords.Replace(`
		F> ` + readMemo + `
		U< {V2,"id":2,"method":"resources/read","params":{"uri":"memo://one",META}}
		U> {V2,"id":2,ASKS"requestState":"s","inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		F> {V2,"id":"b-1","result":{"roots":[]}}
		U< {V2,"id":3,"method":"resources/read","params":{"uri":"memo://one","inputResponses":{"r":{"roots":[]}},"requestState":"s",META}}
		U> {V2,"id":3,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
		U< {V2,"id":4,"method":"resources/read","params":{"uri":"memo://one","inputResponses":{"r":{"roots":[]}},"requestState":"s",META}}`))
	from := p.now
	p.input("!", "fire request")
	if got := p.now.Sub(from); got != time.Hour {
		t.Errorf("it had %v for an answer, want an hour", got)
	}
}
