package bridge

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/lane"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// The README and the comments of Limits say what the constants say.
func TestDocumentedLimits(t *testing.T) {
	want := []string{
		fmt.Sprintf("| %d MiB | `Line` |", defaultLine>>20),
		fmt.Sprintf("| %d levels | `Depth` |", defaultDepth),
		fmt.Sprintf("| %d s each | `Grace` |", int(defaultGrace.Seconds())),
		fmt.Sprintf("| %.0f s | `SignIn.Timeout` |", DefaultSignInTimeout.Seconds()),
		fmt.Sprintf("| %d MiB | `Backlog` |", defaultBacklog>>20),
		fmt.Sprintf("| %d, %d | `JunkBefore`, `Junk` |", defaultJunkBefore, defaultJunk),
		fmt.Sprintf("| %d MiB | none |", lane.Full>>20),
		fmt.Sprintf("| lines that wait for the log | %d | none |", diag.Waiting),
		"| twice `Line` | `Held` |",
		"| 60 s | `Discover` |", "| 120 s | `List` |", "| 120 s | `Read` |", "| 1 h | `Call` |", "| 250 ms | `Drain` |",
		fmt.Sprintf("`Line` and `Backlog` are at most %d MiB.", mostBytes>>20),
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range want {
		if !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks %q", row)
		}
	}
	comments, err := os.ReadFile("limits.go")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(string(comments), "//", "")), " ")
	for _, words := range []string{
		fmt.Sprintf("If zero, it is %d MiB. Line int", defaultLine>>20),
		fmt.Sprintf("is at most %d. If zero, it is %d levels.", maxDepth, defaultDepth),
		fmt.Sprintf("of either side in bytes, at most %d MiB.", mostBytes>>20),
		fmt.Sprintf("is being written, at most %d MiB.", mostBytes>>20),
		fmt.Sprintf("If zero, it is %d seconds. Grace", int(defaultGrace.Seconds())),
		fmt.Sprintf("If zero, Backlog is %d MiB. Backlog int", defaultBacklog>>20),
		fmt.Sprintf("If zero, they are %d and %d. JunkBefore", defaultJunkBefore, defaultJunk),
	} {
		if !strings.Contains(text, words) {
			t.Errorf("limits.go lacks %q", words)
		}
	}
}

func TestZeroLimitsAreTheDefaults(t *testing.T) {
	got := Limits{}.withDefaults()
	want := Limits{Limits: mcpwire.Limits{Held: 128 << 20}, Line: 64 << 20, Depth: 64, Grace: 2e9, Backlog: 16 << 20, JunkBefore: 200, Junk: 10}
	if got != want {
		t.Errorf("withDefaults() = %+v, want %+v", got, want)
	}
	if got := (Limits{Line: 1000}).withDefaults().Held; got != 2000 {
		t.Errorf("with lines of 1000 bytes %d can be held, want 2000", got)
	}
	set := Limits{Limits: mcpwire.Limits{Held: 6}, Line: 1, Depth: 7, Grace: 2, Backlog: 3, JunkBefore: 4, Junk: 5}
	if got := set.withDefaults(); got != set {
		t.Errorf("withDefaults() = %+v, want %+v", got, set)
	}
}
