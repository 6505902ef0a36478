package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
)

// programs are what the tests have built, once for all of them.
var programs struct {
	dir string // made and removed by TestMain

	mu    sync.Mutex // guards the field below
	paths map[string]string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs.dir, programs.paths = dir, map[string]string{}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// withRace says that the test looks for data races, and so must the bridge.
var withRace bool

// built builds the bridge of this repository and the fixture.
func built(t *testing.T) (bridge, child string) {
	t.Helper()
	return build(t, "cmd/mcp-bridge-vscode", withRace), build(t, "conformance/fixture/cmd/fixture", withRace)
}

// builtPlain is like built, without the race detector, which needs memory of its own.
func builtPlain(t *testing.T) (bridge, child string) {
	t.Helper()
	return build(t, "cmd/mcp-bridge-vscode", false), build(t, "conformance/fixture/cmd/fixture", false)
}

// tap builds the program that records what passes through it.
func tap(t *testing.T) string {
	t.Helper()
	return build(t, "conformance/peers/cmd/tap", withRace)
}

// build builds a program of this repository.
func build(t *testing.T, pkg string, race bool) string {
	t.Helper()
	repo, err := gobuild.At("..", race)
	if errors.Is(err, gobuild.ErrNoRepository) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	programs.mu.Lock()
	defer programs.mu.Unlock()
	name := filepath.Base(pkg) + fmt.Sprintf("-race-%v", race)
	if programs.paths[name] == "" {
		path, err := repo.Build(t.Context(), pkg, filepath.Join(programs.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		programs.paths[name] = path
	}
	return programs.paths[name]
}
