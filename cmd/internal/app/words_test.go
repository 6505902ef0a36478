package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sandboxWords are what the editor takes for a sign that a sandbox is in the way.
var sandboxWords = regexp.MustCompile(`(?i)EACCES|EPERM|ENOENT|EROFS|fail|read-only|denying`)

// req: P21
func TestLogTextsHoldNoSandboxWords(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Debug", "Info", "Warn", "Error", "LogAttrs"}, sel.Sel.Name) {
				return true
			}
			for _, arg := range call.Args {
				ast.Inspect(arg, func(n ast.Node) bool {
					if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
						texts++
						if w := sandboxWords.FindString(text.Value); w != "" {
							t.Errorf("%s: %s holds %q", name, text.Value, w)
						}
					}
					return true
				})
			}
			return true
		})
	}
	if texts < 6 {
		t.Errorf("%d texts were found: the test looks in the wrong place", texts)
	}
}
