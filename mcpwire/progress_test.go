package mcpwire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// watched opens a session with a call that wants progress under a token of the
// front.
func watched(t *testing.T, token string) *player {
	t.Helper()
	p := opened(t, Options{})
	p.play(`
		F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":` + token + `}}}
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + `,"progressToken":2}}}`)
	return p
}

// req: W14
func TestT140(t *testing.T) {
	for _, token := range []string{`"4c0e"`, `0`, `-5`, `9007199254740993`, `"\u0041"`, `""`} {
		watched(t, token).play(`
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":3,"total":10,"message":"a \u0041","x":1,"_meta":{"y":1}}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":3,"total":10,"message":"a \u0041"}}
			U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":4}}`)
	}
	t.Run("values pass as they came, and bad ones are left out", func(t *testing.T) {
		watched(t, `1`).play(`
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1.50E0,"total":"10","message":7}}
			F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1.50E0}}`)
	})
	t.Run("other tokens", func(t *testing.T) {
		p := watched(t, `"4c0e"`)
		for _, token := range []string{`"4c0e"`, `"2"`, `1`, `3`, `null`, `-2`, `2.5`, `4294967298`} {
			p.play(`U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":1}}`)
		}
		p.play(`U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}
			U> {"jsonrpc":"2.0","method":"notifications/progress"}`)
	})
	t.Run("tokens that are none", func(t *testing.T) {
		for _, token := range []string{`null`, `1.5`, `{}`, `true`, `1,"progressToken":2`} {
			opened(t, Options{}).play(`
				F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":` + token + `}}}
				U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
				U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`)
		}
	})
}

// req: W14
func TestT141(t *testing.T) {
	p := watched(t, `"k"`)
	line := func(value string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":` + value + `}}`
	}
	for _, step := range []struct {
		value  string
		passes bool
	}{{"-1", true}, {"0", true}, {"0", false}, {"-3", false}, {"0.5", true}, {"0.50", false}, {"1e300", true}, {"1e400", false}, {"true", false}, {`"5"`, false}, {"2e300", true}} {
		p.now = p.now.Add(time.Second)
		p.input("U>", line(step.value))
		if step.passes {
			p.want("F< " + strings.Replace(line(step.value), `"progressToken":2`, `"progressToken":"k"`, 1))
		}
		p.silent("the value after " + step.value)
	}
}

// burst plays as much progress as may pass at once.
func burst(t *testing.T) *player {
	t.Helper()
	p := watched(t, `"k"`)
	const atOnce = 10
	for i := range atOnce {
		p.input("U>", progressUp(i-atOnce))
		p.want(progressFront(i - atOnce))
	}
	return p
}

func progressUp(i int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":%d}}`, i)
}

func progressFront(i int) string {
	return fmt.Sprintf(`F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":%d}}`, i)
}

// req: W14
func TestT142(t *testing.T) {
	p := burst(t)
	start := p.now
	p.play(`U> ` + progressUp(2) + `
		U> ` + progressUp(3) + `
		! fire progress
		` + progressFront(3))
	if got, want := p.now.Sub(start), 25*time.Millisecond; got != want {
		t.Errorf("progress is held back for %v, want %v", got, want)
	}
	p.play(`
		U> ` + progressUp(4) + `
		! wait 25ms
		U> ` + progressUp(5) + `
		` + progressFront(5))
	if len(p.timers) != 1 {
		t.Errorf("timers %v after the one that was held is out of date, want that of the request", p.timers)
	}
	p.play(`
		U> ` + progressUp(6) + `
		U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
		` + progressFront(6) + `
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	if len(p.timers) != 0 {
		t.Errorf("timers %v after the answer", p.timers)
	}
}

// However progress comes, no second holds more than 50.
//
// req: W14
func TestT142EverySecond(t *testing.T) {
	p := watched(t, `"k"`)
	begin := p.now
	var sent []time.Duration
	note := func() {
		for range p.wrote {
			sent = append(sent, p.now.Sub(begin))
		}
		p.wrote = nil
	}
	for i := range 3000 { // one a millisecond
		now := begin.Add(time.Duration(i) * time.Millisecond)
		if timer, ok := p.next(TimerProgress); ok && !timer.At.After(now) {
			p.input("!", "fire progress")
			note()
		}
		p.now = now
		p.input("U>", progressUp(i))
		note()
	}
	most := 0
	for i := range sent {
		j := i
		for j < len(sent) && sent[j]-sent[i] < time.Second {
			j++
		}
		most = max(most, j-i)
	}
	if most > 50 || len(sent) < 125 {
		t.Errorf("%d notifications in one second, %d in three; want at most 50, and nearly that", most, len(sent))
	}
}

// Progress that is held back comes before every end but a cancellation.
//
// req: W14
func TestT143(t *testing.T) {
	held := func(t *testing.T) *player {
		p := burst(t)
		p.input("U>", progressUp(1))
		p.input("U>", progressUp(2))
		p.silent("the end")
		return p
	}
	invalid := `"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`
	for _, tt := range []struct{ name, event, end string }{
		{"an error of the server", `U> {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}`, `"error":{"code":1,"message":"x"}}`},
		{"the loss of the server", `! lost upstream_exited`, `"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`},
		{"a violation", `U> {"jsonrpc":"2.0","id":2,"result":7}`, invalid},
		{"a bad line", `U> {"jsonrpc":"2.0","id":2,"result":07}`, invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := held(t)
			p.play(tt.event + `
				` + progressFront(2) + `
				F< {"jsonrpc":"2.0","id":7,` + tt.end)
			if len(p.timers) != 0 {
				t.Errorf("timers %v at the end", p.timers)
			}
		})
	}
	t.Run("a cancellation", func(t *testing.T) {
		p := held(t)
		p.play(`
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
			X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		if len(p.timers) != 0 {
			t.Errorf("timers %v after the cancellation", p.timers)
		}
	})
	t.Run("a request that is sent again", func(t *testing.T) {
		p := held(t)
		p.input("U>", `{"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}`)
		p.want(progressFront(2))
		p.wrote = nil
		if _, ok := p.next(TimerProgress); ok {
			t.Error("the timer of the old id is left")
		}
	})
	t.Run("none comes once the answer is here", func(t *testing.T) {
		p := opened(t, Options{})
		p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"progressToken":"k"}}}`)
		p.wrote = nil
		p.play(`
			! hold
			U> {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
			U> ` + progressUp(1) + `
			! commit
			F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}
			U> ` + progressUp(2))
	})
	t.Run("a long text is left out", func(t *testing.T) {
		watched(t, `"k"`).play(`
			U> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"message":"` + strings.Repeat("x", maxProgressText) + `"}}
			` + progressFront(1))
	})
}
