package checks

import (
	"go/ast"
	"path"
	"slices"
	"testing"
)

const (
	suiteDir   = "cmd/internal/suite"
	suiteEntry = "RunLoopbackHTTP" // of cmd/internal/app
)

// loopbackFields hand on that authorization servers on this machine may be without TLS.
var loopbackFields = []string{"AllowLoopbackHTTP", "allowLoopbackHTTP", "loopbackHTTP"}

// A sign-in without TLS is for the official conformance suite. One function allows it, and one program
// calls that, which nobody gets. Everything else hands on what it was given, so no option and no
// variable can.
//
// req: P11
func TestP11LoopbackHTTPIsForTheSuite(t *testing.T) {
	allowed, called := 0, 0
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, d := range s.ast.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			inEntry := isFunc && f.Name.Name == suiteEntry && path.Dir(s.file) == "cmd/internal/app"
			ast.Inspect(d, func(n ast.Node) bool {
				field, value := fieldSet(n)
				switch {
				case !slices.Contains(loopbackFields, field):
				case inEntry:
					allowed++
				case !slices.Contains(loopbackFields, lastName(value)):
					t.Errorf("%s: %s is set to what was not handed on", s.at(n), field)
				}
				if id, ok := n.(*ast.Ident); ok && id.Name == suiteEntry && (!isFunc || id != f.Name) {
					called++
					if path.Dir(s.file) != suiteDir {
						t.Errorf("%s: %s is for %s alone", s.at(id), suiteEntry, suiteDir)
					}
				}
				return true
			})
		}
	}
	if allowed != 1 || called != 1 {
		t.Errorf("a sign-in without TLS is allowed at %d places, which are called at %d; want one of each", allowed, called)
	}
}

// fieldSet says which field a node sets to what: in a literal, or by an assignment of one value.
func fieldSet(n ast.Node) (field string, value ast.Expr) {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		return lastName(n.Key), n.Value
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if name := lastName(left); slices.Contains(loopbackFields, name) {
				return name, n.Rhs[0]
			}
		}
	}
	return "", nil
}

// lastName is the name that an expression is, or ends with.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
