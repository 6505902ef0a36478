package mcpwire

import (
	"strings"
	"testing"
)

// req: I04
func TestT122(t *testing.T) {
	for _, tt := range []struct{ name, answer string }{
		{"a person refused", `"error":{"code":-1,"message":"User rejected sampling at Object.stack (trace.js:1)"}`},
		{"a method that the front does not know", `"error":{"code":-32601,"message":"no"}`},
		{"a result that is no object", `"result":[]`},
		{"a result that is not valid", `"result":{"action":"maybe"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, `
				U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"f":FORM}}}
				F< {V2,"id":"b-1","method":"roots/list"}
				F< {V2,"id":"b-2",ASKFORM
				F> {V2,"id":"b-2",`+tt.answer+`}
				W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
				F< {V2,"id":7,FAILED,"detail":"f"}}}
				F> {V2,"id":"b-1","result":{"roots":[]}}`)
		})
	}
}

func TestT126(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"broken", `{"jsonrpc":"2.0","id":"b-1","result":{"roots":[}}`},
		{"both a result and an error", `{"jsonrpc":"2.0","id":"b-1","result":{},"error":{"code":1,"message":"x"}}`},
		{"a lone surrogate", `{"jsonrpc":"2.0","id":"b-1","result":{"roots":["\ud800"]}}`},
		{"too deep", `{"jsonrpc":"2.0","id":"b-1","result":{"roots":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, `
				U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
				F< {V2,"id":"b-1","method":"roots/list"}
				F> `+tt.line+`
				F< {V2,"id":7,FAILED,"detail":"r"}}}
				F> `+tt.line)
		})
	}
}

// req: I10
func TestT131(t *testing.T) {
	p := round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"s":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		F< {V2,"id":"b-2","method":"roots/list"}
		F> {V2,"id":1,"result":{"roots":[]}}
		F> {V2,"id":"b-3","result":{"roots":[]}}
		F> {V2,"id":"b-0","result":{"roots":[]}}
		F> {V2,"id":"b-01","result":{"roots":[]}}
		F> {V2,"id":"b-","result":{"roots":[]}}
		F> {V2,"id":"b--1","result":{"roots":[]}}
		F> {V2,"id":"b-4294967298","result":{"roots":[]}}
		F> {V2,"id":"b-1","result":{"roots":[]}}
		F> {V2,"id":"b-1","result":{"roots":[{"uri":"file:///again"}]}}
		F> {V2,"id":"b-1","error":{"code":1,"message":"x"}}
		F> {V2,"id":"b-2","result":{"roots":[]}}
		U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]},"s":{"roots":[]}},META}}
		F> {V2,"id":"b-2","result":{"roots":[]}}`)
	if got := p.logged(EventDropped, "T6"); got != 10 {
		t.Errorf("%d answers were dropped, want 10", got)
	}
	t.Run("null", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":null,"error":{"code":-32700,"message":"x"}}`)
	})
}
