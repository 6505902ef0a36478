package mcpwire

import (
	"strings"
	"testing"
)

// FuzzListen gives a session that listens any lines from both sides. Whatever comes,
// no change of the front is left behind, only the four kinds of events reach it, and
// none names a stream.
func FuzzListen(f *testing.F) {
	seed := func(script string) {
		var lines []string
		for line := range strings.Lines(strings.ReplaceAll(script, "META", meta+"}")) {
			if op, text, _ := strings.Cut(strings.TrimSpace(line), " "); op == "F>" || op == "U>" || op == "!" {
				lines = append(lines, op[:1]+text)
			}
		}
		f.Add(strings.Join(lines, "\n"))
	}
	seed(watching + updatedUp(2, "u:a") + subscribe(2, "u:b") + unsubscribe(3, "u:a") + endUp(2) + ackUp(3, uris("b")))
	seed(active + changedUp(2, "tools") + cancelUp(2) + fireWait + ackUp(3, lists) + failUp(3, -32601) + subscribe(1, "u:a"))
	seed(active + subscribe(1, "u:a") + cancelFront(1) + fireWait + ackUp(3, `{"resourceSubscriptions":["u:a",1,"u:a"],"x":{}}`))
	f.Fuzz(func(t *testing.T, script string) {
		p := ready(t, Options{Profile: VSCode}, everything)
		for line := range strings.SplitSeq(script, "\n") {
			text := line[min(1, len(line)):]
			switch _, armed := p.timers[TimerID{Kind: TimerListen}]; {
			case strings.HasPrefix(line, "F"):
				p.fuzzLine(Front, text)
			case strings.HasPrefix(line, "U"):
				p.fuzzListen(text)
			case line == "!fire listen" && armed:
				p.input("!", text)
			}
			p.wrote = nil
			checkListener(t, p)
		}
	})
}

// fuzzListen hands in a line of the upstream, and checks what the front gets of it.
func (p *player) fuzzListen(text string) {
	if strings.TrimRight(text, "\r \t") == "" {
		return
	}
	p.input("U>", text)
	for _, line := range p.wrote {
		event, ok := strings.CutPrefix(line, `F< {"jsonrpc":"2.0","method":"notifications/`)
		if !ok {
			continue
		}
		kind, _, _ := strings.Cut(event, `"`)
		switch kind {
		case "tools/list_changed", "prompts/list_changed", "resources/list_changed", "resources/updated":
		default:
			p.t.Errorf("wrote %s", line)
		}
		if m := parse(p.t, strings.TrimPrefix(line, "F< ")); !subscriptionID(m).IsZero() {
			p.t.Errorf("the front gets the number of a stream: %s", line)
		}
	}
}
