package vscode

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
)

// The editor does what it should with a server of a revision that it does not speak:
// each scenario looks at what a person sees and at both wires of the bridge.
//
// req: X09
func TestEditor(t *testing.T) {
	dir := installed(t)
	repo := repository(t)
	record := filepath.Join(dir, "record")
	if err := errors.Join(os.RemoveAll(record), os.Mkdir(record, 0o700)); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	configuration := map[string]any{
		"modules": filepath.Join(dir, "node_modules"), "chromium": browser(t),
		"work": workDirectory(t), "record": record, "only": only(),
		"bridge":  built(t, repo, bin, "cmd/mcp-bridge-vscode"),
		"tap":     built(t, repo, bin, "conformance/peers/cmd/tap"),
		"servers": servers(t, repo, dir, bin),
		"sites":   map[string][]string{"guarded": guarded(t, repo, dir)},
		"alone":   map[string][]string{"embedded": {embedded(t, repo, bin)}},
	}
	text, err := json.Marshal(configuration)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(bin, "configuration.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	play(t, exec.Command(filepath.Join(dir, "node_modules", "node", "bin", "node"), filepath.Join("driver", "main.mjs"), file))
	if t.Failed() {
		t.Logf("pictures, both wires and the log of the editor are in %s", record)
	}
}

// servers returns the command lines of our server, of the demo's, and of two that nobody
// here wrote.
func servers(t *testing.T, repo gobuild.Repository, dir, bin string) map[string][]string {
	t.Helper()
	peers := repo.Path("conformance", "peers")
	if _, err := os.Stat(filepath.Join(peers, "node_modules")); err != nil {
		t.Fatal("two of the servers need the packages of conformance/peers: run npm ci there")
	}
	const everything = "github.com/modelcontextprotocol/go-sdk/conformance/everything-server"
	onGo, err := gobuild.BuildAlone(t.Context(), filepath.Join(peers, "goserver"), everything, filepath.Join(bin, "everything"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]string{
		"desk": {built(t, repo, bin, "conformance/vscode/cmd/server")},
		"demo": {built(t, repo, filepath.Join(bin, "demo"), "cmd/internal/demo/server")},
		"ts":   {filepath.Join(dir, "node_modules", "node", "bin", "node"), filepath.Join(peers, "server-2026.mjs")},
		"go":   {onGo},
	}
}

// embedded builds a server that has the bridge inside.
func embedded(t *testing.T, repo gobuild.Repository, bin string) string {
	t.Helper()
	path, err := gobuild.BuildApart(t.Context(), repo.Path("bridge", "examples", "gosdk"), filepath.Join(bin, "embedded"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// play runs the driver, each scenario of which is a test here.
func play(t *testing.T, driver *exec.Cmd) {
	t.Helper()
	driver.Stderr = t.Output()
	out, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// The driver ends the editor when its input ends, which it does with this process too.
	in, err := driver.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	// The driver gives up each wait by itself. This is for one that hangs.
	hangs := time.AfterFunc(20*time.Minute, func() { in.Close() })
	defer hangs.Stop()
	played := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		outcome, rest, _ := strings.Cut(lines.Text(), " ")
		name, reason, _ := strings.Cut(rest, " ")
		played++
		t.Run(name, func(t *testing.T) {
			if outcome != "ok" {
				if text, err := strconv.Unquote(reason); err == nil {
					reason = text
				}
				t.Error(reason)
			}
		})
	}
	if err := driver.Wait(); err != nil && !t.Failed() {
		t.Errorf("the driver: %v", err)
	}
	if played == 0 {
		t.Error("no scenario was played")
	}
}

// only returns the scenarios that TRESTLE_SCENARIOS names, with commas between.
func only() []string {
	return strings.FieldsFunc(os.Getenv("TRESTLE_SCENARIOS"), func(r rune) bool { return r == ',' })
}

// installed returns the directory that install has printed.
func installed(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRESTLE_VSCODE")
	if dir == "" {
		const why = "the editor is started only where TRESTLE_VSCODE names its directory: run conformance/vscode/run"
		if slices.Contains(strings.Split(os.Getenv("TRESTLE_EXPECT"), ","), "vscode") {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	if _, err := os.Stat(filepath.Join(dir, "installed")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func browser(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// workDirectory is one with a short path: the editor makes sockets in it.
func workDirectory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "desk-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func built(t *testing.T, repo gobuild.Repository, bin, pkg string) string {
	t.Helper()
	path, err := repo.Build(t.Context(), pkg, filepath.Join(bin, filepath.Base(pkg)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func repository(t *testing.T) gobuild.Repository {
	t.Helper()
	repo, err := gobuild.At("../..", false)
	if errors.Is(err, gobuild.ErrNoRepository) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return repo
}
