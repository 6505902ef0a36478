package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

// layout is a workspace in which upper imports middle, which imports lower, and no go.mod says so.
var layout = map[string]string{
	"go.work":          "go 1.26.0\n\nuse (\n\t./lower\n\t./middle\n\t./upper\n)\n\nreplace github.com/trestle-mcp/trestle/lower v0.2.0 => ./lower\n",
	"lower/go.mod":     "module github.com/trestle-mcp/trestle/lower\n\ngo 1.26.0\n",
	"lower/lower.go":   "package lower\n",
	"middle/go.mod":    "module github.com/trestle-mcp/trestle/middle\n\ngo 1.26.0\n",
	"middle/middle.go": "package middle\n\nimport _ \"github.com/trestle-mcp/trestle/lower\"\n",
	"upper/go.mod":     "module github.com/trestle-mcp/trestle/upper\n\ngo 1.26.0\n",
	"upper/upper.go":   "package upper\n\nimport _ \"github.com/trestle-mcp/trestle/middle\"\n",
}

func TestTidy(t *testing.T) {
	root := lay(t)
	if runTidy(t, root, true) {
		t.Error("a dry run over missing requirements reports nothing to do")
	}
	if got := text(t, root, "middle/go.mod"); got != layout["middle/go.mod"] {
		t.Errorf("a dry run wrote middle/go.mod:\n%s", got)
	}
	if !runTidy(t, root, false) {
		t.Fatal("the run failed")
	}
	for _, tt := range []struct{ file, want string }{
		{"middle/go.mod", "require github.com/trestle-mcp/trestle/lower v0.2.0\n"},
		{"upper/go.mod", "require github.com/trestle-mcp/trestle/middle v0.1.0\n"},
		{"upper/go.mod", "require github.com/trestle-mcp/trestle/lower v0.2.0 // indirect\n"},
		{"go.work", "github.com/trestle-mcp/trestle/middle v0.1.0 => ./middle\n"},
	} {
		if got := text(t, root, tt.file); !strings.Contains(got, tt.want) {
			t.Errorf("%s lacks %q:\n%s", tt.file, tt.want, got)
		}
	}
	if got := text(t, root, "upper/go.mod"); strings.Contains(got, "replace") {
		t.Errorf("upper/go.mod has a replace line:\n%s", got)
	}
	if !runTidy(t, root, true) {
		t.Error("a dry run after a run has something to do")
	}
}

func TestModuleThatCannotBeTidied(t *testing.T) {
	root := lay(t)
	lone := filepath.Join(root, "lower", "lower.go")
	if err := os.WriteFile(lone, []byte("package lower\n\nimport _ \"github.com/trestle-mcp/trestle/absent\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if runTidy(t, root, false) {
		t.Error("the run reports success")
	}
	if got := text(t, root, "lower/go.mod"); got != layout["lower/go.mod"] {
		t.Errorf("lower/go.mod was changed:\n%s", got)
	}
}

func lay(t *testing.T) string {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "")
	root := t.TempDir()
	for name, text := range layout {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func runTidy(t *testing.T, root string, dry bool) bool {
	t.Helper()
	w, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return (&tidier{workspace: w, dry: dry, out: io.Discard, err: t.Output()}).run()
}

func text(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
