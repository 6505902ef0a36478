package checks

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

const licenceList = ".github/checks/testdata/licences.txt"

// A kind is a licence that may be built into the product, and words that its text holds.
type kind struct{ name, words string }

var kinds = []kind{
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"BSD-3-Clause", "used to endorse or promote products derived from this software"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce the above copyright notice"},
	{"Apache-2.0", "Apache License Version 2.0"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose"},
}

// Every module that is built, tests included, has a licence that somebody looked at. A new module or
// a changed text fails until a line "module kind hash" is added to the list; -update proposes it.
func TestLicences(t *testing.T) {
	required := requiredModules(t)
	var lines []string
	for line := range strings.Lines(string(read(t, licenceList))) {
		name, _, _ := strings.Cut(line, " ")
		if required[name] {
			lines = append(lines, strings.TrimSpace(line))
		} else if !*update {
			t.Errorf("%s: no module requires %s any more", licenceList, name)
		}
	}
	for name, dir := range builtModules(t) {
		text := licenceText(t, dir)
		line := fmt.Sprintf("%s %s %x", name, kindOf(text), sha256.Sum256([]byte(text)))
		switch {
		case kindOf(text) == "":
			t.Errorf("%s: its licence is not of a kind that may be used here", name)
		case slices.Contains(lines, line):
		case *update:
			lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, name+" ") })
			lines = append(lines, line)
		default:
			t.Errorf("%s has no line %q", licenceList, line)
		}
	}
	if *update {
		slices.Sort(lines)
		same(t, licenceList, []byte(strings.Join(lines, "\n")+"\n"))
	}
}

func kindOf(text string) string {
	for _, k := range kinds {
		if strings.Contains(text, k.words) {
			return k.name
		}
	}
	return ""
}

// builtModules asks for the packages of each system. Modules that only another system needs may be
// absent from the module cache here; they are looked at where they are built.
func builtModules(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, goos := range []string{"", "linux", "darwin", "windows"} {
		env := []string{"GOWORK=", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly"}
		if goos != "" {
			env = append(env, "GOOS="+goos, "GOPROXY=off")
		}
		list, err := workspace.Go(repo(t).Root, env, "list", "-e", "-deps", "-test", "-json=Module", "work")
		if err != nil && goos == "" {
			t.Fatal(err)
		}
		for dec := json.NewDecoder(bytes.NewReader(list)); ; {
			var pkg struct {
				Module *struct {
					Path, Dir string
					Main      bool
				}
			}
			if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if m := pkg.Module; m != nil && !m.Main && m.Dir != "" {
				out[m.Path] = m.Dir
			}
		}
	}
	return out
}

func requiredModules(t *testing.T) map[string]bool {
	out := map[string]bool{}
	for _, m := range repo(t).Modules {
		for _, r := range readMod(t, m.Rel+"/go.mod").Require {
			out[r.Path] = true
		}
	}
	return out
}

// licenceText is the licence in dir with all white space made single blanks.
func licenceText(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(entries, func(e os.DirEntry) bool {
		stem, _, _ := strings.Cut(strings.ToUpper(e.Name()), ".")
		return stem == "LICENSE" || stem == "LICENCE" || stem == "COPYING"
	})
	if i < 0 {
		t.Errorf("%s has no licence", dir)
		return ""
	}
	text, err := os.ReadFile(filepath.Join(dir, entries[i].Name()))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}
