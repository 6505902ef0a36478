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
				F< {V2,"id":"b-2",FILLIN
				F> {V2,"id":"b-2",`+tt.answer+`}
				W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
				F< {V2,"id":7,FAILED,"detail":"f"}}}
				F> {V2,"id":"b-1","result":{"roots":[]}}`)
		})
	}
}

// An error of the front ends the request whatever it was asked, and its text stays here:
// to have no roots, or to decline, is an answer, and an error is none.
//
// req: I04, I05
func TestT122EveryQuestion(t *testing.T) {
	for _, entry := range []string{"FORM", "PAGE", "MODEL", "ROOTS"} {
		for _, err := range []string{`{"code":-32603,"message":"Error: no at Object.stack (trace.js:1)"}`, `{"code":-32601,"message":"no","data":{"roots":[]}}`, `7`} {
			t.Run(entry+" "+err, func(t *testing.T) {
				p := round(t, Options{}, ``)
				p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"requestState":"s","inputRequests":{"q":`+entry+`}}}`))
				p.wrote = nil
				p.play(roundWords.Replace(`
					F> {V2,"id":"b-1","error":` + err + `}
					F< {V2,"id":7,FAILED,"detail":"q"}}}`))
				if table := p.session.core.table; table.used() != 0 || len(p.timers) != 0 {
					t.Errorf("%d slots are in use, timers %v run", table.used(), p.timers)
				}
			})
		}
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

// What a client in JavaScript writes for a result that is undefined.
func TestAnswerWithoutResult(t *testing.T) {
	round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		F> {"jsonrpc":"2.0","id":"b-1"}
		F< {V2,"id":7,FAILED,"detail":"r"}}}`)
	t.Run("a request of the front", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {"jsonrpc":"2.0","id":"b-1","method":5}
			F< {V2,"id":"b-1","error":{"code":-32600,"message":"The message is not a valid request.","data":{"cause":"invalid_request"}}}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}`)
	})
}

// req: I10
func TestT131(t *testing.T) {
	p := round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"s":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		F< {V2,"id":"b-2","method":"roots/list"}
		F> {V2,"id":1,"result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b-3","result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b-0","result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b-01","result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b-","result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b--1","result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b-4294967298","result":{"roots":[{"uri":"file:///stray"}]}}
		F> {V2,"id":"b-1","result":{"roots":[]}}
		F> {V2,"id":"b-1","result":{"roots":[{"uri":"file:///again"}]}}
		F> {V2,"id":"b-1","error":{"code":1,"message":"x"}}
		F> {V2,"id":"b-2","result":{"roots":[]}}
		U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]},"s":{"roots":[]}},META}}
		F> {V2,"id":"b-2","result":{"roots":[]}}`)
	if got := p.logged(EventDropped, "T6"); got != 10 {
		t.Errorf("%d answers were dropped, want 10", got)
	}
	t.Run("late, when another call has its place", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
			F> {V2,"id":7,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":3,CALLEDMETA}}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-2","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[{"uri":"file:///late"}]}}
			F> {V2,"id":"b-2","result":{"roots":[]}}
			U< {V2,"id":4,CALLED"inputResponses":{"r":{"roots":[]}},META}}`)
	})
	t.Run("null", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":null,"error":{"code":-32700,"message":"x"}}`)
	})
}

// Nobody is asked the same again after a refusal.
func TestQuestionRefusedBefore(t *testing.T) {
	const (
		form = `
			U> {V2,"id":2,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":"b-1",FILLIN`
		again = `
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"cancel"}},META}}
			U> {V2,"id":3,ASKS"requestState":"s","inputRequests":{"r":ROOTS,"other":FORM}}}`
		result = `
			F< {V2,"id":7,"result":{"content":[{"type":"text","text":"The input that the server asked for was not given, or does not fit."}],"isError":true}}`
	)
	for _, tt := range []struct{ name, script string }{
		{"a form", form + `
			F> {V2,"id":"b-1","result":{"action":"cancel"}}` + again + result},
		{"a URL", `
			U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-1",VISIT
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"decline"}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"u":{"method":"elicitation/create","params":{"message":"Please","mode":"url","url":"https://a.example/x"}}}}}` + result},
		{"to continue after a URL", `
			U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-1",VISIT
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-2",CARRYON
			F> {V2,"id":"b-2","result":{"action":"cancel"}}
			U< {V2,"id":4,CALLED"inputResponses":{"u":{"action":"cancel"}},META}}
			U> {V2,"id":4,ASKS"inputRequests":{"u":PAGE}}}` + result},
		{"an accepted form may come again", form + `
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"name":"x"}}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"accept","content":{"name":"x"}}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":"b-2",FILLIN`},
		{"another form", form + `
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"decline"}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"f":{"method":"elicitation/create","params":{"mode":"form","message":"Or a nickname?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}}}}
			F< {V2,"id":"b-2","method":"elicitation/create","params":{"mode":"form","message":"Or a nickname?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`},
		{"another call", form + `
			F> {V2,"id":"b-1","result":{"action":"cancel"}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"cancel"}},META}}
			F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":4,CALLEDMETA}}
			U> {V2,"id":4,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":"b-2",FILLIN`},
	} {
		t.Run(tt.name, func(t *testing.T) { round(t, Options{}, tt.script) })
	}
	t.Run("a prompt fails", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(roundWords.Replace(`
			F> ` + getPrompt + `
			U< {V2,"id":2,"method":"prompts/get","params":{"name":"p",META}}
			U> {V2,"id":2,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":"b-1",FILLIN
			F> {V2,"id":"b-1","result":{"action":"cancel"}}
			U< {V2,"id":3,"method":"prompts/get","params":{"name":"p","inputResponses":{"f":{"action":"cancel"}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":7,FAILED,"detail":"f"}}}`))
	})
}

// The editor takes the refusal of one sampling request for a yes to all later ones.
//
// req: I15
func TestI15RefusalHolds(t *testing.T) {
	const (
		asked   = `"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}`
		refused = `
			U> {V2,"id":2,ASKS"inputRequests":{"m":MODEL}}}
			F< {V2,"id":"b-1",` + asked + `
			F> {V2,"id":"b-1","error":{"code":CODE,"message":"denied"}}
			F< {V2,"id":7,FAILED,"detail":"m"}}}
			F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":3,CALLEDMETA}}
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS,"n":MODEL}}}`
		askedAgain = `
			F< {V2,"id":"b-2","method":"roots/list"}
			F< {V2,"id":"b-3",` + asked
	)
	for _, tt := range []struct {
		name    string
		profile Profile
		code    string
		then    string
	}{
		{"Visual Studio Code", VSCode, "-32000", `
			F< {V2,"id":8,FAILED,"detail":"n"}}}`},
		{"another error", VSCode, "-32603", askedAgain},
		{"another front", Profile{}, "-32000", askedAgain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{Profile: tt.profile}, strings.Replace(refused, "CODE", tt.code, 1)+tt.then)
		})
	}
}
