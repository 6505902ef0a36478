package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/threat"
)

const (
	threatModel  = "THREATMODEL.md"
	requirements = ".github/checks/testdata/requirements.txt"
)

// owners are what the column of modules may hold.
var owners = []string{"jsonrpc", "mcpwire", "oauthloopback", "tokenvault", "bridge", "cmd", "conformance", "documents"}

func rows(t *testing.T) []threat.Row {
	t.Helper()
	out, err := threat.Parse(string(read(t, threatModel)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The document has one row for each requirement, in the order and with the titles of the committed
// list, so that none is dropped, renumbered or reworded on the way.
func TestThreatModelRows(t *testing.T) {
	var got, want []string
	for _, r := range rows(t) {
		got = append(got, r.ID+" "+r.Title)
		if r.State != "open" && r.State != "done" {
			t.Errorf("%s: state %q, want open or done", r.ID, r.State)
		}
		if r.Done() && len(r.Tests) == 0 {
			t.Errorf("%s is done and names no test", r.ID)
		}
		for owner := range strings.SplitSeq(r.Module, ", ") {
			if !slices.Contains(owners, owner) {
				t.Errorf("%s: no module %s", r.ID, owner)
			}
		}
	}
	for line := range strings.Lines(string(read(t, requirements))) {
		want = append(want, strings.TrimSpace(line))
	}
	if slices.Equal(got, want) {
		return
	}
	for _, r := range want {
		if !slices.Contains(got, r) {
			t.Errorf("%s: no row %q", threatModel, r)
		}
	}
	for _, r := range got {
		if !slices.Contains(want, r) {
			t.Errorf("%s: row %q is not in %s", threatModel, r, requirements)
		}
	}
	if !t.Failed() {
		t.Errorf("%s: rows are repeated or in another order than in %s", threatModel, requirements)
	}
}

// Every test that a row names exists and says so itself, and every test that says so is named.
// With -update the column of tests is written anew from the tests.
func TestThreatModelTests(t *testing.T) {
	claims := claims(t)
	if *update {
		writeTests(t, claims)
		return
	}
	byID := map[string]threat.Row{}
	for _, r := range rows(t) {
		byID[r.ID] = r
		for _, name := range r.Tests {
			if !claims.covers(r.ID, name) {
				t.Errorf("%s names %s, but no such test carries // req: %s", r.ID, name, r.ID)
			}
		}
	}
	for _, c := range claims {
		r, found := byID[c.id]
		if !found {
			t.Errorf("%s: // req: %s names no row", c.at, c.id)
			continue
		}
		if !slices.ContainsFunc(r.Tests, func(name string) bool { return testOf(name) == c.test }) {
			t.Errorf("%s: %s carries // req: %s, but that row does not name it", c.at, c.test, c.id)
		}
	}
}

func writeTests(t *testing.T, claims claimList) {
	t.Helper()
	text := string(read(t, threatModel))
	for _, r := range rows(t) {
		before := r.String()
		r.Tests = slices.DeleteFunc(r.Tests, func(name string) bool { return !claims.covers(r.ID, name) })
		for _, c := range claims {
			if c.id == r.ID && !slices.ContainsFunc(r.Tests, func(name string) bool { return testOf(name) == c.test }) {
				r.Tests = append(r.Tests, c.test)
			}
		}
		text = strings.Replace(text, before, r.String(), 1)
	}
	same(t, threatModel, []byte(text))
}

// testOf cuts the subtest off a name.
func testOf(name string) string {
	test, _, _ := strings.Cut(name, "/")
	return test
}
