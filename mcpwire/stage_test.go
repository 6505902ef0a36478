package mcpwire

import (
	"strings"
	"testing"
)

// The table of stages, row by row. The front holds u:a but for the stages off and idle.
//
// req: N01, N02, N03
func TestStages(t *testing.T) {
	const granted = `{"resourceSubscriptions":["u:a"]}`
	setup := map[stage]string{ // with the stream 2 as the newest one
		stageOff:      ``,
		stageOpening:  subscribe(1, "u:a"),
		stageActive:   subscribe(1, "u:a") + ackUp(2, granted),
		stageIdle:     initialized + ackUp(2, `{}`),
		stageDraining: subscribe(1, "u:a") + ackUp(2, granted) + subscribe(2, "u:b"),
		stageWaiting:  subscribe(1, "u:a") + ackUp(2, granted) + endUp(2),
		stageStopped:  subscribe(1, "u:a") + ackUp(2, granted) + failUp(2, codeInvalidParams),
	}
	inputs := map[string]string{
		"change":       subscribe(3, "u:c"),
		"acknowledged": ackUp(2, granted),
		"ended":        endUp(2),
		"refused":      failUp(2, codeInvalidParams),
		"time":         "\n! fire listen",
		"lost":         "\n! lost upstream_exited",
	}
	for from, want := range map[stage]map[string]stage{
		stageOff:      {"change": stageOpening, "acknowledged": stageOff, "ended": stageOff, "lost": stageOff},
		stageOpening:  {"change": stageOpening, "acknowledged": stageActive, "ended": stageOff, "time": stageOff, "lost": stageOff},
		stageActive:   {"change": stageDraining, "acknowledged": stageActive, "ended": stageWaiting, "refused": stageStopped, "lost": stageOff},
		stageIdle:     {"change": stageDraining, "acknowledged": stageIdle, "ended": stageIdle, "lost": stageOff},
		stageDraining: {"change": stageDraining, "acknowledged": stageDraining, "ended": stageOpening, "refused": stageOpening, "time": stageOpening, "lost": stageOff},
		stageWaiting:  {"change": stageOpening, "acknowledged": stageWaiting, "ended": stageWaiting, "time": stageOpening, "lost": stageOff},
		stageStopped:  {"change": stageOpening, "acknowledged": stageStopped, "ended": stageStopped, "lost": stageOff},
	} {
		for input, to := range want {
			capabilities := onlyURIs
			if from == stageIdle {
				capabilities = onlyURIs + `,"tools":{"listChanged":true}`
			}
			p := ready(t, Options{}, capabilities)
			p.inputs(setup[from])
			if got := p.session.core.listen.stage; got != from {
				t.Fatalf("stage %d after the setup of %d", got, from)
			}
			p.inputs(inputs[input])
			if got := p.session.core.listen.stage; got != to {
				t.Errorf("stage %d, %s: becomes %d, want %d", from, input, got, to)
			}
		}
	}
}

// inputs plays the inputs of a script, whatever is written.
func (p *player) inputs(script string) {
	p.t.Helper()
	for line := range strings.Lines(script) {
		if op, text, _ := strings.Cut(strings.TrimSpace(line), " "); op != "" {
			p.input(op, text)
		}
	}
}
