package vscode

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/authority"
	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
	"github.com/trestle-mcp/trestle/conformance/internal/program"
)

// guarded starts a server that wants a sign-in, with an authorization server that nobody here
// wrote, and returns the arguments of a bridge for it.
func guarded(t *testing.T, repo gobuild.Repository, dir string) []string {
	t.Helper()
	a, err := authority.New()
	if err != nil {
		t.Fatal(err)
	}
	keys := t.TempDir()
	args := []string{repo.Path("conformance", "peers", "signin", "peer.mjs")}
	for name, text := range map[string][]byte{"chain": a.Chain, "key": a.Key, "root": a.RootPEM()} {
		if err := os.WriteFile(filepath.Join(keys, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(keys, "root")
	args = append(args, filepath.Join(keys, "chain"), filepath.Join(keys, "key"), root, "--pages")
	cmd := exec.Command(filepath.Join(dir, "node_modules", "node", "bin", "node"), args...)
	cmd.Stderr = t.Output()
	var peer struct{ URL string }
	started, err := program.Start(cmd, &peer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Stop)
	return []string{"--ca-file", root, "--token-store", "file", "--redirect-port", strconv.Itoa(freePort(t)), peer.URL}
}

// freePort returns a port of this machine on which nobody listens.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
