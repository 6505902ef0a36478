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

// letOff are files that meet one variable of the environment, with the reason.
var letOff = map[string]string{
	"tokenvault/internal/keychain/bus_linux.go":    "the address of the session bus, read as godbus reads it, to look at the bus before go-keyring does",
	"tokenvault/internal/keychain/system_linux.go": "godbus sets that variable, which is undone",
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
			if x, ok := sel.X.(*ast.Ident); ok && letOff[s.file] == "" && x.Name == "os" && slices.Contains(edges, sel.Sel.Name) {
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
