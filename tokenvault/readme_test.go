package tokenvault_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// threatsTested are the numbers of the tests that are named after a threat.
func threatsTested(t *testing.T) map[string]bool {
	t.Helper()
	tested := map[string]bool{}
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func TestThreat([0-9]+)`).FindAllSubmatch(text, -1) {
			tested[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tested
}

// The table of threats has a row for each test of one, and a test for each row that
// names one.
func TestReadmeThreats(t *testing.T) {
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9]+) .* \| TestThreat([0-9]+) \|$`).FindAllStringSubmatch(readme(t), -1) {
		if rows[m[1]] = true; m[1] != m[2] {
			t.Errorf("row %s names the tests of %s", m[1], m[2])
		}
	}
	tested := threatsTested(t)
	for n := range tested {
		if !rows[n] {
			t.Errorf("no row for the tests of threat %s", n)
		}
	}
	for n := range rows {
		if !tested[n] {
			t.Errorf("no test is named after threat %s", n)
		}
	}
}

// What the vault does not protect from, and where tokens stay, is told to its users.
//
// req: V10
func TestReadmeLimits(t *testing.T) {
	text := readme(t)
	for _, want := range []string{
		"Programs of the same user", "read everything", "Remote hosts, WSL, dev containers, codespaces", "A rebuild of a container deletes them", "on a volume",
		"sign-in at each start", "SSH", "core dump", "/proc", "macOS", "never run", "wine",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the README says nothing of %q", want)
		}
	}
}
