package peers

import (
	"slices"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/exchange"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// chosen are values that the bridge chooses anew in each session.
var chosen = []exchange.Difference{
	{Exchange: "tools/call open_link", Path: "says.notifications/elicitation/complete[0].elicitationId"},
	{Exchange: "tools/call test_tool_with_progress", Path: "answer.result.content[0].text"}, // the token, which the tool returns
}

// An editor is asked, told and answered the same by a server at a URL as by the same
// server over stdio.
func TestTransportIsNotSeen(t *testing.T) {
	kit, bridge := prepared(t)
	for _, plan := range plans {
		t.Run(plan.name, func(t *testing.T) {
			stdio, https := t.TempDir(), t.TempDir()
			played(t, kit, run.Session{Plan: plan.name, Bridge: bridge, Record: stdio})
			played(t, kit, run.Session{Plan: plan.name, Over: run.OverHTTPS, Bridge: bridge, Record: https})
			differences, err := exchange.Compare(recordOf(t, stdio, run.Front), recordOf(t, https, run.Front))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range differences {
				if !slices.Contains(chosen, exchange.Difference{Exchange: d.Exchange, Path: d.Path}) {
					t.Errorf("over stdio (A) and at a URL (B): %v", d)
				}
			}
		})
	}
}
