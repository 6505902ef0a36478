package mcpwire

import (
	"slices"
	"strings"
	"testing"
)

// The log tells of an exchange with the upstream when it ends, once, and of none where
// a request ends that waits for something else.
func TestEventExchange(t *testing.T) {
	long := strings.Repeat("x", maxInside)
	const (
		asks = `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}`
		cancel = `
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}`
		withdrawn = `
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN`
		reply = `
			F> {V2,"id":"b-1","result":{"roots":[]}}
			U< {V2,"id":3,CALLED"inputResponses":{"r":{"roots":[]}},META}}`
	)
	for _, tt := range []struct {
		name, script string
		want         []EventKind // of those about exchanges
	}{
		{"answered", `
			U> {V2,"id":2,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`, []EventKind{EventExchange}},
		{"cancelled", cancel + `
			X< {V2,"method":"notifications/cancelled","params":{"requestId":2}}`, []EventKind{EventExchange}},
		{"cancelled while its answer is shaped", `
			! hold
			U> {V2,"id":2,"result":{"content":[],"x":"` + long + `"}}` + cancel + `
			! commit`, []EventKind{EventExchange}},
		{"a round, and the answer", asks + reply + `
			U> {V2,"id":3,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`, []EventKind{EventInput, EventExchange}},
		{"cancelled while it asks", asks + cancel + withdrawn, []EventKind{EventInput}},
		{"cancelled while an answer is read", `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			! hold
			F> {V2,"id":"b-1","result":{"roots":[],"x":"` + long + `"}}` + cancel + `
			! commit`, []EventKind{EventInput}},
		{"no answer in time", asks + `
			! fire request` + withdrawn + `
			F< {V2,"id":7,"error":{"code":-32603,"message":"The input that the server asked for was not given in time.","data":{"cause":"input_timeout"}}}`, []EventKind{EventInput}},
		{"an answer that is not valid", asks + `
			F> {V2,"id":"b-1","result":{}}
			F< {V2,"id":7,FAILED,"detail":"r"}}}`, []EventKind{EventInput}},
		{"cancelled in a pause", `
			U> {V2,"id":2,ASKS"requestState":"s"}}` + cancel, []EventKind{EventInput}},
		{"asked again what was refused", `
			U> {V2,"id":2,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":"b-1",FILLIN
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			U< {V2,"id":3,CALLED"inputResponses":{"f":{"action":"decline"}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"f":FORM}}}
			F< {V2,"id":7,"result":{"content":[{"type":"text","text":"The input that the server asked for was not given, or does not fit."}],"isError":true}}`, []EventKind{EventInput, EventInput}},
		{"questions that are not valid", `
			U> {V2,"id":2,ASKS"inputRequests":[]}}
			F< {V2,"id":7,NOTVALID`, []EventKind{EventExchange}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []EventKind
			for _, e := range round(t, Options{}, tt.script).log {
				if e.Kind == EventExchange || e.Kind == EventInput {
					got = append(got, e.Kind)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("events %v, want %v", got, tt.want)
			}
		})
	}
	t.Run("a subscription", func(t *testing.T) {
		p := ready(t, Options{}, onlyURIs)
		p.play(initialized + subscribe(8, "u:a") + listenUp(2, `{"resourceSubscriptions":["u:a"]}`) +
			ackUp(2, `{"resourceSubscriptions":["u:a"]}`) + done(8))
		if got := p.logged(EventExchange, ""); got != 0 {
			t.Errorf("%d exchanges have ended, want none", got)
		}
	})
}

// An answer of the front that is being read when what is in flight is given up counts
// among the requests without an answer.
func TestT21WhileAReplyIsRead(t *testing.T) {
	p := round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-1","method":"roots/list"}
		! hold
		F> {V2,"id":"b-1","result":{"roots":[],"x":"`+strings.Repeat("x", maxInside)+`"}}
		! end
		! fire drain
		! commit`)
	if got := p.logged(EventUnanswered, "T21"); got != 1 || p.session.core.table.used() != 0 {
		t.Errorf("%d are unanswered and %d slots in use, want 1 and 0", got, p.session.core.table.used())
	}
}
