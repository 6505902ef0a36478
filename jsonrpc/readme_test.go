package jsonrpc

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The program in README.md is the one of an Example, so it compiles and runs.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	source := strings.ReplaceAll(string(examples), "\n\t", "\n")
	programs := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(programs) == 0 {
		t.Error("README.md holds no program")
	}
	for _, p := range programs {
		if !strings.Contains(source, p[1]) {
			t.Errorf("no Example holds this program of README.md:\n%s", p[1])
		}
	}
}
