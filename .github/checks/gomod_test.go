package checks

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

const goVersion = "1.26.0"

func readMod(t *testing.T, file string) workspace.Mod {
	t.Helper()
	mod, err := workspace.ReadMod(filepath.Join(repo(t).Root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// A go.mod with a replace line cannot be installed by its path, so siblings are replaced in go.work.
func TestGoMods(t *testing.T) {
	w := repo(t)
	if w.Go != goVersion {
		t.Errorf("go.work: go %s, want %s", w.Go, goVersion)
	}
	for _, f := range files(t) {
		if path.Base(f) != "go.mod" {
			continue
		}
		mod := readMod(t, f)
		for _, r := range mod.Replace {
			t.Errorf("%s replaces %s", f, r.Old.Path)
		}
		if f != "cmd/go.mod" && mod.Toolchain != "" {
			t.Errorf("%s: toolchain %s; only cmd has a toolchain line", f, mod.Toolchain)
		}
	}
	if readMod(t, "cmd/go.mod").Toolchain == "" {
		t.Error("cmd/go.mod has no toolchain line")
	}
}

func TestWorkspaceModules(t *testing.T) {
	w := repo(t)
	for _, m := range w.Modules {
		mod := readMod(t, m.Rel+"/go.mod")
		if mod.Go != goVersion {
			t.Errorf("%s/go.mod: go %s, want %s", m.Rel, mod.Go, goVersion)
		}
		if want := strings.TrimPrefix(m.Rel, ".github/"); m.Name() != want {
			t.Errorf("%s/go.mod: module %s, want %s", m.Rel, m.Path, workspace.Prefix+want)
		}
		if len(mod.Tool) > 0 {
			t.Errorf("%s/go.mod has tool lines, which every user would get as requirements", m.Rel)
		}
		for _, s := range mod.Siblings() {
			if w.Versions[s.Path] != s.Version {
				t.Errorf("%s/go.mod requires %s %s, which go.work does not replace", m.Rel, s.Path, s.Version)
			}
		}
	}
	for _, f := range files(t) {
		if path.Base(f) == "go.sum" && strings.Contains(string(read(t, f)), workspace.Prefix) {
			t.Errorf("%s holds the sum of a sibling", f)
		}
	}
}
