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

func TestT141(t *testing.T) {
	p := watched(t, `"k"`)
	line := func(value string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":` + value + `}}`
	}
	for _, step := range []struct {
		value  string
		passes bool
	}{{"-1", true}, {"0", true}, {"0", false}, {"-3", false}, {"0.5", true}, {"0.50", false}, {"1e300", true}, {"1e400", false}, {"true", false}, {`"5"`, false}, {"2e300", true}} {
		p.input("U>", line(step.value))
		if step.passes {
			p.want("F< " + strings.Replace(line(step.value), `"progressToken":2`, `"progressToken":"k"`, 1))
		}
		p.silent("the value after " + step.value)
	}
}

// req: W14
func TestT142(t *testing.T) {
	p := watched(t, `"k"`)
	up := func(i int) {
		p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":%d}}`, i))
	}
	front := func(i int) string {
		return fmt.Sprintf(`F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":%d}}`, i)
	}
	for i := 1; i <= 50; i++ {
		up(i)
		p.want(front(i))
	}
	for i := 51; i <= 500; i++ { // too many: the newest is kept
		up(i)
	}
	p.silent("the timer")
	start := p.now
	p.play(`! fire progress
		` + front(500))
	if got, want := p.now.Sub(start), 20*time.Millisecond; got != want {
		t.Errorf("progress is held back for %v, want %v", got, want)
	}
	up(501)
	up(502)
	p.play(`U> {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
		` + front(502) + `
		F< {"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	if len(p.timers) != 0 {
		t.Errorf("timers %v after the answer", p.timers)
	}
}

// Progress that is held back comes before an error too, and never after an end.
func TestT143(t *testing.T) {
	flood := func(t *testing.T) *player {
		p := watched(t, `"k"`)
		for i := range 60 {
			p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":%d}}`, i))
		}
		p.wrote = nil
		return p
	}
	last := `F< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"k","progress":59}}`
	flood(t).play(`
		U> {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}
		` + last + `
		F< {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}`)
	p := flood(t)
	p.play(`
		F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	if len(p.timers) != 0 {
		t.Errorf("timers %v after the cancellation", p.timers)
	}
}
