package mcpwire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// req: I02
func TestT116Round(t *testing.T) {
	p := round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","url":"vscode://x","message":"m"}},"f":FORM}}}
		F< {V2,"id":"b-1",FILLIN
		F> {V2,"id":"b-1","result":{"action":"decline"}}
		U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"decline"},"f":{"action":"decline"}},META}}`)
	if got := p.logged(EventDropped, "T116"); got != 1 {
		t.Errorf("%d events of T116, want 1", got)
	}
	t.Run("nothing else was asked", func(t *testing.T) {
		round(t, Options{}, `
			U> {V2,"id":2,ASKS"requestState":"s","inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","url":"javascript:1","message":"m"}}}}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"decline"}},"requestState":"s",META}}`)
	})
}

// req: I09
func TestT124(t *testing.T) {
	const (
		open = `
			U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-1",VISIT`
		opened = open + `
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"x":1}}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"}},META}}`
		completed = `
			F< {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}`
	)
	for _, tt := range []struct{ name, script string }{
		{"before the answer", opened + `
			U> {V2,"id":3,"result":{"content":[]}}` + completed + `
			F< {V2,"id":7,FINAL`},
		{"before the questions of the next round", opened + `
			U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}` + completed + `
			F< {V2,"id":"b-2","method":"roots/list"}
			F> {V2,"id":"b-2","result":{"roots":[]}}
			U< {V2,"id":4,CALLED"inputResponses":{"r":{"roots":[]}},META}}
			U> {V2,"id":4,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"not after a decline", open + `
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"decline"}},META}}
			U> {V2,"id":3,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"not before an error", opened + `
			U> {V2,"id":3,"error":{"code":1,"message":"no"}}
			F< {V2,"id":7,"error":{"code":1,"message":"no"}}`},
		{"not when the call is cancelled", opened + `
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			X< {V2,"method":"notifications/cancelled","params":{"requestId":3}}`},
		{"not before an answer that is not valid", opened + `
			U> {V2,"id":3,"result":{"content":{}}}
			F< {V2,"id":7,NOTVALID`},
		{"the notification of the upstream is dropped", opened + `
			U> {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) { round(t, Options{}, tt.script) })
	}
}

// req: I08
func TestT125(t *testing.T) {
	const again = `
		U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
		F< {V2,"id":"b-1",VISIT
		F> {V2,"id":"b-1","result":{"action":"accept"}}
		U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"}},META}}
		U> {V2,"id":3,ASKS"requestState":"2","inputRequests":{"v":PAGE}}}
		F< {V2,"id":"b-2",CARRYON`
	for _, tt := range []struct{ name, script string }{
		{"accepted", again + `
			F> {V2,"id":"b-2","result":{"action":"accept","content":{"next":"Continue"}}}
			U< {V2,"id":4,CALLED"inputResponses":{"v":{"action":"accept"}},"requestState":"2",META}}
			U> {V2,"id":4,"result":{"content":[]}}
			F< {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}
			F< {V2,"id":7,FINAL`},
		{"declined", again + `
			F> {V2,"id":"b-2","result":{"action":"decline"}}
			U< {V2,"id":4,CALLED"inputResponses":{"v":{"action":"decline"}},"requestState":"2",META}}`},
		{"a third time", again + `
			F> {V2,"id":"b-2","result":{"action":"accept"}}
			U< {V2,"id":4,CALLED"inputResponses":{"v":{"action":"accept"}},"requestState":"2",META}}
			U> {V2,"id":4,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-3",CARRYON`},
		{"after it was complete", again + `
			F> {V2,"id":"b-2","result":{"action":"accept"}}
			U< {V2,"id":4,CALLED"inputResponses":{"v":{"action":"accept"}},"requestState":"2",META}}
			U> {V2,"id":4,ASKS"inputRequests":{"r":ROOTS}}}
			F< {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}
			F< {V2,"id":"b-3","method":"roots/list"}
			F> {V2,"id":"b-3","result":{"roots":[]}}
			U< {V2,"id":5,CALLED"inputResponses":{"r":{"roots":[]}},META}}
			U> {V2,"id":5,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-4",CARRYON
			F> {V2,"id":"b-4","result":{"action":"accept"}}
			U< {V2,"id":6,CALLED"inputResponses":{"u":{"action":"accept"}},META}}
			U> {V2,"id":6,"result":{"content":[]}}
			F< {V2,"id":7,FINAL`},
		{"one character is different", `
			U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-1",VISIT
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"}},META}}
			U> {V2,"id":3,ASKS"inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/X"}}}}}
			F< {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}
			F< {V2,"id":"b-2","method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/X","elicitationId":"` + firstURL + `"}}`},
		{"another call opens it itself", `
			U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-1",VISIT
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"}},META}}
			F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":4,CALLEDMETA}}
			U> {V2,"id":4,ASKS"inputRequests":{"u":PAGE}}}
			F< {V2,"id":"b-2",VISIT`},
	} {
		t.Run(tt.name, func(t *testing.T) { round(t, Options{}, tt.script) })
	}
}

// Without forms the front is given time, until the rounds are used up.
func TestT125WithoutForms(t *testing.T) {
	p := newPlayer(t, Options{Rand: zeros{}, Limits: Limits{Rounds: 50}})
	p.play(declaring(`{"elicitation":{"url":{}}}`, `{"elicitation":{"url":{}}}`))
	p.input("F>", callTool)
	p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}`))
	p.input("F>", `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
	p.wrote = nil
	for n, want := range append([]time.Duration{2, 4, 8, 16}, slices.Repeat([]time.Duration{30}, 40)...) {
		from := p.now
		p.input("U>", roundWords.Replace(fmt.Sprintf(`{V2,"id":%d,ASKS"inputRequests":{"u":PAGE}}}`, n+3)))
		p.input("!", "fire request")
		if got := p.now.Sub(from); got != want*time.Second {
			t.Errorf("pause %d is %v, want %v", n, got, want*time.Second)
		}
		if len(p.wrote) != 1 || !strings.Contains(p.wrote[0], `"inputResponses":{"u":{"action":"accept"}}`) {
			t.Fatalf("wrote %q", p.wrote)
		}
		p.wrote = nil
	}
}

// Each URL has an id of its own, made of 128 random bits.
//
// req: I09
func TestT123(t *testing.T) {
	t.Run("from random bits", func(t *testing.T) {
		random := strings.NewReader("0123456789abcdef" + "ABCDEFGHIJKLMNOP" + "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0")
		p := opened(t, Options{Rand: random})
		p.play(roundWords.Replace(roundCall))
		p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":{"u":PAGE,"v":{"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/y"}}}}}`))
		p.input("F>", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"t"}}`)
		p.input("U>", roundWords.Replace(`{V2,"id":3,ASKS"inputRequests":{"u":PAGE}}}`))
		for _, want := range []string{"e-MDEyMzQ1Njc4OWFiY2RlZg", "e-QUJDREVGR0hJSktMTU5PUA", "e-__79_Pv6-fj39vX08_Lx8A"} {
			if got := strings.Join(p.wrote, ""); strings.Count(got, `"elicitationId":"`+want+`"`) != 1 {
				t.Errorf("wrote %s, want the id %s once", got, want)
			}
		}
		if random.Len() != 0 {
			t.Errorf("%d random bytes are left", random.Len())
		}
	})
	t.Run("no id without randomness", func(t *testing.T) {
		round(t, Options{Rand: failing{}}, `
			U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS,"u":PAGE}}}
			F< {V2,"id":7,FAILED,"detail":"u"}}}`)
	})
}

// What is remembered of a page that was opened does not grow with its URL: the question
// counts as held until the next round, and this does not.
//
// req: I08
func TestT125KeepsNoURL(t *testing.T) {
	p := round(t, Options{}, `
		U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE}}}
		F< {V2,"id":"b-1",VISIT
		F> {V2,"id":"b-1","result":{"action":"accept"}}
		U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"}},META}}
		U> {V2,"id":3,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"`+firstURL+`"}}
		F< {V2,"id":"b-2","method":"roots/list"}`)
	r := &p.session.core.table.ofFront([]byte("7")).rounds
	if got := fmt.Sprintf("%+v", r.accepted); len(r.accepted) != 1 || strings.Contains(got, "a.example") {
		t.Errorf("%s is remembered, want one record without the URL", got)
	}
}

// A URL that stands twice in one round is opened once, and both entries get the answer.
//
// req: I08
func TestT125TwiceInOneRound(t *testing.T) {
	const (
		two = `
			U> {V2,"id":2,ASKS"inputRequests":{"u":PAGE,"r":ROOTS,"v":PAGE}}}
			F< {V2,"id":"b-1",VISIT
			F< {V2,"id":"b-2","method":"roots/list"}`
		rooted = `
			F> {V2,"id":"b-2","result":{"roots":[]}}`
		accepted = two + `
			F> {V2,"id":"b-1","result":{"action":"accept"}}` + rooted + `
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"accept"},"r":{"roots":[]},"v":{"action":"accept"}},META}}`
		completed = `
			F< {V2,"method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}`
	)
	for _, tt := range []struct{ name, script string }{
		{"accepted", accepted + `
			U> {V2,"id":3,"result":{"content":[]}}` + completed + `
			F< {V2,"id":7,FINAL`},
		{"declined", two + rooted + `
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"decline"},"r":{"roots":[]},"v":{"action":"decline"}},META}}`},
		{"and once more, twice", accepted + `
			U> {V2,"id":3,ASKS"inputRequests":{"u":PAGE,"v":PAGE}}}
			F< {V2,"id":"b-3",CARRYON
			F> {V2,"id":"b-3","result":{"action":"accept"}}
			U< {V2,"id":4,CALLED"inputResponses":{"u":{"action":"accept"},"v":{"action":"accept"}},META}}`},
		{"not answered", two + `
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",WITHDRAWN
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-2",WITHDRAWN`},
		{"one that must not be shown", `
			U> {V2,"id":2,ASKS"inputRequests":{"u":UNSHOWN,"v":UNSHOWN}}}
			U< {V2,"id":3,CALLED"inputResponses":{"u":{"action":"decline"},"v":{"action":"decline"}},META}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			round(t, Options{}, strings.ReplaceAll(tt.script, "UNSHOWN", `{"method":"elicitation/create","params":{"mode":"url","url":"file:///x","message":"m"}}`))
		})
	}
}
