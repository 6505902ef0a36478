package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sandboxWords are what the editor takes for a sign that a sandbox is in the way.
var sandboxWords = regexp.MustCompile(`(?i)EACCES|EPERM|ENOENT|EROFS|fail|read-only|denying`)

// req: P21
func TestTextsHoldNoSandboxWords(t *testing.T) {
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
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.Contains(text.Value, " ") {
				texts++
				if w := sandboxWords.FindString(text.Value); w != "" {
					t.Errorf("%s holds %q", text.Value, w)
				}
			}
			return true
		})
	}
	if texts < 8 {
		t.Errorf("%d texts were found: the test looks in the wrong place", texts)
	}
}
