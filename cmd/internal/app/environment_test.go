package app

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// The browser gets what the bridge has, but for the secrets.
//
// req: S03
func TestS03BrowserEnvironment(t *testing.T) {
	env := []string{"PATH=/bin", "MCP_BRIDGE_TOKEN_KEY=s", "mcp_bridge_client_secret=s", "MCP_BRIDGE_OTHER=s", "TOKEN=s", "TOKEN_2=k", "VSCODE_IPC_HOOK_CLI=k", "DISPLAY=:0", "EMPTY="}
	want := []string{"PATH=/bin", "TOKEN_2=k", "VSCODE_IPC_HOOK_CLI=k", "DISPLAY=:0", "EMPTY="}
	headers := []headerVariable{{"Authorization", "TOKEN"}, {"X-B", "NONE"}}
	if runtime.GOOS == "windows" {
		headers[0].variable = "Token"
	}
	if got := browserEnv(env, headers); !slices.Equal(got, want) {
		t.Errorf("browserEnv = %q, want %q", got, want)
	}
}

// Secrets leave the environment of this process once they were read, so that nothing that
// it starts, or the system starts for it, inherits them.
//
// req: S03 P06
func TestS03SecretsLeaveTheEnvironment(t *testing.T) {
	env := []string{"TRESTLE_TEST_TOKEN=s", "TRESTLE_TEST_OTHER=k", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "MCP_BRIDGE_CLIENT_SECRET=s", "MCP_BRIDGE_MORE=s"}
	for _, variable := range env {
		key, value, _ := strings.Cut(variable, "=")
		t.Setenv(key, value)
	}
	code, _, stderr := runWith(t, os.Environ(), strings.Fields("--token-store memory --client-id i --client-issuer https://i.example --header-env X-A=TRESTLE_TEST_TOKEN https://s.example/"))
	if code != exitOK {
		t.Fatalf("Run = code %d, %s", code, stderr)
	}
	for _, variable := range env {
		key, _, _ := strings.Cut(variable, "=")
		if _, found := os.LookupEnv(key); found != (key == "TRESTLE_TEST_OTHER") {
			t.Errorf("%s is there: %v", key, found)
		}
	}
}

// Where the browser may be on another machine than the bridge, a line says what helps.
func TestApart(t *testing.T) {
	file := &fstest.MapFile{}
	kernel := func(release string) fstest.MapFS {
		return fstest.MapFS{"proc/sys/kernel/osrelease": {Data: []byte(release)}}
	}
	for _, tt := range []struct {
		name string
		env  string
		root fstest.MapFS
		want string
	}{
		{"a desktop", "DISPLAY=:0", kernel("6.1.0-generic\n"), ""},
		{"nothing", "", nil, ""},
		{"SSH", "SSH_CONNECTION=a b", nil, "the bridge runs on the far end of SSH; "},
		{"SSH with a terminal", "SSH_TTY=/dev/pts/1", nil, "the bridge runs on the far end of SSH; "},
		{"WSL", "", kernel("5.15.90.1-microsoft-standard-WSL2\n"), "the bridge runs in WSL; "},
		{"WSL 1", "", kernel("4.4.0-19041-Microsoft\n"), "the bridge runs in WSL; "},
		{"Docker", "", fstest.MapFS{".dockerenv": file}, "the bridge runs in a container; "},
		{"Podman", "", fstest.MapFS{"run/.containerenv": file}, "the bridge runs in a container; "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := apart([]string{tt.env}, false, tt.root)
			if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("apart = %q, want %q", got, tt.want)
			}
			if got != "" && (!strings.Contains(got, "--redirect-port") || !strings.Contains(got, "--no-browser")) {
				t.Errorf("apart = %q, which names nothing that helps", got)
			}
			if got := apart([]string{tt.env}, true, tt.root); strings.Contains(got, "--no-browser") || (got == "") != (tt.want == "") {
				t.Errorf("apart = %q with --no-browser, want it without that option", got)
			}
		})
	}
}

func TestWaiting(t *testing.T) {
	if got, want := waiting(1500*time.Millisecond, false), "waiting up to 1.5s for the sign-in; --sign-in-timeout changes that, --no-browser opens nothing"; got != want {
		t.Errorf("waiting = %q, want %q", got, want)
	}
	if got, want := waiting(time.Hour, true), "waiting up to 3600s for the sign-in; --sign-in-timeout changes that"; got != want {
		t.Errorf("waiting = %q, want %q", got, want)
	}
}

// Another name in a keychain would lose every sign-in that is kept.
//
// req: S11
func TestS11KeychainService(t *testing.T) {
	c, err := new(vault).config([]string{"HOME=" + t.TempDir(), "LocalAppData=" + t.TempDir()}, tokenvault.KeySource{})
	if err != nil || c.Service != "trestle/mcp-bridge-vscode" {
		t.Errorf("the keychain knows the bridge as %q (%v)", c.Service, err)
	}
}
