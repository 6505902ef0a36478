package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

// A tidier works on one workspace. A module that cannot be tidied is reported and left as it is.
type tidier struct {
	workspace *workspace.Workspace
	lenient   bool
	dry       bool
	out, err  io.Writer
	failed    bool
	changed   int
}

// run reports whether all went well and, in a dry run, whether nothing would change.
func (t *tidier) run() bool {
	// What one module requires decides what the modules above it require, so passes are repeated
	// until one of them changes nothing. A dry run has nothing to carry over.
	for range t.workspace.Modules {
		before := t.changed
		t.failed = false
		for _, m := range t.workspace.Modules {
			t.report(m.Rel, t.module(m))
		}
		if t.changed == before || t.dry {
			break
		}
	}
	t.report("go.work", t.replaces())
	t.report("go.work.sum", t.workSum())
	return !t.failed && (!t.dry || t.changed == 0)
}

func (t *tidier) report(what string, err error) {
	if err != nil {
		t.failed = true
		fmt.Fprintf(t.err, "tidy: %s left as it is: %v\n", what, err)
	}
}

// module tidies a copy of go.mod and go.sum and takes over the result.
func (t *tidier) module(m workspace.Module) error {
	if !holdsGo(m.Dir) {
		return nil // every requirement would look unused
	}
	dir, err := os.MkdirTemp("", "tidy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := t.workspace.Alone(m, dir)
	if err != nil {
		return err
	}
	args := []string{"mod", "tidy", "-modfile=" + file}
	if t.lenient {
		args = append(args, "-e")
	}
	if _, err := workspace.Go(m.Dir, []string{"GOWORK=off"}, args...); err != nil {
		return err
	}
	if err := dropReplaces(file); err != nil {
		return err
	}
	mod, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := t.put(filepath.Join(m.Dir, "go.mod"), mod); err != nil {
		return err
	}
	return t.put(filepath.Join(m.Dir, "go.sum"), workspace.ThirdPartySums(sum))
}

func holdsGo(dir string) bool {
	found := false
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			found = true
			return filepath.SkipAll
		}
		return err
	})
	return found
}

func dropReplaces(file string) error {
	mod, err := workspace.ReadMod(file)
	if err != nil {
		return err
	}
	args := []string{"mod", "edit"}
	for _, r := range mod.Replace {
		args = append(args, "-dropreplace="+r.Old.Path+"@"+r.Old.Version)
	}
	_, err = workspace.Go(filepath.Dir(file), []string{"GOWORK=off"}, append(args, file)...)
	return err
}

// put makes the file hold data, or only tells the difference in a dry run. An empty file is no file.
func (t *tidier) put(file string, data []byte) error {
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), data) {
		return nil
	}
	t.changed++
	name, err := filepath.Rel(t.workspace.Root, file)
	if err != nil {
		return err
	}
	showDiff(t.out, filepath.ToSlash(name), old, data)
	if t.dry {
		return nil
	}
	if len(data) == 0 {
		return os.Remove(file)
	}
	return os.WriteFile(file, data, 0o666)
}
