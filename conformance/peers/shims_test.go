package peers

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/exchange"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// Both SDKs have a way of their own to serve an older client by handlers that are
// written for 2026-07-28. The same client sees the same through the bridge in front
// of the same handlers, but for what testdata/shims.tsv lists with its reason.
//
// req: W09, W16
func TestBridgeAgainstShims(t *testing.T) {
	kit, bridge := prepared(t)
	for _, plan := range []string{"ts2026", "go"} {
		t.Run(plan, func(t *testing.T) {
			shim, through := t.TempDir(), t.TempDir()
			a := played(t, kit, run.Session{Plan: plan, Shim: true, Record: shim})
			b := played(t, kit, run.Session{Plan: plan, Bridge: bridge, Record: through})
			checkFrames(t, b)
			differences, err := exchange.Compare(recordOf(t, shim, run.Front), recordOf(t, through, run.Front))
			if err != nil {
				t.Fatal(err)
			}
			checkListed(t, plan, append(differences, outcomeDifferences(a, b)...))
		})
	}
}

// outcomeDifferences are those between the steps of two sessions.
func outcomeDifferences(a, b *run.Report) []exchange.Difference {
	var all []exchange.Difference
	for _, s := range a.Steps {
		if got := step(b, s.Name).Outcome; got != s.Outcome {
			all = append(all, exchange.Difference{Exchange: "step " + s.Name, Path: "outcome", A: s.Outcome, B: got})
		}
	}
	return all
}

// checkListed wants of the listed differences each to be seen, and no other.
func checkListed(t *testing.T, plan string, seen []exchange.Difference) {
	t.Helper()
	rows := listed(t, plan)
	var want []exchange.Difference
	for _, r := range rows {
		if r.Exchange != anything && r.B != anything {
			want = append(want, r)
			continue
		}
		n := len(seen)
		seen = slices.DeleteFunc(seen, func(d exchange.Difference) bool { return matches(r, d) })
		if len(seen) == n && r.B != anything {
			t.Errorf("not seen: %v", r)
		}
	}
	slices.SortFunc(seen, byPlace)
	slices.SortFunc(want, byPlace)
	if diff := gocmp.Diff(want, seen); diff != "" {
		t.Errorf("differences between the shim (A) and the bridge (B) (-listed +seen):\n%s", diff)
		for _, d := range seen {
			if !slices.Contains(want, d) {
				t.Logf("a row would be\n%s", strings.Join([]string{plan, d.Exchange, d.Path, d.A, d.B, "REASON"}, "\t"))
			}
		}
	}
}

// anything in a row stands for each exchange, or for whatever the bridge has there, which
// may be the same.
const anything = "*"

func matches(row, d exchange.Difference) bool {
	if row.Exchange == anything {
		d.Exchange = anything
	}
	if row.B == anything {
		d.A, d.B = row.A, anything
	}
	return d == row
}

// listed reads the rows of a plan.
func listed(t *testing.T, plan string) []exchange.Difference {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "shims.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []exchange.Difference
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if line := lines.Text(); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 6 || cells[5] == "" {
			t.Fatalf("row %q has no reason, or not six cells", lines.Text())
		}
		if cells[0] == plan {
			all = append(all, exchange.Difference{Exchange: cells[1], Path: cells[2], A: cells[3], B: cells[4]})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func byPlace(a, b exchange.Difference) int {
	return cmp.Or(cmp.Compare(a.Exchange, b.Exchange), cmp.Compare(a.Path, b.Path))
}
