package checks

import (
	"go/ast"
	"slices"
	"testing"
)

// edges are the ways in which a process meets its surroundings.
var edges = []string{
	"Exit", "Args", "Stdin", "Stdout", "Stderr",
	"Getenv", "LookupEnv", "Environ", "Setenv", "Unsetenv", "Clearenv", "ExpandEnv",
}

// A library that reads the environment or ends the process cannot be embedded. So only the module
// cmd does, and the programs of conformance and .github. A test binary is a process of its own, which
// often starts itself anew as somebody's child; its files are free.
func TestProcessEdges(t *testing.T) {
	for _, s := range sources(t) {
		if mayTouchProcess(s) {
			continue
		}
		if slices.Contains(s.imports(), "os/signal") {
			t.Errorf("%s imports os/signal", s.file)
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(edges, sel.Sel.Name) {
				t.Errorf("%s: os.%s outside cmd", s.at(sel), sel.Sel.Name)
			}
			return true
		})
	}
}

func mayTouchProcess(s source) bool {
	switch s.module.Name() {
	case "cmd":
		return true
	case "conformance", "checks":
		if s.main() {
			return true
		}
	}
	return s.test()
}
