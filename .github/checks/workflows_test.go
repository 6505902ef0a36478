package checks

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	pinned  = regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	modules = regexp.MustCompile(`(?m)^\s*module: \[(.*)\]$`)
)

// grants are what the jobs of a workflow may do beyond reading.
var grants = map[string][]string{
	"pages.yml": {"id-token: write", "pages: write"}, // without which nothing is published
}

// A tag of an action can be moved, so only a commit is trusted; and no job gets more than it needs.
func TestWorkflows(t *testing.T) {
	for _, file := range files(t) {
		if path.Dir(file) != ".github/workflows" {
			continue
		}
		text := string(read(t, file))
		checkouts := 0
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.Contains(line, "uses: ") && !pinned.MatchString(line) {
				t.Errorf("%s: %q is not pinned to a commit with its version in a comment", file, line)
			}
			if grant, _, _ := strings.Cut(line, " #"); strings.Contains(grant, ": write") && !slices.Contains(grants[path.Base(file)], grant) {
				t.Errorf("%s: %q is more than it needs", file, line)
			}
			if strings.Contains(line, "uses: actions/checkout@") {
				checkouts++
			}
		}
		// Each job begins with a checkout.
		for _, want := range []string{"persist-credentials: false", "timeout-minutes: ", `run: test -z "$(git status --porcelain)"`} {
			if got := strings.Count(text, want); got != checkouts {
				t.Errorf("%s: %d of %d jobs have %q", file, got, checkouts, want)
			}
		}
		for _, want := range []string{"\npermissions:\n  contents: read\n", "\nconcurrency:\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", file, strings.TrimSpace(want))
			}
		}
		if strings.Contains(text, "write-all") || strings.Contains(text, "pull_request_target") {
			t.Errorf("%s asks for more than it needs", file)
		}
	}
}

// A job that runs once for each module names every module.
func TestWorkflowModules(t *testing.T) {
	var want []string
	for _, m := range repo(t).Modules {
		want = append(want, m.Rel)
	}
	for _, file := range []string{"alone.yml", "nightly.yml"} {
		m := modules.FindStringSubmatch(string(read(t, ".github/workflows/"+file)))
		if m == nil || m[1] != strings.Join(want, ", ") {
			t.Errorf("%s names the modules %q, want %q", file, m, strings.Join(want, ", "))
		}
	}
}
