// Package threat reads the table of requirement rows in THREATMODEL.md.
package threat

import (
	"fmt"
	"regexp"
	"strings"
)

// None stands in the column of tests of a row that no test covers.
const None = "–"

// A Row is one requirement: what must hold, which module sees to it, which tests prove it.
type Row struct {
	ID, Title, Module string
	Tests             []string // module:TestName or module:TestName/subtest
	State             string
}

// Done reports whether the row counts as proven.
func (r Row) Done() bool { return r.State == "done" }

var row = regexp.MustCompile(`^\| ([A-Z][0-9]{2}) \|`)

// Parse returns the rows of the document in order.
func Parse(text string) ([]Row, error) {
	var out []Row
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !row.MatchString(line) {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 5 {
			return nil, fmt.Errorf("parse %q: %d columns, want 5", line, len(cells))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		r := Row{ID: cells[0], Title: cells[1], Module: cells[2], State: cells[4]}
		if cells[3] != None {
			for name := range strings.SplitSeq(cells[3], ",") {
				r.Tests = append(r.Tests, strings.TrimSpace(name))
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// String is the row as it stands in the document.
func (r Row) String() string {
	tests := None
	if len(r.Tests) > 0 {
		tests = strings.Join(r.Tests, ", ")
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.ID, r.Title, r.Module, tests, r.State)
}
