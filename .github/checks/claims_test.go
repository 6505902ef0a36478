package checks

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A claim is one // req: comment: the test that carries it says that it proves the row.
type claim struct {
	id   string
	test string // module:TestName
	file source
	at   token.Position
}

type claimList []claim

var reqComment = regexp.MustCompile(`^// req: ([A-Z][0-9]{2}(?:,? [A-Z][0-9]{2})*)$`)

// claims reads the comments of every test file, above a test or inside it. One that stands
// elsewhere, or is not of the form "// req: W07, W09", is an error.
func claims(t *testing.T) claimList {
	t.Helper()
	var out claimList
	for _, s := range sources(t) {
		for _, group := range s.ast.Comments {
			for _, c := range group.List {
				if !strings.HasPrefix(c.Text, "// req:") {
					continue
				}
				m := reqComment.FindStringSubmatch(c.Text)
				test := testAround(s, group)
				if m == nil || test == "" {
					t.Errorf("%s: %q is not above or in a test, or not of the form // req: ID, ID", s.at(c), c.Text)
					continue
				}
				for id := range strings.FieldsSeq(strings.ReplaceAll(m[1], ",", " ")) {
					out = append(out, claim{id, s.module.Name() + ":" + test, s, s.at(c)})
				}
			}
		}
	}
	return out
}

// testAround names the test function whose documentation or body holds the comment.
func testAround(s source, group *ast.CommentGroup) string {
	for _, d := range s.ast.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !s.test() || f.Recv != nil || !isTest(f.Name.Name) {
			continue
		}
		if f.Doc == group || f.Pos() < group.Pos() && group.End() < f.End() {
			return f.Name.Name
		}
	}
	return ""
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example")
}

// covers reports whether the named test carries the id. The name of a subtest must stand as a
// string literal in the same file, where a blank of the literal is an underscore in the name, or
// be that of a script beside the file.
func (l claimList) covers(id, name string) bool {
	test, sub, hasSub := strings.Cut(name, "/")
	for _, c := range l {
		if c.id == id && c.test == test && (!hasSub || holdsLiteral(c.file, sub) || isScript(c.file, sub)) {
			return true
		}
	}
	return false
}

func isScript(s source, sub string) bool {
	all, err := listFiles()
	_, found := slices.BinarySearch(all, path.Join(path.Dir(s.file), "testdata/script", sub+".txtar"))
	return err == nil && found
}

func holdsLiteral(s source, sub string) bool {
	found := false
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > 1 {
			text := lit.Value[1 : len(lit.Value)-1]
			found = found || text == sub || strings.ReplaceAll(text, " ", "_") == sub
		}
		return !found
	})
	return found
}
