package mcpwire

import (
	"strings"
	"testing"
)

// zeros is a source of random bytes for tests whose frames are compared.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// firstURL is the elicitationId of every URL where the random bytes are zeros.
const firstURL = `e-AAAAAAAAAAAAAAAAAAAAAA`

// roundTexts are words of the scripts about rounds, and what they stand for.
var roundTexts = []string{
	"CALLED", `"method":"tools/call","params":{"name":"t",`,
	"FORM", `{"method":"elicitation/create","params":{"mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`,
	"PAGE", `{"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/x"}}`,
	"MODEL", `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}`,
	"ROOTS", `{"method":"roots/list"}`,
	"ASKS", `"result":{"resultType":"input_required",`,
	"FILLIN", `"method":"elicitation/create","params":{"mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`,
	"VISIT", `"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/x","elicitationId":"` + firstURL + `"}}`,
	"CARRYON", `"method":"elicitation/create","params":{"mode":"form","message":"Finish in the browser, then choose Continue here.","requestedSchema":{"type":"object","properties":{"next":{"type":"string","title":"Next","enum":["Continue"],"default":"Continue"}},"required":["next"]}}}`,
	"FINAL", `"result":{"content":[]}}`,
	"WITHDRAWN", `"reason":"The request that needed this has ended."}}`,
	"FAILED", `"error":{"code":-32603,"message":"The input that the server asked for was not given, or does not fit.","data":{"cause":"input_failed"`,
	"REFUSED", `"error":{"code":-32603,"message":"The server asked for input in a way that is not allowed.","data":{"cause":"input_refused"`,
	"TOOMUCH", `"error":{"code":-32603,"message":"The server asked for too much input at once.","data":{"cause":"input_limit"`,
	"NOTVALID", `"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`,
	"V2", `"jsonrpc":"2.0"`,
}

var roundWords = strings.NewReplacer(roundTexts...)

// No word is part of another, or of the word of every script, so that the order in which
// they are replaced does not matter.
func TestRoundWords(t *testing.T) {
	words := []string{"META"}
	for i := 0; i < len(roundTexts); i += 2 {
		words = append(words, roundTexts[i])
	}
	for _, a := range words {
		for _, b := range words {
			if a != b && strings.Contains(a, b) {
				t.Errorf("%s is part of %s", b, a)
			}
		}
	}
}

// roundCall is the beginning of most scripts: a call that went upstream under the id 2.
const roundCall = `
	F> {V2,"id":7,"method":"tools/call","params":{"name":"t"}}
	U< {V2,"id":2,CALLEDMETA}}
`

// round plays a script about a call whose server asks for input.
func round(t *testing.T, o Options, script string) *player {
	t.Helper()
	if o.Rand == nil {
		o.Rand = zeros{}
	}
	p := opened(t, o)
	p.play(roundWords.Replace(roundCall + script))
	return p
}

func TestT110(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"one question", `
			U> {V2,"id":2,ASKS"content":null,"requestState":"AEAD…","inputRequests":{"who":FORM}}}
			F< {V2,"id":"b-1",FILLIN
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"name":"octo"}}}
			U< {V2,"id":3,CALLED"inputResponses":{"who":{"action":"accept","content":{"name":"octo"}}},"requestState":"AEAD…",META}}
			U> {V2,"id":3,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"every kind at the same time, answered in another order", `
			U> {V2,"id":2,ASKS"inputRequests":{"f":FORM,"u":PAGE,"m":MODEL,"r":ROOTS}}}
			F< {V2,"id":"b-1",FILLIN
			F< {V2,"id":"b-2",VISIT
			F< {V2,"id":"b-3","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}
			F< {V2,"id":"b-4","method":"roots/list"}
			F> {V2,"id":"b-4","result":{"roots":[]}}
			F> {V2,"id":"b-3","result":{"role":"assistant","model":"m","content":{"type":"text","text":"!"}}}
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			F> {V2,"id":"b-2","result":{"action":"cancel"}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"decline"},"u":{"action":"cancel"},"m":{"role":"assistant","model":"m","content":{"type":"text","text":"!"}},"r":{"roots":[]}},META}}
			U> {V2,"id":3,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"two rounds, of which only the newest is answered (T128)", `
			U> {V2,"id":2,ASKS"requestState":"1","inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},"requestState":"1",META}}
			U> {V2,"id":3,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":"b-2",FILLIN
			F> {V2,"id":"b-2","result":{"action":"cancel"}}
			U< {V2,"id":4,CALLED"inputResponses":{"f":{"action":"cancel"}},META}}
			U> {V2,"id":4,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"an error ends it", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}
			U> {V2,"id":3,"error":{"code":-32602,"message":"no"}}
			F< {V2,"id":7,"error":{"code":-32602,"message":"no"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { round(t, Options{}, tt.script) })
	}
}

// What the upstream still sends for a request that has ended by questions means nothing
// (T8), and what it has sent before comes before them (W14).
func TestT110LateAndEarly(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"an answer while questions wait", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			U> {V2,"id":2,"result":{"content":["late"]}}
			U> {V2,"id":2,"error":{"code":1,"message":"late"}}
			U> {V2,"id":2,ASKS"inputRequests":{"s":ROOTS}}}
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}`},
		{"an answer in a pause", `
			U> {V2,"id":2,ASKS"requestState":"s"}}
			U> {V2,"id":2,"result":{"content":["late"]}}
			! fire request
			U< {V2,"id":3,CALLED"requestState":"s",META}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { round(t, Options{}, tt.script) })
	}
	t.Run("progress over the rate", func(t *testing.T) {
		p := opened(t, Options{Limits: Limits{ProgressBurst: 1, ProgressRate: 1}})
		p.play(roundWords.Replace(`
			F> ` + watchedCall + `
			U< {V2,"id":2,"method":"tools/call","params":{"name":"t",` + meta + `,"progressToken":2}}}
			U> ` + progressUp(1) + `
			` + progressFront(1) + `
			U> ` + progressUp(2) + `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			` + progressFront(2) + `
			F< {V2,"id":"b-1","method":"roots/list"}`))
	})
}
