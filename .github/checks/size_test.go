package checks

import (
	"bytes"
	"go/ast"
	"strings"
	"testing"
)

const (
	maxFunction = 80  // lines, tables not counted
	maxFile     = 600 // lines
)

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxFile {
			t.Errorf("%s has %d lines, want at most %d", s.file, n, maxFile)
		}
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				if n := lines(s, f) - tableLines(s, f.Body); n > maxFunction {
					t.Errorf("%s: %s has %d lines, want at most %d", s.at(f), f.Name.Name, n, maxFunction)
				}
			}
		}
	}
}

func lines(s source, n ast.Node) int {
	return s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1
}

// tableLines counts the lines inside the outermost literals of lists, maps and structs.
func tableLines(s source, body ast.Node) int {
	total := 0
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			total += lines(s, lit) - 1
			return false
		}
		return true
	})
	return total
}

func TestDocumentation(t *testing.T) {
	described := map[string]bool{}
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		described[s.pkg()] = described[s.pkg()] || s.ast.Doc != nil
		if s.main() {
			continue
		}
		for _, d := range s.ast.Decls {
			undocumented(s, d, func(n ast.Node, name string) {
				t.Errorf("%s: %s is exported without a comment", s.at(n), name)
			})
		}
	}
	for pkg, ok := range described {
		if !ok {
			t.Errorf("package %s has no documentation", pkg)
		}
	}
}

// undocumented reports exported names without a comment. In a group of constants or variables one
// comment above the group serves all; a field needs none.
func undocumented(s source, d ast.Decl, report func(ast.Node, string)) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			report(d, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					report(spec, spec.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					if n.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
						report(n, n.Name)
					}
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported() && !strings.HasPrefix(id.Name, "_")
}
