package peers

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// wanted are all steps of the client: a session through the bridge has to pass each
// that the server of the plan offers something for.
var wanted = []string{
	"initialize", "version", "ping", "tools", "prompts", "resources", "templates", "call", "structured", "bad",
	"iserror", "unknown-tool", "unknown-method", "progress", "setlevel", "log", "log-filter",
	"form-accept", "form-decline", "form-cancel", "url", "sampling", "roots", "rounds", "roots-changed",
	"prompt", "completion", "read", "read-unknown", "subscribe", "updated", "unsubscribe", "tools-changed",
	"cancel", "flight50", "exit",
}

// plans are those of the client, with the steps for which the server has nothing.
var plans = []struct {
	name    string
	skipped []string
}{
	{"ts2026", nil},
	{"go", []string{"structured", "bad", "url", "cancel"}},
}

// The whole of each plan passes through the bridge.
//
// req: W16
func TestPeers(t *testing.T) {
	kit, bridge := prepared(t)
	for _, plan := range plans {
		t.Run(plan.name, func(t *testing.T) {
			checkPlan(t, kit, run.Session{Plan: plan.name, Bridge: bridge}, plan.skipped)
		})
	}
}

// The same holds where the servers are at a URL: over HTTP/1.1, and over HTTP/2 with
// TLS by an authority that the bridge is told of.
//
// req: W16
func TestPeersAtURL(t *testing.T) {
	kit, bridge := prepared(t)
	for _, tt := range []struct{ over, protocol string }{
		{run.OverHTTP, "HTTP/1.1"},
		{run.OverHTTPS, "HTTP/2.0"},
	} {
		for _, plan := range plans {
			t.Run(tt.over+" "+plan.name, func(t *testing.T) {
				s := run.Session{Plan: plan.name, Over: tt.over, Bridge: bridge}
				r := checkPlan(t, kit, s, plan.skipped)
				if want := []string{tt.protocol}; !slices.Equal(r.Protocols, want) {
					t.Errorf("spoken %q, want %q", r.Protocols, want)
				}
			})
		}
	}
}

// The same holds for a server that is older than what the bridge asks for first, and has
// sessions.
//
// req: U11, U17
func TestPeersOlderAtURL(t *testing.T) {
	kit, bridge := prepared(t)
	for _, over := range []string{run.OverHTTP, run.OverHTTPS} {
		t.Run(over, func(t *testing.T) {
			checkPlan(t, kit, run.Session{Plan: "go", Over: over, Bridge: bridge, Older: true}, plans[1].skipped)
		})
	}
}

// A server that has the bridge inside serves them all: the client of the older revision,
// step by step, and the second client, of both. Each frame has the shape of its revision.
//
// req: E04
func TestE04EmbeddedPeers(t *testing.T) {
	kit := preparedKit(t)
	t.Setenv("GORACE", "atexit_sleep_ms=0 halt_on_error=1")
	server, err := repository(t).Build(t.Context(), "cmd/internal/embedded", filepath.Join(t.TempDir(), "embedded"))
	if err != nil {
		t.Fatal(err)
	}
	for _, plan := range plans {
		t.Run("older "+plan.name, func(t *testing.T) {
			checkPlan(t, kit, run.Session{Plan: plan.name, Bridge: []string{server}}, plan.skipped)
		})
		t.Run("newer "+plan.name, func(t *testing.T) {
			checkSecond(t, kit, run.Session{Plan: plan.name, Client: run.ClientV2Modern, Bridge: []string{server}})
		})
	}
}

// checkPlan wants each step but those that are skipped to pass in a session, and what
// was recorded of it to be right.
func checkPlan(t *testing.T, kit *run.Kit, s run.Session, skipped []string) *run.Report {
	t.Helper()
	s.Record = t.TempDir()
	r := played(t, kit, s)
	if len(r.Steps) != len(wanted) {
		t.Errorf("%d steps, want %d", len(r.Steps), len(wanted))
	}
	for _, name := range wanted {
		t.Run(name, func(t *testing.T) {
			want := "ok"
			if slices.Contains(skipped, name) {
				want = "skip"
			}
			if got := step(r, name); got.Outcome != want {
				t.Errorf("step %s: %q (%s), want %s", name, got.Outcome, got.Detail, want)
			}
		})
	}
	t.Run("frames", func(t *testing.T) { checkFrames(t, r) })
	t.Run("cancelled", func(t *testing.T) { checkCancelled(t, s, !slices.Contains(skipped, "cancel")) })
	return r
}

// A second client, written apart from the first. In mode auto it asks a process
// of its own with server/discover, is refused, and falls back to initialize.
func TestSecondClient(t *testing.T) {
	kit, bridge := prepared(t)
	for _, tt := range []struct{ name, client, over string }{
		{"initialize first", run.ClientV2Legacy, run.OverStdio},
		{"discover first", run.ClientV2Auto, run.OverStdio},
		{"initialize first, at a URL", run.ClientV2Legacy, run.OverHTTP},
		{"discover first, at a URL", run.ClientV2Auto, run.OverHTTP},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkSecond(t, kit, run.Session{Plan: "ts2026", Client: tt.client, Over: tt.over, Bridge: bridge})
		})
	}
}

// checkSecond wants each step of the second client to pass.
func checkSecond(t *testing.T, kit *run.Kit, s run.Session) {
	t.Helper()
	r := played(t, kit, s)
	for _, s := range r.Steps {
		if s.Outcome != "ok" {
			t.Errorf("step %s: %s (%s), want ok", s.Name, s.Outcome, s.Detail)
		}
	}
	if len(r.Steps) == 0 {
		t.Error("the client printed no step")
	}
	checkFrames(t, r)
}

func checkFrames(t *testing.T, r *run.Report) {
	t.Helper()
	if r.BridgeFrames == 0 {
		t.Error("the bridge wrote nothing")
	}
	for _, f := range r.Faults {
		t.Errorf("wrong: %v", f)
	}
	for _, f := range r.Listed {
		t.Logf("a frame of a peer: %v", f)
	}
	t.Logf("%d frames, %d of the bridge", r.Frames, r.BridgeFrames)
}

// step returns the step of that name, or one without an outcome.
func step(r *run.Report, name string) run.Step {
	for _, s := range r.Steps {
		if s.Name == name {
			return s
		}
	}
	return run.Step{Name: name, Detail: "the client did not print it"}
}

func played(t *testing.T, kit *run.Kit, s run.Session) *run.Report {
	t.Helper()
	if s.Record == "" {
		s.Record = t.TempDir()
	}
	s.Out, s.Err = t.Output(), t.Output()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	r, err := kit.Run(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// prepared returns the peers and the command of the bridge.
func prepared(t *testing.T) (*run.Kit, []string) {
	t.Helper()
	kit := preparedKit(t)
	return kit, []string{built(t, "cmd/mcp-bridge-vscode")}
}

// built returns a bridge, by its directory in the repository.
func built(t *testing.T, pkg string) string {
	t.Helper()
	t.Setenv("GORACE", "atexit_sleep_ms=0 halt_on_error=1") // a race ends the bridge, and so the session
	bridge, err := repository(t).Build(t.Context(), pkg, filepath.Join(t.TempDir(), path.Base(pkg)))
	if err != nil {
		t.Fatal(err)
	}
	return bridge
}

// kit is what the tests share.
var kit struct {
	once sync.Once
	dir  string // made and removed by TestMain
	kit  *run.Kit
	err  error
}

func preparedKit(t *testing.T) *run.Kit {
	t.Helper()
	repo := repository(t)
	kit.once.Do(func() { kit.kit, kit.err = run.Prepare(context.Background(), repo, kit.dir) })
	switch {
	case errors.Is(kit.err, run.ErrAbsent):
		skipWithout(t, "node", kit.err)
	case kit.err != nil:
		t.Fatal(kit.err)
	}
	return kit.kit
}

// withRace says that the test looks for data races, and so must the bridge.
var withRace bool

func repository(t *testing.T) gobuild.Repository {
	t.Helper()
	repo, err := gobuild.At("../..", withRace)
	if errors.Is(err, gobuild.ErrNoRepository) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return repo
}
