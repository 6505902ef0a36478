package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// req: I12
func TestT111(t *testing.T) {
	for _, tt := range []struct{ name, result string }{
		{"neither", `{"resultType":"input_required"}`},
		{"both null", `{"resultType":"input_required","inputRequests":null,"requestState":null}`},
		{"requests that are an array", `{"resultType":"input_required","inputRequests":[]}`},
		{"a state that is a number", `{"resultType":"input_required","requestState":1}`},
		{"a state that is a number beside requests", `{"resultType":"input_required","requestState":1,"inputRequests":{"r":ROOTS}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, `
				U> {V2,"id":2,"result":`+tt.result+`}
				F< {V2,"id":7,NOTVALID`)
		})
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list", "completion/complete"} {
		t.Run(method, func(t *testing.T) {
			p := opened(t, Options{})
			p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":`+anyParams+`}`)
			p.wrote = nil
			p.play(roundWords.Replace(`
				U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
				F< {V2,"id":7,NOTVALID`))
		})
	}
	t.Run("null beside a state", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":null,"requestState":"s"}}
			! fire request
			U< {V2,"id":3,CALLED"requestState":"s",META}}`)
	})
}

// ask returns an inputRequests object of n questions for roots.
func ask(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":ROOTS`, i)
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}

// req: I06
func TestT112(t *testing.T) {
	t.Run("rounds", func(t *testing.T) {
		p := round(t, Options{}, ``)
		for n := 1; n <= 10; n++ {
			p.play(roundWords.Replace(fmt.Sprintf(`
				! wait 10s
				U> {V2,"id":%d,ASKS"inputRequests":{"r":ROOTS}}}
				F< {V2,"id":"b-%d","method":"roots/list"}
				F> {V2,"id":"b-%d","result":{"roots":[]}}
				U< {V2,"id":%d,CALLED"inputResponses":{"r":{"roots":[]}},META}}`, n+1, n, n, n+2)))
		}
		p.play(roundWords.Replace(`
			U> {V2,"id":12,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":7,"error":{"code":-32603,"message":"The server asked for input too often.","data":{"cause":"rounds_exhausted"}}}`))
	})
	for _, n := range []int{15, 16} {
		t.Run(fmt.Sprint(n, " questions"), func(t *testing.T) {
			p := round(t, Options{}, ``)
			p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":`+ask(n)+`}}`))
			if got := len(p.wrote); got != n {
				t.Errorf("%d frames, want %d", got, n)
			}
		})
	}
	t.Run("17 questions", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":`+ask(17)+`}}
			F< {V2,"id":7,TOOMUCH}}}`)
	})
	for _, tt := range []struct{ name, requests string }{
		{"a key twice", `{"r":ROOTS,"r":ROOTS}`},
		{"a key twice, once escaped", `{"r":ROOTS,"\u0072":ROOTS}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, `
				U> {V2,"id":2,ASKS"inputRequests":`+tt.requests+`}}
				F< {V2,"id":7,NOTVALID`)
		})
	}
	t.Run("odd keys come back as they were", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"":ROOTS,"__proto__":ROOTS,"\u00e9\/\"":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F< {V2,"id":"b-2","method":"roots/list"}
			F< {V2,"id":"b-3","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			F> {V2,"id":"b-2","result":{"roots":[]}}
			F> {V2,"id":"b-3","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"":{"roots":[]},"__proto__":{"roots":[]},"\u00e9\/\"":{"roots":[]}},META}}`)
	})
}

// req: I01
func TestT113(t *testing.T) {
	for _, tt := range []struct{ name, entry string }{
		{"a method that nobody knows", `{"method":"roots/delete","params":{}}`},
		{"no method", `{"params":{}}`},
		{"no object", `"roots/list"`},
		{"the method twice", `{"method":"roots/list","method":"roots/list"}`},
		{"no parameters", `{"method":"elicitation/create"}`},
		{"parameters that are null", `{"method":"sampling/createMessage","params":null}`},
		{"a mode that nobody knows", `{"method":"elicitation/create","params":{"mode":"voice","message":"m"}}`},
		{"a mode that is null", `{"method":"elicitation/create","params":{"mode":null,"message":"m","requestedSchema":{"type":"object","properties":{}}}}`},
		{"two modes", `{"method":"elicitation/create","params":{"mode":"url","mode":"form","message":"m","url":"https://a.example/"}}`},
		{"a form without a message", `{"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{}}}}`},
		{"a form without a schema", `{"method":"elicitation/create","params":{"message":"m"}}`},
		{"a URL without a URL", `{"method":"elicitation/create","params":{"mode":"url","message":"m"}}`},
		{"a URL that is no string", `{"method":"elicitation/create","params":{"mode":"url","message":"m","url":1}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, `
				U> {V2,"id":2,ASKS"inputRequests":{"ok":FORM,"bad":`+tt.entry+`}}}
				F< {V2,"id":7,REFUSED,"detail":"bad"}}}`)
		})
	}
	t.Run("a long key is not repeated", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"`+strings.Repeat("k", 254)+`":{}}}}
			F< {V2,"id":7,REFUSED,"detail":"`+strings.Repeat("k", 254)+`"}}}`)
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"`+strings.Repeat("k", 255)+`":{}}}}
			F< {V2,"id":7,REFUSED}}}`)
	})
}
