package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
)

// ErrAbsent says that Node 22 or later, or the packages of package.json, are not
// there.
var ErrAbsent = errors.New("peers: Node 22 or later and the packages of package.json are needed: run npm ci in conformance/peers")

const minimumNode = 22

// A Kit is the peers, ready to run.
type Kit struct {
	dir      string // conformance/peers
	node     string
	tap      string
	goServer string
	schemas  string
}

// Prepare finds Node, builds the programs of the repository, and of the peers, in
// work, and extracts the schemas to it. It needs the go command. The error is
// [ErrAbsent] where there is no Node.
func Prepare(ctx context.Context, repo gobuild.Repository, work string) (*Kit, error) {
	k := &Kit{dir: repo.Path("conformance", "peers"), schemas: filepath.Join(work, "schemas")}
	var err error
	if k.node, err = FindNode(ctx, k.dir); err != nil {
		return nil, err
	}
	if k.tap, err = repo.Build(ctx, "conformance/peers/cmd/tap", filepath.Join(work, "tap")); err != nil {
		return nil, err
	}
	const everything = "github.com/modelcontextprotocol/go-sdk/conformance/everything-server"
	server := filepath.Join(work, "everything-server")
	if k.goServer, err = gobuild.BuildAlone(ctx, filepath.Join(k.dir, "goserver"), everything, server); err != nil {
		return nil, err
	}
	extract := exec.CommandContext(ctx, k.node, "extract-schemas.mjs", suiteProgram, k.schemas)
	extract.Dir = k.dir
	if text, err := extract.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("extract schemas: %w\n%s", err, text)
	}
	return k, nil
}

// Schemas returns the directory that holds the schemas.
func (k *Kit) Schemas() string { return k.schemas }

// Tap returns the program that records what passes through it.
func (k *Kit) Tap() string { return k.tap }

// Node returns the program of Node.
func (k *Kit) Node() string { return k.node }

// GoServer returns the everything server of the Go SDK.
func (k *Kit) GoServer() string { return k.goServer }

// Path returns the path of a file in conformance/peers.
func (k *Kit) Path(name string) string { return filepath.Join(k.dir, name) }

// FindNode returns the Node that package.json in dir pins, or another one that is
// recent enough. Without the other packages no Node is of use, and the error is
// [ErrAbsent].
func FindNode(ctx context.Context, dir string) (string, error) {
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err != nil {
		return "", ErrAbsent
	}
	for _, name := range []string{filepath.Join(modules, ".bin", "node"), "node"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if out, err := exec.CommandContext(ctx, path, "--version").Output(); err == nil && recent(string(out)) {
			return path, nil
		}
	}
	return "", ErrAbsent
}

// recent reads what node --version prints, such as v22.23.3.
func recent(version string) bool {
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= minimumNode
}
