package checks

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dutiesHead is the head of the table of duties in THREATMODEL.md.
const dutiesHead = "| what | the front | the bridge |"

// duties are the rows that the table must have.
var duties = []string{
	"consent", "a form", "a page to open", "sampling", "`includeContext` of a sampling request", "folders (roots)",
}

var (
	proof      = regexp.MustCompile(`\b(?:[TIU][0-9]+|Test[A-Z]\w*)\b`)
	testNumber = regexp.MustCompile(`^Test([TIU][0-9]+)(?:[^0-9]|$)`)
)

// One table says which side does which duty when a server asks. What it says of the bridge, it says
// with a test or a rule, and each rule has a test or a row of its own; so the page promises nothing
// that is not proven, or known to be open. That the front does its part no test here can see.
//
// req: I15
func TestI15TableOfDuties(t *testing.T) {
	text := string(read(t, threatModel))
	if n := strings.Count(text, dutiesHead); n != 1 {
		t.Fatalf("%s has %d tables of duties, want one", threatModel, n)
	}
	known := testedRules(t)
	for _, r := range rows(t) {
		known[r.ID] = true
	}
	var seen []string
	for _, cells := range dutyRows(text) {
		what, front, bridge := cells[0], cells[1], cells[2]
		seen = append(seen, what)
		if front == "" || bridge == "" {
			t.Errorf("%s: a side has nothing, not even a dash: %q", what, cells)
		}
		rules := proof.FindAllString(bridge, -1)
		if len(rules) == 0 {
			t.Errorf("%s: no rule says that the bridge does it", what)
		}
		for _, name := range rules {
			if !known[name] {
				t.Errorf("%s: %s is no test, no rule with a test and no row", what, name)
			}
		}
	}
	for _, d := range duties {
		if !slices.Contains(seen, d) {
			t.Errorf("no row for %s", d)
		}
	}
}

// dutyRows returns the cells of the table.
func dutyRows(text string) [][]string {
	_, table, _ := strings.Cut(text, dutiesHead+"\n|---|---|---|\n")
	var out [][]string
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out = append(out, append(cells, "", "", "")[:3])
	}
	return out
}

// testedRules returns the names of all tests, and the rules that they are named after.
func testedRules(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test() {
			continue
		}
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !isTest(f.Name.Name) {
				continue
			}
			out[f.Name.Name] = true
			if m := testNumber.FindStringSubmatch(f.Name.Name); m != nil {
				out[m[1]] = true
			}
		}
	}
	return out
}
