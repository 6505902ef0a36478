package checks

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/api"
	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

// What a module exports is committed, so that a change of it is a line in the review.
func TestAPI(t *testing.T) {
	for _, m := range repo(t).Modules {
		if m.Name() == "checks" {
			continue
		}
		var lines []string
		for pkg, files := range exporting(t, m) {
			name := strings.TrimPrefix(pkg, workspace.Prefix)
			lines = append(lines, api.Lines(name, files[0].fset, syntax(files))...)
		}
		slices.Sort(lines)
		text := strings.Join(lines, "\n")
		if text != "" {
			text += "\n"
		}
		same(t, m.Rel+"/api.txt", []byte(text))
	}
}

// exporting are the packages of a module that others can import.
func exporting(t *testing.T, m workspace.Module) map[string][]source {
	out := map[string][]source{}
	for _, s := range sources(t) {
		if s.module.Path == m.Path && !s.test() && !s.main() && !slices.Contains(strings.Split(s.pkg(), "/"), "internal") {
			out[s.pkg()] = append(out[s.pkg()], s)
		}
	}
	return out
}

func syntax(files []source) []*ast.File {
	var out []*ast.File
	for _, s := range files {
		out = append(out, s.ast)
	}
	return out
}
