package peers

import (
	"path/filepath"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// shortPlan are the steps for a server that has tools alone.
const shortPlan = "initialize,version,ping,tools,call,bad,unknown-tool,unknown-method,roots-changed,flight50,exit"

// An older server behind the bridge does each step that it does without: one that ignores
// the end of its input too, which is stopped.
//
// req: W16
func TestOlderServers(t *testing.T) {
	kit, bridge := prepared(t)
	for _, tt := range []struct {
		plan, steps string
		wanted      int // steps that pass
	}{
		{"everything", "", 30},
		{"filesystem", shortPlan, 11},
		{"memory", shortPlan, 11},
	} {
		t.Run(tt.plan, func(t *testing.T) {
			t.Setenv("MEMORY_FILE_PATH", filepath.Join(t.TempDir(), "memory.jsonl"))
			direct := played(t, kit, run.Session{Plan: tt.plan, Steps: tt.steps})
			through := played(t, kit, run.Session{Plan: tt.plan, Steps: tt.steps, Bridge: bridge})
			passed := 0
			for _, s := range direct.Steps {
				got := step(through, s.Name)
				if s.Outcome == "ok" {
					passed++
				}
				if got.Outcome != s.Outcome && got.Outcome != "ok" {
					t.Errorf("step %s: %s (%s), without the bridge %s", s.Name, got.Outcome, got.Detail, s.Outcome)
				}
			}
			if passed < tt.wanted {
				t.Errorf("%d steps pass without the bridge, want %d", passed, tt.wanted)
			}
			checkFrames(t, through)
		})
	}
}
