// Package workspace reads the layout of this repository: its root, its modules and the versions that
// go.work stands in for. It asks the go command instead of parsing files, so it needs no dependency.
package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Prefix begins the path of every module of this repository.
const Prefix = "github.com/trestle-mcp/trestle/"

// FirstVersion is what a module is required at until go.work or a tag names another version.
const FirstVersion = "v0.1.0"

// A Module is one module that go.work uses.
type Module struct {
	Path string // module path
	Dir  string // absolute directory
	Rel  string // directory below the root, with slashes
}

// Name is the module path without the prefix of the repository: bridge, cmd, checks.
func (m Module) Name() string { return strings.TrimPrefix(m.Path, Prefix) }

// A Workspace is the content of go.work.
type Workspace struct {
	Root     string            // directory of go.work
	Modules  []Module          // sorted by Rel
	Versions map[string]string // module path to the version that a replace line names
	Go       string            // the go line
}

// Open finds go.work in dir or above it and reads it.
func Open(dir string) (*Workspace, error) {
	root, err := findRoot(dir)
	if err != nil {
		return nil, err
	}
	var file struct {
		Go      string
		Use     []struct{ DiskPath string }
		Replace []struct{ Old, New ModVersion }
	}
	if err := goJSON(root, &file, "work", "edit", "-json", filepath.Join(root, "go.work")); err != nil {
		return nil, err
	}
	w := &Workspace{Root: root, Versions: map[string]string{}, Go: file.Go}
	for _, u := range file.Use {
		m, err := readModule(root, u.DiskPath)
		if err != nil {
			return nil, err
		}
		w.Modules = append(w.Modules, m)
	}
	slices.SortFunc(w.Modules, func(a, b Module) int { return strings.Compare(a.Rel, b.Rel) })
	for _, r := range file.Replace {
		w.Versions[r.Old.Path] = r.Old.Version
	}
	return w, nil
}

// Version is the version at which the siblings require the module of that path.
func (w *Workspace) Version(path string) string {
	if v := w.Versions[path]; v != "" {
		return v
	}
	return FirstVersion
}

// Module returns the module of that path.
func (w *Workspace) Module(path string) (Module, bool) {
	i := slices.IndexFunc(w.Modules, func(m Module) bool { return m.Path == path })
	if i < 0 {
		return Module{}, false
	}
	return w.Modules[i], true
}

func readModule(root, rel string) (Module, error) {
	dir := filepath.Join(root, filepath.FromSlash(rel))
	mod, err := ReadMod(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Module{}, err
	}
	return Module{Path: mod.Module.Path, Dir: dir, Rel: strings.TrimPrefix(filepath.ToSlash(rel), "./")}, nil
}

func findRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("find go.work: none in this directory or above")
		}
		dir = parent
	}
}

// Go runs the go command in dir with extra environment and returns its standard output.
// The error holds what the command wrote to standard error.
func Go(dir string, env []string, args ...string) ([]byte, error) {
	return command(dir, env, "go", args...)
}

// Git runs git in the root and returns its standard output.
func (w *Workspace) Git(args ...string) ([]byte, error) {
	return command(w.Root, nil, "git", args...)
}

func command(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}

func goJSON(dir string, into any, args ...string) error {
	out, err := Go(dir, nil, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}
