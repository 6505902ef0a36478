package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

// replaces gives go.work a versioned replace line for each sibling that some module requires.
func (t *tidier) replaces() error {
	w := t.workspace
	dir, err := os.MkdirTemp("", "tidy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	data, err := os.ReadFile(filepath.Join(w.Root, "go.work"))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "go.work")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		return err
	}
	for _, m := range w.Modules {
		mod, err := workspace.ReadMod(filepath.Join(m.Dir, "go.mod"))
		if err != nil {
			return err
		}
		for _, s := range mod.Siblings() {
			sibling, ok := w.Module(s.Path)
			if w.Versions[s.Path] != "" || !ok {
				continue
			}
			line := "-replace=" + s.Path + "@" + w.Version(s.Path) + "=./" + sibling.Rel
			if _, err := workspace.Go(dir, nil, "work", "edit", line, file); err != nil {
				return err
			}
		}
	}
	if data, err = os.ReadFile(file); err != nil {
		return err
	}
	return t.put(filepath.Join(w.Root, "go.work"), data)
}

// workSum lets the go command write go.work.sum anew for a copy of the workspace: the sums of the
// whole module graph, and of what is built on each system where a version won that no go.sum holds.
func (t *tidier) workSum() error {
	dir, err := os.MkdirTemp("", "tidy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := t.workCopy(dir)
	if err != nil {
		return err
	}
	env := []string{"GOWORK=" + file}
	if _, err := workspace.Go(t.workspace.Root, env, "list", "-m", "all"); err != nil {
		return err
	}
	var failed []error
	for _, goos := range []string{"linux", "darwin", "windows"} {
		_, err := workspace.Go(t.workspace.Root, append(env, "GOOS="+goos, "CGO_ENABLED=0"), "list", "-e", "-deps", "-test", "work")
		failed = append(failed, err)
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(dir, "go.work.sum"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return t.put(filepath.Join(t.workspace.Root, "go.work.sum"), sum)
}

// workCopy writes go.work into dir with absolute directories.
func (t *tidier) workCopy(dir string) (string, error) {
	w := t.workspace
	file := filepath.Join(dir, "go.work")
	data := []byte("go " + w.Go + "\n")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		return "", err
	}
	args := []string{"work", "edit"}
	for _, m := range w.Modules {
		args = append(args, "-use="+m.Dir, "-replace="+m.Path+"@"+w.Version(m.Path)+"="+m.Dir)
	}
	_, err := workspace.Go(dir, nil, append(args, file)...)
	return file, err
}

// showDiff prints the lines that only one of the two holds. These files are short lists, so the
// order of lines tells nothing.
func showDiff(out io.Writer, name string, old, data []byte) {
	fmt.Fprintln(out, name)
	lines := func(b []byte) []string { return strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n") }
	was, is := lines(old), lines(data)
	for _, l := range was {
		if !slices.Contains(is, l) {
			fmt.Fprintln(out, "-"+l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			fmt.Fprintln(out, "+"+l)
		}
	}
}
