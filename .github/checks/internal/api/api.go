// Package api lists what a Go package exports, one feature a line, in the form of the api files of
// the Go distribution. It reads the syntax alone, so a type is written as its source writes it.
package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"slices"
	"strings"
)

// Lines returns the features of a package named pkg in order, without repetition. Files of all
// systems go in together.
func Lines(pkg string, fset *token.FileSet, files []*ast.File) []string {
	l := &lister{pkg: pkg, fset: fset}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				l.function(d)
			case *ast.GenDecl:
				l.declaration(d)
			}
		}
	}
	slices.Sort(l.lines)
	return slices.Compact(l.lines)
}

type lister struct {
	pkg   string
	fset  *token.FileSet
	lines []string
}

func (l *lister) add(format string, args ...any) {
	l.lines = append(l.lines, "pkg "+l.pkg+", "+fmt.Sprintf(format, args...))
}

func (l *lister) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	if d.Recv == nil {
		l.add("func %s%s%s", d.Name.Name, l.typeParams(d.Type.TypeParams), l.signature(d.Type))
		return
	}
	recv := l.text(d.Recv.List[0].Type)
	if name, _, _ := strings.Cut(strings.TrimPrefix(recv, "*"), "["); ast.IsExported(name) {
		l.add("method (%s) %s%s", recv, d.Name.Name, l.signature(d.Type))
	}
}

func (l *lister) declaration(d *ast.GenDecl) {
	carried := "" // the type of a constant that an iota list repeats
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				l.typeSpec(s)
			}
		case *ast.ValueSpec:
			typ := l.text(s.Type)
			if d.Tok == token.CONST {
				if typ == "" && len(s.Values) == 0 {
					typ = carried
				}
				carried = typ
			}
			l.values(d.Tok, s, typ)
		}
	}
}

func (l *lister) values(tok token.Token, s *ast.ValueSpec, typ string) {
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		line := tok.String() + " " + name.Name
		if typ != "" {
			line += " " + typ
		}
		if tok == token.CONST && i < len(s.Values) {
			line += " = " + l.text(s.Values[i])
		}
		l.add("%s", line)
	}
}

func (l *lister) typeSpec(s *ast.TypeSpec) {
	name := s.Name.Name + l.typeParams(s.TypeParams)
	if s.Assign.IsValid() {
		l.add("type %s = %s", name, l.text(s.Type))
		return
	}
	switch typ := s.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", name)
		l.fields(name, typ)
	case *ast.InterfaceType:
		l.methods(name, typ)
	default:
		l.add("type %s %s", name, l.text(s.Type))
	}
}

func (l *lister) fields(name string, typ *ast.StructType) {
	for _, f := range typ.Fields.List {
		text := l.text(f.Type)
		if len(f.Names) == 0 {
			base := text[strings.LastIndexAny(text, ".*")+1:]
			if ast.IsExported(base) {
				l.add("type %s struct, embedded %s", name, text)
			}
		}
		for _, n := range f.Names {
			if n.IsExported() {
				l.add("type %s struct, %s %s", name, n.Name, text)
			}
		}
	}
}

// methods marks an interface with hidden methods: nobody outside can satisfy it.
func (l *lister) methods(name string, typ *ast.InterfaceType) {
	hidden := ""
	for _, f := range typ.Methods.List {
		if len(f.Names) == 0 {
			l.add("type %s interface, embedded %s", name, l.text(f.Type))
			continue
		}
		for _, n := range f.Names {
			if !n.IsExported() {
				hidden = ", unexported methods"
			} else if fn, ok := f.Type.(*ast.FuncType); ok {
				l.add("type %s interface, %s%s", name, n.Name, l.signature(fn))
			}
		}
	}
	l.add("type %s interface%s", name, hidden)
}

// signature leaves the names of parameters out: to rename one changes nothing for a caller.
func (l *lister) signature(f *ast.FuncType) string {
	out := "(" + strings.Join(l.types(f.Params), ", ") + ")"
	switch results := l.types(f.Results); len(results) {
	case 0:
		return out
	case 1:
		return out + " " + results[0]
	default:
		return out + " (" + strings.Join(results, ", ") + ")"
	}
}

func (l *lister) types(list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, f := range list.List {
		out = append(out, slices.Repeat([]string{l.text(f.Type)}, max(1, len(f.Names)))...)
	}
	return out
}

func (l *lister) typeParams(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, f := range list.List {
		for _, n := range f.Names {
			out = append(out, n.Name+" "+l.text(f.Type))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// text is the source of a node on one line, without comments.
func (l *lister) text(n ast.Node) string {
	if e, ok := n.(ast.Expr); !ok || e == nil {
		return ""
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, l.fset, n); err != nil {
		return "?"
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
