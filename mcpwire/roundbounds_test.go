package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each limit of a round holds where it is set to: what is at it passes, and what is one
// over it ends the request.
//
// req: I06, I07
func TestLimitsOfRoundsThatAreSet(t *testing.T) {
	const n = 7
	for _, tt := range []struct {
		name   string
		limits Limits
		over   string                                  // how the request ends
		passes func(t *testing.T, p *player, size int) // plays one of this size up to the last step, which the caller looks at
	}{
		{"rounds", Limits{Rounds: n}, "rounds_exhausted", func(t *testing.T, p *player, size int) {
			for i := range size {
				p.wrote = nil
				p.input("U>", roundWords.Replace(fmt.Sprintf(`{V2,"id":%d,ASKS"inputRequests":{"r":ROOTS}}}`, i+2)))
				if i < size-1 {
					p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":"b-%d","result":{"roots":[]}}`, i+1))
				}
			}
		}},
		{"rounds that ask nothing", Limits{Rounds: n}, "rounds_exhausted", func(t *testing.T, p *player, size int) {
			for i := range size {
				p.wrote = nil
				p.input("U>", roundWords.Replace(fmt.Sprintf(`{V2,"id":%d,ASKS"requestState":"s"}}`, i+2)))
				if i < n {
					p.input("!", "fire request")
				}
			}
		}},
		{"questions of a round", Limits{Inputs: n}, "input_limit", func(t *testing.T, p *player, size int) {
			p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":`+ask(size)+`}}`))
			if size <= n && len(p.wrote) != size {
				t.Errorf("%d questions, want %d", len(p.wrote), size)
			}
		}},
		{"bytes of the state", Limits{RequestState: n}, "input_limit", func(t *testing.T, p *player, size int) {
			state := `"` + strings.Repeat("s", size-2) + `"`
			p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"requestState":`+state+`}}`))
			if size <= n {
				p.input("!", "fire request")
				if !strings.Contains(p.wrote[0], `"requestState":`+state+`,`) {
					t.Errorf("wrote %s, want the state", p.wrote[0])
				}
			}
		}},
	} {
		for _, size := range []int{n - 1, n, n + 1} {
			t.Run(fmt.Sprintf("%s: %d", tt.name, size), func(t *testing.T) {
				p := round(t, Options{Limits: tt.limits}, ``)
				tt.passes(t, p, size)
				if len(p.wrote) == 0 {
					t.Fatal("nothing was written")
				}
				if got, want := strings.Contains(p.wrote[0], `"cause":"`+tt.over+`"`), size > n; got != want {
					t.Errorf("%.200s: over the limit: %v, want %v", p.wrote[0], got, want)
				}
			})
		}
	}
}

// So many questions go out at once, and the next ones as the rate lets them.
//
// req: I13
func TestI13RateThatIsSet(t *testing.T) {
	for _, tt := range []struct {
		limits Limits
		first  int // questions of the first round
		second int // and of the next one
		waits  time.Duration
	}{
		{Limits{InputRate: 4, InputBurst: 5, Inputs: 3}, 3, 1, 0},
		{Limits{InputRate: 4, InputBurst: 5, Inputs: 3}, 3, 2, 0},
		{Limits{InputRate: 4, InputBurst: 5, Inputs: 3}, 3, 3, 250 * time.Millisecond},
		{Limits{InputRate: 1, InputBurst: 5, Inputs: 3}, 3, 3, time.Second},
		{Limits{InputRate: 4, InputBurst: 1, Inputs: 3}, 3, 1, 250 * time.Millisecond}, // a round always fits
		{Limits{}, 16, 3, 0},
		{Limits{}, 16, 4, 0},
		{Limits{}, 16, 5, 100 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%+v", tt), func(t *testing.T) {
			p := round(t, Options{Limits: tt.limits}, `
				F> {V2,"id":8,"method":"tools/call","params":{"name":"t"}}
				U< {V2,"id":3,CALLEDMETA}}`)
			p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":`+ask(tt.first)+`}}`))
			if len(p.wrote) != tt.first {
				t.Fatalf("%d questions of the first round, want %d", len(p.wrote), tt.first)
			}
			p.wrote = nil
			p.input("U>", roundWords.Replace(`{V2,"id":3,ASKS"inputRequests":`+ask(tt.second)+`}}`))
			if tt.waits > 0 {
				if len(p.wrote) != 0 {
					t.Fatalf("%d questions over the rate", len(p.wrote))
				}
				from := p.now
				p.input("!", "fire request")
				if got := p.now.Sub(from); got != tt.waits {
					t.Errorf("they wait %v, want %v", got, tt.waits)
				}
			}
			if len(p.wrote) != tt.second {
				t.Errorf("%d questions, want %d", len(p.wrote), tt.second)
			}
		})
	}
}

// The _meta of an answer has the bound of that of a request.
//
// req: W10
func TestExtraMetaOfAnAnswer(t *testing.T) {
	const name = `"vscode.a":`
	for _, limit := range []int{len(meta), standard.ExtraMeta} {
		for over := -1; over <= 1; over++ {
			entry := name + `"` + strings.Repeat("x", limit+over-len(name)-len(`,""`)) + `"` // a comma is counted
			want := `,"_meta":{` + entry + `}`
			if over > 0 {
				want = ``
			}
			p := round(t, Options{Limits: Limits{ExtraMeta: limit}}, ``)
			p.input("U>", roundWords.Replace(`{V2,"id":2,ASKS"inputRequests":{"m":MODEL,"r":ROOTS}}}`))
			p.wrote = nil
			p.play(roundWords.Replace(`
				F> {V2,"id":"b-1","result":{"role":"user","model":"m","content":[],"_meta":{` + entry + `}}}
				F> {V2,"id":"b-2","result":{"roots":[{"uri":"file:///w","_meta":{` + entry + `}}]}}
				U< {V2,"id":3,CALLED"inputResponses":{"m":{"role":"user","model":"m","content":[]` + want + `},"r":{"roots":[{"uri":"file:///w"` + want + `}]}},META}}`))
		}
	}
}
