package peers

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// required are the scenarios of the official suite that are no sign-in, and how many of
// their checks pass.
var required = []struct {
	name   string
	passed int
}{
	{"tools_call", 2},
	{"request-metadata", 8},
	{"sep-2322-client-request-state", 5},
	{"http-standard-headers", 9},
	{"http-custom-headers", 18},
	{"http-invalid-tool-headers", 12},
	{"json-schema-ref-no-deref", 1},
}

// notScored is a scenario that came after the release of the revision.
const notScored = "json-schema-2020-12-preservation"

// Every scenario that the official suite requires of a client of 2026-07-28, but for
// those of a sign-in, passes with every check.
//
// req: W15, W16
func TestOfficialSuite(t *testing.T) {
	kit, bridge := prepared(t)
	driver, err := repository(t).Build(t.Context(), "conformance/peers/cmd/driver", filepath.Join(t.TempDir(), "driver"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	checkRequired(t, ctx, kit)
	all, _, err := kit.Suite(ctx, run.UpstreamRevision, append([]string{driver}, bridge...))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range required {
		t.Run(r.name, func(t *testing.T) { checkScenario(t, all[r.name], r.passed) })
	}
	t.Run(notScored, func(t *testing.T) { checkScenario(t, all[notScored], 9) })
}

// checkRequired wants the table to be what the suite requires.
func checkRequired(t *testing.T, ctx context.Context, kit *run.Kit) {
	t.Helper()
	listed, err := kit.Required(ctx, run.UpstreamRevision)
	if err != nil {
		t.Fatal(err)
	}
	listed = slices.DeleteFunc(listed, func(name string) bool { return strings.HasPrefix(name, "auth/") })
	var want []string
	for _, r := range required {
		want = append(want, r.name)
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("what the suite requires (-table +suite):\n%s", diff)
	}
}

func checkScenario(t *testing.T, s run.Scenario, passed int) {
	t.Helper()
	for _, c := range s.Checks {
		if c.Status == "FAILURE" || c.Status == "WARNING" {
			t.Errorf("%s: %s %s", c.ID, c.Status, c.ErrorMessage)
		}
	}
	if got := s.Passed(); got != passed {
		t.Errorf("%d checks passed, want %d", got, passed)
	}
	if !strings.HasSuffix(s.Log, "driver: done\n") {
		t.Error("the session did not end well")
	}
	if t.Failed() {
		t.Logf("what the driver and the bridge logged:\n%s", s.Log)
	}
}
