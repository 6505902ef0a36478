// Package gobuild builds the programs that the tests of this module run. They
// are those of this repository, as it stands, and pinned ones of others.
package gobuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrNoRepository says that this module is used alone, without the other modules
// of its repository beside it.
var ErrNoRepository = errors.New("not in a checkout of the repository")

// A Repository is a checkout of the repository of this module.
type Repository struct {
	root string
	race bool
}

// At returns the repository whose top directory is root. With race the programs
// that it builds look for data races.
func At(root string, race bool) (Repository, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return Repository{}, fmt.Errorf("find the repository: %w", err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.work")); err != nil {
		return Repository{}, ErrNoRepository
	}
	return Repository{root: root, race: race}, nil
}

// Current returns the repository that the current directory is in.
func Current(ctx context.Context) (Repository, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return Repository{}, fmt.Errorf("find the repository: %w", err)
	}
	return At(filepath.Dir(strings.TrimSpace(string(out))), false)
}

// Path returns the path of a directory or file of the repository.
func (r Repository) Path(elem ...string) string {
	return filepath.Join(append([]string{r.root}, elem...)...)
}

// Build builds the main package in the directory pkg of the repository as the
// file out, and returns its name, to which the system may have added something.
func (r Repository) Build(ctx context.Context, pkg, out string) (string, error) {
	args := []string{"./" + pkg}
	if r.race {
		args = []string{"-race", "./" + pkg}
	}
	// The environment may be that of a module that is tested alone.
	return build(ctx, r.root, []string{"GOWORK=" + r.Path("go.work"), "GOFLAGS="}, out, args...)
}

// BuildAlone builds a main package that the module in dir requires, outside any
// workspace.
func BuildAlone(ctx context.Context, dir, pkg, out string) (string, error) {
	return build(ctx, dir, []string{"GOWORK=off", "GOFLAGS="}, out, pkg)
}

// BuildApart builds the main package in dir, which has a workspace of its own.
func BuildApart(ctx context.Context, dir, out string) (string, error) {
	return build(ctx, dir, []string{"GOWORK=" + filepath.Join(dir, "go.work"), "GOFLAGS="}, out, ".")
}

func build(ctx context.Context, dir string, env []string, out string, args ...string) (string, error) {
	if runtime.GOOS == "windows" {
		out += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-buildvcs=false", "-o", out}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", args[len(args)-1], err, text)
	}
	return out, nil
}
