package matrix

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The rows of the table of mcpwire, by their first cell.
const (
	rowRevision      = "revision"
	rowLists         = "lists, `tools/call`, `resources/read`, `prompts/get`, completion"
	rowAsk           = "elicitation by form or URL, sampling, roots: inside a call, a read or a prompt"
	rowAnytime       = "the same at any other time"
	rowOlderAsk      = "elicitation for a front before 2025-06-18, URLs before 2025-11-25"
	rowChoices       = "several choices at once in a form, for a front of 2025-06-18"
	rowProgress      = "progress"
	rowLog           = "log level and log messages"
	rowChanges       = "changes of lists"
	rowSubscriptions = "subscriptions"
	rowPageEnd       = "end of an elicitation by URL"
	rowPageError     = "error -32042"
	rowCancel        = "cancellation by the front"
	rowServerCancel  = "cancellation by the server"
	rowRoots         = "change of roots"
	rowPing          = "ping"
	rowTasks         = "tasks that the server hosts"
	rowFrontTasks    = "tasks that the front hosts"
	rowArrays        = "arrays of messages, of a front of 2025-03-26"
	rowServerArrays  = "arrays of a server of 2025-03-26"
	rowOtherArrays   = "arrays at any other revision"
	rowMembers       = "members that came after the front's revision"
	rowContent       = "audio before 2025-03-26, links to resources before 2025-06-18"
	rowStructured    = "structured content that is no object"
	rowHints         = "hints for caches, `resultType`"
	rowExtensions    = "methods of extensions"
	rowSessions      = "sessions over HTTP"
)

// A table is what mcpwire says of itself.
type table struct {
	columns []string
	rows    map[string][]string
}

// A cell is what stands in the table for a front and a server.
type cell struct{ row, text string }

// impossible reports whether the cell says that this cannot be had.
func (c cell) impossible() bool { return strings.HasPrefix(c.text, "impossible") }

var (
	codes  = regexp.MustCompile(`-32\d{3}`)
	causes = regexp.MustCompile("`([a-z_]+)`")
)

// documents reports whether the cell names the error of m.
func (c cell) documents(m message) bool {
	if m.Error == nil {
		return false
	}
	if cause := m.cause(); cause != "" {
		for _, found := range causes.FindAllStringSubmatch(c.text, -1) {
			if found[1] == cause {
				return true
			}
		}
		if causes.MatchString(c.text) {
			return false
		}
	}
	return slices.Contains(codes.FindAllString(c.text, -1), string(encode(m.Error.Code)))
}

// readTable reads the table in the README of mcpwire.
func readTable(t *testing.T) table {
	t.Helper()
	text, err := os.ReadFile("../../../mcpwire/README.md")
	if os.IsNotExist(err) {
		t.Skip("mcpwire is not beside this module")
	}
	if err != nil {
		t.Fatal(err)
	}
	all := table{rows: map[string][]string{}}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case cells[0] == "feature":
			all.columns = cells
		case len(all.columns) == 0 || strings.HasPrefix(cells[0], "---"):
		case len(cells) != len(all.columns):
			return all
		default:
			all.rows[cells[0]] = cells
		}
	}
	return all
}

// cell returns the cell of a row for the revisions of a front and of a server.
func (tb table) cell(t *testing.T, row, front, server string) cell {
	t.Helper()
	column := slices.Index(tb.columns, columnOf(front, server))
	cells := tb.rows[row]
	if column < 0 || cells == nil {
		t.Fatalf("mcpwire/README.md has no cell %q for %q", row, columnOf(front, server))
	}
	for cells[column] == "the same" {
		column--
	}
	return cell{row, cells[column]}
}

// columnOf returns the title of the column for two revisions.
func columnOf(front, server string) string {
	title := "older front, "
	if front == rev20260728 {
		title = "front of 2026-07-28, "
	}
	if server == rev20260728 {
		return title + "server of 2026-07-28"
	}
	return title + "older server"
}

// Each row of the table is looked at by a feature, and each feature is about a row.
//
// req: W17
func TestTable(t *testing.T) {
	tb, seen := readTable(t), map[string]bool{}
	for _, f := range features {
		for _, row := range f.rows {
			seen[row] = true
			if tb.rows[row] == nil {
				t.Errorf("%s is about the row %q, which is not in mcpwire/README.md", f.name, row)
			}
		}
	}
	for row := range tb.rows {
		if !seen[row] {
			t.Errorf("no feature is about the row %q of mcpwire/README.md", row)
		}
	}
	if len(tb.rows) == 0 {
		t.Error("mcpwire/README.md has no table of features")
	}
}
