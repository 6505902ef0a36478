package oauthloopback

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The README has a row for each test of a row, and a test for each row.
func TestReadmeRows(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range []string{"rows_test.go", "rowsofstart_test.go", "rowsofcallback_test.go", "server_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9]+a?)(?:, ([0-9]+))? \|`).FindAllStringSubmatch(string(readme), -1) {
		for _, row := range m[1:] {
			rows[row] = true
		}
	}
	delete(rows, "")
	tested := map[string]bool{}
	for _, m := range regexp.MustCompile(`func TestRow([0-9]+a?)`).FindAllStringSubmatch(tests.String(), -1) {
		tested[m[1]] = true
		if !rows[m[1]] {
			t.Errorf("the README has no row %s", m[1])
		}
	}
	for row := range rows {
		if !tested[row] {
			t.Errorf("no test of row %s", row)
		}
	}
}

// The program in the README is the one of an example, which the compiler has seen.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_browser_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```go\n")
	program, _, _ = strings.Cut(program, "```")
	program = regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(program, "\t$1")
	if program == "" || !strings.Contains(string(example), "{\n"+program+"}\n") {
		t.Errorf("the README has another program than the example:\n%s", program)
	}
}

// What users of a shared machine have to know stands in the README, and how they keep
// the start URL away from others.
//
// req: S21
func TestReadmeSharedMachine(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Users of the same machine", "DeliverNone", "hidepid", "LateStart", "WSL", "container", "ssh -L"} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("the README says nothing of %q", want)
		}
	}
}
