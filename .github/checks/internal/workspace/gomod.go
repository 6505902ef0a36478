package workspace

import (
	"path/filepath"
	"slices"
	"strings"
)

// ModVersion names a module, and a version where there is one.
type ModVersion struct{ Path, Version string }

// Mod is the content of a go.mod, as far as somebody here reads it.
type Mod struct {
	Module    ModVersion
	Go        string
	Toolchain string
	Require   []struct {
		Path, Version string
		Indirect      bool
	}
	Replace []struct{ Old, New ModVersion }
	Tool    []struct{ Path string }
}

// ReadMod reads one go.mod.
func ReadMod(file string) (Mod, error) {
	var m Mod
	err := goJSON(filepath.Dir(file), &m, "mod", "edit", "-json", file)
	return m, err
}

// Siblings are the modules of this repository that m requires, directly or not.
func (m Mod) Siblings() []ModVersion {
	var out []ModVersion
	for _, r := range m.Require {
		if strings.HasPrefix(r.Path, Prefix) {
			out = append(out, ModVersion{r.Path, r.Version})
		}
	}
	slices.SortFunc(out, func(a, b ModVersion) int { return strings.Compare(a.Path, b.Path) })
	return out
}
