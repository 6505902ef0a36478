package checks

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

var update = flag.Bool("update", false, "rewrite the committed files that are made from the code")

// A source is one Go file of a module of go.work. All systems' files are read, whatever runs the test.
type source struct {
	file   string // below the root, with slashes
	module workspace.Module
	text   []byte
	fset   *token.FileSet
	ast    *ast.File
}

func (s source) test() bool { return strings.HasSuffix(s.file, "_test.go") }
func (s source) main() bool { return s.ast.Name.Name == "main" }

// pkg is the import path of the file's directory.
func (s source) pkg() string {
	return path.Join(s.module.Path, strings.TrimPrefix(path.Dir(s.file), s.module.Rel))
}

// imports are the unquoted import paths.
func (s source) imports() []string {
	var out []string
	for _, i := range s.ast.Imports {
		out = append(out, strings.Trim(i.Path.Value, `"`+"`"))
	}
	return out
}

// at says where a node stands, as file:line.
func (s source) at(n ast.Node) token.Position {
	p := s.fset.Position(n.Pos())
	p.Filename = s.file
	return p
}

var openRepo = sync.OnceValues(func() (*workspace.Workspace, error) {
	if _, err := os.ReadFile(touched); err != nil { // see TestMain
		return nil, err
	}
	return workspace.Open(".")
})

func repo(t *testing.T) *workspace.Workspace {
	t.Helper()
	w, err := openRepo()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var listFiles = sync.OnceValues(func() ([]string, error) {
	w, err := openRepo()
	if err != nil {
		return nil, err
	}
	out, err := w.Git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	if err != nil { // no git, or no checkout: an archive of the repository
		return walkFiles(w.Root)
	}
	var files []string
	for f := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(f))); err == nil && info.Mode().IsRegular() {
			files = append(files, f)
		}
	}
	slices.Sort(files)
	return files, nil
})

// walkFiles lists the files below root without asking git; what .gitignore names is left out.
func walkFiles(root string) ([]string, error) {
	ignored := []string{".git", ".vscode", "bin", "bridge/internal/bench/node_modules", "conformance/peers/node_modules"}
	var files []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && slices.Contains(ignored, rel):
			return fs.SkipDir
		case d.Type().IsRegular():
			files = append(files, rel)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// Without git the checks see the same files.
func TestFilesWithoutGit(t *testing.T) {
	want := files(t)
	got, err := walkFiles(repo(t).Root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo(t).Git("status"); err == nil && !slices.Equal(got, want) {
		t.Errorf("without git: %d files, with git %d", len(got), len(want))
	}
}

// files are the files that are, or would be, committed.
func files(t *testing.T) []string {
	t.Helper()
	out, err := listFiles()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// read returns a file with LF line ends.
func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repo(t).Root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// same holds a committed file equal to want, or rewrites it with -update.
func same(t *testing.T, file string, want []byte) {
	t.Helper()
	name := filepath.Join(repo(t).Root, filepath.FromSlash(file))
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return
	}
	gotLines, wantLines := strings.Split(string(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))), "\n"), strings.Split(string(want), "\n")
	if slices.Equal(gotLines, wantLines) {
		return
	}
	t.Errorf("%s is not up to date; run go test ./.github/checks -run %s -update", file, t.Name())
	for _, l := range gotLines {
		if !slices.Contains(wantLines, l) {
			t.Errorf("- %s", l)
		}
	}
	for _, l := range wantLines {
		if !slices.Contains(gotLines, l) {
			t.Errorf("+ %s", l)
		}
	}
}

var parseAll = sync.OnceValues(func() ([]source, error) {
	w, err := openRepo()
	if err != nil {
		return nil, err
	}
	list, err := listFiles()
	if err != nil {
		return nil, err
	}
	var out []source
	fset := token.NewFileSet()
	for _, file := range list {
		m, ok := moduleOf(w, list, file)
		if !ok || path.Ext(file) != ".go" || slices.Contains(strings.Split(file, "/"), "testdata") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(w.Root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		out = append(out, source{file, m, text, fset, f})
	}
	return out, nil
})

// moduleOf finds the module of go.work that holds file; a nested go.mod outside go.work hides it.
func moduleOf(w *workspace.Workspace, list []string, file string) (workspace.Module, bool) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if i := slices.IndexFunc(w.Modules, func(m workspace.Module) bool { return m.Rel == dir }); i >= 0 {
			return w.Modules[i], true
		}
		if _, found := slices.BinarySearch(list, dir+"/go.mod"); found {
			break
		}
	}
	return workspace.Module{}, false
}

// sources are the Go files of the modules of go.work.
func sources(t *testing.T) []source {
	t.Helper()
	out, err := parseAll()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
