package mcpwire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// consent is an event of the caller's: it asks, takes back, or is done.
func (p *player) consent(verb, arg string, out *Steps) {
	p.t.Helper()
	if verb == "ask" {
		p.asked = append(p.asked, p.session.Ask(p.now, Question{URL: arg, Host: "mcp.example"}, out))
		return
	}
	var n int
	if _, err := fmt.Sscan(arg, &n); err != nil || n < 1 || n > len(p.asked) {
		p.t.Fatalf("script: %s %q", verb, arg)
	}
	if verb == "withdraw" {
		p.session.Withdraw(p.asked[n-1], out)
	} else {
		p.session.Complete(p.asked[n-1], out)
	}
}

func (p *player) collectConsents(out *Steps) {
	for _, c := range out.Consents {
		answer := map[Answer]string{Accepted: "accepted", Declined: "declined", Unanswered: "unanswered", Abandoned: "abandoned"}[c.Answer]
		p.wrote = append(p.wrote, fmt.Sprintf("Q< %d %s", 1+slices.Index(p.asked, c.Asked), answer))
	}
	if out.Initialized {
		p.asks, p.canAsk = p.asks+1, out.CanAsk
	}
}

// askWords are words of the scripts about questions of the caller's, and what they stand
// for. The page is that of signInPage.
var askWords = strings.NewReplacer(append([]string{
	"ASK", "! ask " + signInPage,
	"SIGNIN", `"method":"elicitation/create","params":{"mode":"url","message":"mcp.example wants you to sign in. Open the page to go on.","url":"` + signInPage + `","elicitationId":"` + firstURL + `"}}`,
	"TAKENBACK", `"reason":"The sign-in that needed this has ended."}}`,
	"COMPLETE", `F< {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"` + firstURL + `"}}`,
}, roundTexts[len(roundTexts)-2:]...)...)

const signInPage = "https://auth.example/authorize?state=s&client_id=https%3A%2F%2Fa.example"

// asking plays a script in an open session whose front opens pages.
func asking(t *testing.T, script string) *player {
	t.Helper()
	p := opened(t, Options{Rand: zeros{}})
	p.play(askWords.Replace(script))
	return p
}

// A sign-in asks the person by a URL that the front opens, under an id that no request of
// the front has.
//
// req: S05, I09
func TestT134(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"accept, then the sign-in succeeds", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			Q< 1 accepted
			! complete 1
			COMPLETE
			! complete 1
			! withdraw 1`},
		{"accept, and the sign-in fails", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","result":{"action":"accept","content":{"a":1},"_meta":{}}}
			Q< 1 accepted
			! withdraw 1`},
		{"decline", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			Q< 1 declined
			! withdraw 1
			! complete 1`},
		{"cancel", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","result":{"action":"cancel"}}
			Q< 1 declined
			! complete 1`},
		{"an error", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","error":{"code":-32603,"message":"Unknown error: stack"}}
			Q< 1 unanswered
			! complete 1`},
		{"the front cancels a request of its own with that id, or all that it names", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"method":"notifications/cancelled","params":{"requestId":"b-1"}}
			F> {V2,"method":"notifications/cancelled","params":{"requestId":1}}
			F> {V2,"method":"notifications/cancelled"}
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			Q< 1 accepted`},
		{"the front cancels the request that wants the sign-in", `
			F> {V2,"id":7,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":2,"method":"tools/call","params":{"name":"t",META}}
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			X< {V2,"method":"notifications/cancelled","params":{"requestId":2}}
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			Q< 1 accepted`},
		{"a request of the front with that id", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","method":"ping"}
			F< {V2,"id":"b-1","result":{}}
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			Q< 1 accepted`},
		{"withdrawn, and answered all the same", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			! withdraw 1
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",TAKENBACK
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			! withdraw 1`},
		{"the sign-in succeeds while the question waits", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			! complete 1
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",TAKENBACK
			COMPLETE
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			! complete 1`},
		{"the sign-in succeeds after the question was withdrawn, which the front may show still", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			! withdraw 1
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",TAKENBACK
			! complete 1
			COMPLETE`},
		{"two at the same time", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			ASK
			F< {V2,"id":"b-2",SIGNIN
			F> {V2,"id":"b-2","result":{"action":"accept"}}
			Q< 2 accepted
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			Q< 1 declined
			ASK
			F< {V2,"id":"b-3",SIGNIN`},
		{"answered twice", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","result":{"action":"decline"}}
			Q< 1 declined
			F> {V2,"id":"b-1","result":{"action":"accept"}}`},
		{"an answer to another id", `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-2","result":{"action":"accept"}}
			F> {V2,"id":"b-01","result":{"action":"accept"}}
			F> {V2,"id":1,"result":{"action":"accept"}}
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			Q< 1 accepted`},
		{"beside a question of the server", `
			F> {V2,"id":7,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {V2,"id":2,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}}
			F< {V2,"id":"b-1","method":"roots/list"}
			ASK
			F< {V2,"id":"b-2",SIGNIN
			F> {V2,"method":"notifications/cancelled","params":{"requestId":7}}
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1","reason":"The request that needed this has ended."}}
			F> {V2,"id":"b-2","result":{"action":"accept"}}
			Q< 1 accepted`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asking(t, tt.script)
		})
	}
}

// What is no answer is the same as an error of the front.
//
// req: S05
func TestT134AnswerThatIsNone(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"no action", `{"jsonrpc":"2.0","id":"b-1","result":{}}`},
		{"an unknown action", `{"jsonrpc":"2.0","id":"b-1","result":{"action":"ok"}}`},
		{"an action twice", `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","action":"accept"}}`},
		{"an action that is no text", `{"jsonrpc":"2.0","id":"b-1","result":{"action":true}}`},
		{"null", `{"jsonrpc":"2.0","id":"b-1","result":null}`},
		{"an array", `{"jsonrpc":"2.0","id":"b-1","result":["accept"]}`},
		{"long", `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","x":"` + strings.Repeat("x", maxInside) + `"}}`},
		{"no result (T126)", `{"jsonrpc":"2.0","id":"b-1"}`},
		{"a line that is broken (T126)", `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asking(t, `
				ASK
				F< {V2,"id":"b-1",SIGNIN
				F> `+tt.line+`
				Q< 1 unanswered
				F> {V2,"id":"b-1","result":{"action":"accept"}}
				! complete 1`)
		})
	}
}

// A front is told once what it can be asked for, and is asked only then.
//
// req: S05
func TestT134WhoIsAsked(t *testing.T) {
	with := func(elicitation string) string {
		s := strings.Replace(handshake, `"elicitation":{"form":{},"url":{}}},"clientInfo"`, elicitation+`},"clientInfo"`, 1)
		return strings.Replace(s, `,"elicitation":{"form":{},"url":{}}`, ``, 1)
	}
	early := strings.Replace(handshake, `F> {"method":"notifications/initialized","jsonrpc":"2.0"}`, ``, 1)
	for _, tt := range []struct {
		name, script string
		o            Options
		asks         int
		can          bool
	}{
		{"before anything", "", Options{Rand: zeros{}}, 0, false},
		{"before initialized", early, Options{Rand: zeros{}}, 0, false},
		{"initialized", handshake, Options{Rand: zeros{}}, 1, true},
		{"initialized twice", handshake + initialized, Options{Rand: zeros{}}, 1, true},
		{"no random bytes", handshake, Options{}, 1, false},
		{"forms alone", with(`"elicitation":{"form":{}}`), Options{Rand: zeros{}}, 1, false},
		{"forms of old", with(`"elicitation":{}`), Options{Rand: zeros{}}, 1, false},
		{"no elicitation", with(`"x":1`), Options{Rand: zeros{}}, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, tt.o)
			p.inputs(tt.script)
			p.wrote = nil
			p.input("!", "ask "+signInPage)
			if p.asks != tt.asks || p.canAsk != tt.can {
				t.Errorf("told %d times, the last time %t; want %d, %t", p.asks, p.canAsk, tt.asks, tt.can)
			}
			if put := p.asked[0] != nil; put != tt.can || len(p.wrote) > 0 != tt.can {
				t.Errorf("put %t, wrote %q; want %t", put, p.wrote, tt.can)
			}
		})
	}
}

// Nobody waits for an answer once one of the two sides has gone, and nobody is asked any
// more.
//
// req: S05
func TestT134EndOfTheSession(t *testing.T) {
	const over = `
		W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",TAKENBACK
		Q< 1 abandoned
		! ask https://auth.example/
		! withdraw 1
		! complete 1`
	for _, end := range []string{"end", "lost upstream_exited"} {
		t.Run(end, func(t *testing.T) {
			p := asking(t, `
				ASK
				F< {V2,"id":"b-1",SIGNIN
				! `+end+over)
			if p.asked[1] != nil {
				t.Error("asked after it")
			}
		})
	}
	t.Run("the front goes while a request is in flight", func(t *testing.T) {
		asking(t, `
			F> {V2,"id":7,"method":"tools/call","params":{"name":"t"}}
			U< {V2,"id":2,"method":"tools/call","params":{"name":"t",META}}
			ASK
			F< {V2,"id":"b-1",SIGNIN
			! end`+over)
	})
	t.Run("a page that was opened", func(t *testing.T) {
		asking(t, `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			F> {V2,"id":"b-1","result":{"action":"accept"}}
			Q< 1 accepted
			! end
			! complete 1`)
	})
	t.Run("the input of the upstream ends although a question waits", func(t *testing.T) {
		p := asking(t, `
			ASK
			F< {V2,"id":"b-1",SIGNIN
			! end
			W< {V2,"method":"notifications/cancelled","params":{"requestId":"b-1",TAKENBACK
			Q< 1 abandoned`)
		if !p.ended {
			t.Error("the input of the upstream has not ended")
		}
	})
}

// A question of the caller's takes no slot, and has no turn to wait for.
//
// req: S05
func TestT134CountsNowhere(t *testing.T) {
	p := opened(t, Options{Rand: zeros{}, Limits: Limits{InFlight: 1, Inputs: 1, InputBurst: 1, InputRate: 1}})
	p.input("F>", callTool)
	p.wrote = nil
	for range 100 {
		p.input("!", "ask "+signInPage)
	}
	if got := len(p.wrote); got != 100 || len(p.timers) != 1 {
		t.Errorf("%d questions, want 100; timers %v, want that of the call", got, p.timers)
	}
	p.wrote = nil
	p.play(roundWords.Replace(`
		U> {V2,"id":2,ASKS"inputRequests":{"r":ROOTS}}}
		F< {V2,"id":"b-101","method":"roots/list"}`))
}
