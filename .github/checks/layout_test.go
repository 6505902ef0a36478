package checks

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

var topLevel = []string{
	".ci", ".gitattributes", ".github", ".gitignore",
	"ARCHITECTURE.md", "CAUSES.md", "CONTRIBUTING.md", "LICENSE", "README.md", "RELEASING.md", "SECURITY.md", "THREATMODEL.md",
	"bridge", "cmd", "conformance", "go.work", "go.work.sum", "jsonrpc", "mcpwire", "oauthloopback", "staticcheck.conf", "tokenvault",
}

// optional names of the top level come with a later module, or only while something needs them.
var optional = []string{"go.work.sum"}

func TestTopLevel(t *testing.T) {
	var got []string
	for _, f := range files(t) {
		first, _, _ := strings.Cut(f, "/")
		if !slices.Contains(got, first) {
			got = append(got, first)
		}
	}
	for _, name := range got {
		if !slices.Contains(topLevel, name) {
			t.Errorf("%s does not belong at the top level", name)
		}
	}
	for _, name := range topLevel {
		if !slices.Contains(got, name) && !slices.Contains(optional, name) {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestModuleFiles(t *testing.T) {
	licence := read(t, "LICENSE")
	for _, m := range repo(t).Modules {
		if m.Name() == "checks" {
			continue // never released
		}
		for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", "api.txt"} {
			if !slices.Contains(files(t), m.Rel+"/"+name) {
				t.Errorf("%s/%s is missing", m.Rel, name)
				continue
			}
			if name == "LICENSE" && !bytes.Equal(read(t, m.Rel+"/LICENSE"), licence) {
				t.Errorf("%s/LICENSE differs from the LICENSE of the root", m.Rel)
			}
		}
	}
}
