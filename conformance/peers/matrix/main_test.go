package matrix

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// serveWord is the first argument of this program when it is a server; the second is the
// revision of that.
const serveWord = "serve-revision"

// work is the directory of what the tests build, made and removed by TestMain.
var work string

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == serveWord { // the bridge starts this program as its server
		if err := newServer(os.Args[2]).serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	flag.Set("test.parallel", "8") // a session waits for others most of its time
	var err error
	if work, err = os.MkdirTemp("", "matrix-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(work)
	os.Exit(code)
}

// withRace says that the test looks for data races, and so must the bridge.
var withRace bool

// programs are what every cell needs.
type programs struct {
	bridge, tap, own string
	kit              *run.Kit // nil without Node: then frames are judged by their shape alone
}

// prepare builds the programs once.
var prepare = sync.OnceValues(func() (p programs, err error) {
	repo, err := gobuild.At("../../..", withRace)
	if err != nil {
		return p, err
	}
	ctx := context.Background()
	if p.own, err = os.Executable(); err != nil {
		return p, err
	}
	if p.bridge, err = repo.Build(ctx, "cmd/mcp-bridge-vscode", filepath.Join(work, "bridge")); err != nil {
		return p, err
	}
	if p.kit, err = run.Prepare(ctx, repo, work); errors.Is(err, run.ErrAbsent) {
		p.tap, err = repo.Build(ctx, "conformance/peers/cmd/tap", filepath.Join(work, "tap"))
		return p, err
	}
	if err == nil {
		p.tap = p.kit.Tap()
	}
	return p, err
})

func prepared(t *testing.T) programs {
	t.Helper()
	p, err := prepare()
	switch {
	case errors.Is(err, gobuild.ErrNoRepository):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return p
}
