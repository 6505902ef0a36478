package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// Alone writes into dir a go.mod and go.sum for m with every sibling replaced by its directory, and
// returns the path of that go.mod, for -modfile. With it the go command works on the module outside
// the workspace while its siblings are not published.
func (w *Workspace) Alone(m Module, dir string) (string, error) {
	file := filepath.Join(dir, "go.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(m.Dir, name))
		if os.IsNotExist(err) && name == "go.sum" {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return "", err
		}
	}
	mod, err := ReadMod(file)
	if err != nil {
		return "", err
	}
	args := []string{"mod", "edit"}
	for _, s := range mod.Siblings() {
		args = append(args, "-require="+s.Path+"@"+w.Version(s.Path))
	}
	for _, s := range w.Modules {
		if s.Path != m.Path {
			args = append(args, "-replace="+s.Path+"@"+w.Version(s.Path)+"="+s.Dir)
		}
	}
	_, err = Go(dir, []string{"GOWORK=off"}, append(args, file)...)
	return file, err
}

// ThirdPartySums returns the lines of a go.sum that do not belong to this repository. A sum of a
// sibling would stop fitting at the next commit.
func ThirdPartySums(sum []byte) []byte {
	var out []byte
	for line := range strings.Lines(string(sum)) {
		if !strings.HasPrefix(line, Prefix) {
			out = append(out, line...)
		}
	}
	return out
}
