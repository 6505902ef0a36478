package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines are events of two runs of the package p and one of q, which did not build.
const lines = `{"Action":"run","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA"}
{"Action":"pass","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA"}
{"Action":"skip","Package":"github.com/trestle-mcp/trestle/p","Test":"TestB"}
{"Action":"pass","Package":"github.com/trestle-mcp/trestle/p"}
{"Action":"pass","Package":"github.com/trestle-mcp/trestle/p","Test":"TestB"}
{"Action":"skip","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA"}
{"Action":"skip","Package":"github.com/trestle-mcp/trestle/p","Test":"TestC"}
{"Action":"pass","Package":"github.com/trestle-mcp/trestle/p","Test":"FuzzD/seed#0"}
`

const broken = `{"ImportPath":"github.com/trestle-mcp/trestle/q","Action":"build-output","Output":"q.go:3:1: syntax error\n"}
{"ImportPath":"github.com/trestle-mcp/trestle/q","Action":"build-fail"}
{"Action":"fail","Package":"github.com/trestle-mcp/trestle/q","FailedBuild":"github.com/trestle-mcp/trestle/q"}
`

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name, output, expect string
		ok                   bool
		want                 string
	}{
		{"all expected passed once", lines, "p TestA\np TestB\n", true, "3 passed, 0 failed, 1 skipped\n"},
		{"a skipped test is missing", lines, "p TestA\np TestB\np TestC\n", false, "expected, but did not pass: p TestC\n3 passed, 1 failed, 1 skipped\n"},
		{"an absent test is missing", lines, "p TestA\np TestB\np TestZ\n", false, "expected, but did not pass: p TestZ\n3 passed, 1 failed, 1 skipped\n"},
		{"a new test is told", lines, "p TestA\n", true, "not in the list: p TestB\n3 passed, 0 failed, 1 skipped\n"},
		{"an optional stage is not listed", lines + `{"Action":"pass","Package":"ci","Test":"optional_x"}`, "p TestA\np TestB\n", true, "4 passed, 0 failed, 1 skipped\n"},
		{"an optional stage that was skipped", lines + `{"Action":"skip","Package":"ci","Test":"optional_x"}`, "p TestA\np TestB\n", true, "3 passed, 0 failed, 2 skipped\n"},
		{"an optional stage that failed", lines + `{"Action":"fail","Package":"ci","Test":"optional_x"}`, "p TestA\np TestB\n", false, "failed: ci optional_x\n3 passed, 1 failed, 1 skipped\n"},
		{"a failure stays a failure", lines + `{"Action":"output","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA"}`, "p TestB\n", false, "got 1, want 2\nfailed: p TestA\n2 passed, 1 failed, 1 skipped\n"},
		{"a package that died in a test", `{"Action":"run","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA"}
{"Action":"output","Package":"github.com/trestle-mcp/trestle/p","Test":"TestA","Output":"panic: lost\n"}
{"Action":"output","Package":"github.com/trestle-mcp/trestle/p","Output":"FAIL\n"}
{"Action":"fail","Package":"github.com/trestle-mcp/trestle/p"}`, "", false, "panic: lost\nFAIL\nfailed: package p\n0 passed, 1 failed, 0 skipped\n"},
		{"a package that did not build", broken, "", false, "q.go:3:1: syntax error\nfailed: package q\n0 passed, 1 failed, 0 skipped\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			output, expect := filepath.Join(dir, "out.json"), ""
			write(t, output, tt.output)
			if tt.expect != "" {
				expect = filepath.Join(dir, "expected.txt")
				write(t, expect, tt.expect)
			}
			var out strings.Builder
			ok, err := run(&out, expect, false, []string{output})
			if err != nil || ok != tt.ok || out.String() != tt.want {
				t.Errorf("run = %v, %v, printed %q, want %v, printed %q", ok, err, out.String(), tt.ok, tt.want)
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	output, expect := filepath.Join(dir, "out.json"), filepath.Join(dir, "expected.txt")
	write(t, output, lines)
	if _, err := run(&strings.Builder{}, expect, true, []string{output}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(expect)
	if want := "p TestA\np TestB\n"; err != nil || string(got) != want {
		t.Errorf("the list holds %q, %v, want %q", got, err, want)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
