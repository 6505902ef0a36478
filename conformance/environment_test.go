package conformance

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// What the editor of the recording gave a server for an environment, as far as it
// says something about the bridge.
var (
	kept = []string{"PROBE=ws", "TERM=xterm", "FROMFILE=v 1", "CODE_SERVER_PARENT_PID=1", "CODE_SERVER_SESSION_SOCKET=s"}
	own  = []string{
		"ELECTRON_RUN_AS_NODE=1", "VSCODE_CWD=/", "VSCODE_ESM_ENTRYPOINT=e", "VSCODE_HANDLES_SIGPIPE=true",
		"VSCODE_HANDLES_UNCAUGHT_ERRORS=true", "VSCODE_IPC_HOOK_CLI=c", "VSCODE_L10N_BUNDLE_LOCATION=",
		"VSCODE_NLS_CONFIG={}", "VSCODE_PROXY_URI=p", "VSCODE_RECONNECTION_GRACE_TIME=1",
		"MCP_BRIDGE_CLIENT_SECRET=s", "MCP_BRIDGE_TOKEN_KEY=k", // these two are the bridge's
	}
)

// A server runs in the directory of the bridge, with the arguments as they stand in
// the configuration, and with the environment but for what is not meant for it.
//
// req: P14, P15
func TestRecordedEnvironment(t *testing.T) {
	recording, records := recorded(t, "environment.jsonl")
	bridge, child := built(t)
	observer := observe(t)
	args := []string{"--observer", observer.address(), "recorded", recording, "/opt/x", "$HOME", "a b", "FROMFILE=v 1", "", "~", `"q"`}
	editor := prepare(t, append([]string{bridge, "--", child}, args...)...)
	editor.cmd.Dir = subdirectory(t)
	inherited := append([]string{"PATH=" + os.Getenv("PATH"), raceOptions}, kept...)
	if runtime.GOOS == "windows" {
		inherited = append(inherited, "SYSTEMROOT="+os.Getenv("SYSTEMROOT")) // no process starts without
	}
	editor.cmd.Env = slices.Concat(inherited, own)
	editor.start(t)
	got := observer.started(t)
	checkDifferences(t, replay(t, editor, records), ruled)
	editor.end(t)
	observer.gone(t)

	if diff := gocmp.Diff(args, got.Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if got.Dir != editor.cmd.Dir {
		t.Errorf("directory %s, want %s", got.Dir, editor.cmd.Dir)
	}
	slices.Sort(inherited)
	slices.Sort(got.Env)
	if diff := gocmp.Diff(inherited, got.Env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func subdirectory(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "sub dir")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}
