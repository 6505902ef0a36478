package signin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
)

// built is the bridge, which is built once for all tests.
var built struct {
	once sync.Once
	dir  string // made and removed by TestMain
	path string
	err  error
}

func TestMain(m *testing.M) {
	if file := os.Getenv(visitorVariable); file != "" { // what BROWSER names is this program
		os.Exit(visitAsTold(file, os.Args[1:]))
	}
	dir, err := os.MkdirTemp("", "signin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// withRace says that the test looks for data races, and so must the bridge.
var withRace bool

// bridge returns the bridge of this repository, as it is released.
func bridge(t *testing.T) string {
	t.Helper()
	repo, err := gobuild.At("../../..", withRace)
	if errors.Is(err, gobuild.ErrNoRepository) {
		t.Skip(err)
	}
	built.once.Do(func() {
		if built.err = err; err == nil {
			built.path, built.err = repo.Build(t.Context(), "cmd/mcp-bridge-vscode", filepath.Join(built.dir, "mcp-bridge-vscode"))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}
