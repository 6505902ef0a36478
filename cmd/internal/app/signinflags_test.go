package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// A header Authorization, wherever it comes from, and an option of a sign-in exclude each
// other: two of them never go out.
//
// req: P09 P12
func TestP09StaticAuthorizationExcludesASignIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "headers")
	if err := os.WriteFile(file, []byte("X-A: b\nauthorization: s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const text = "is for a sign-in, which a header Authorization excludes"
	env := []string{"TOKEN=s3cret"}
	for _, header := range []string{"--header AUTHORIZATION:s3cret", "--header-env Authorization=TOKEN", "--header-file " + file} {
		for _, option := range signInOptions {
			written := "--" + option + " " + valueFor(option)
			if option == "no-browser" || option == "no-resource-parameter" {
				written = "--" + option
			}
			if option == keyFileOption {
				written = "--" + option + " " + keyFile(t, s3cretKey, 0o600)
			}
			for _, form := range []string{"", "check "} {
				testWrongUseWith(t, env, form+header+" "+written+" https://s3cret/", "--"+option+": "+text, name+" --help")
			}
		}
		testWrongUseWith(t, append(env, "MCP_BRIDGE_CLIENT_SECRET=s3cret"), header+" https://s3cret/", "MCP_BRIDGE_CLIENT_SECRET: "+text, name+" --help")
	}
}

// With such a header nothing is asked but the server, even if it wants a sign-in; and no
// store is opened.
//
// req: P09
func TestP09StaticAuthorizationNeverSignsIn(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	args := []string{"--ca-file", p.ca, "--header-env", "Authorization=M4RK3R_VARIABLE", s.URL + "/m4rk3r"}
	answers, stderr, err := converse(t, p.env, args, initialize)
	if err != nil || len(answers) != 1 || !strings.Contains(answers[0], `"error"`) {
		t.Errorf("Run = %v with %q", err, answers)
	}
	if len(s.asked) != 0 || strings.Contains(stderr, "token store") || strings.Contains(stderr, "sign in at") {
		t.Errorf("asked for %q; stderr: %s", s.asked, stderr)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(p.ca), "state")); err == nil {
		t.Error("a store was made")
	}
}

// Combinations that mean nothing, and texts that cannot be what they should, are refused by
// the name of the option.
//
// req: P07 P12 X03 V04
func TestP07WrongUseOfASignIn(t *testing.T) {
	secret, key := "MCP_BRIDGE_CLIENT_SECRET=s3cret", "MCP_BRIDGE_TOKEN_KEY="+s3cretKey
	for _, tt := range []struct {
		name, env, args, want string
	}{
		{"secret without its server", secret, "", "MCP_BRIDGE_CLIENT_SECRET: goes to one authorization server only; name that by --client-issuer"},
		{"secret of a client without its server", secret, "--client-id s3cret", "MCP_BRIDGE_CLIENT_SECRET: goes to one authorization server only; name that by --client-issuer"},
		{"secret of no client", secret, "--client-issuer https://s3cret", "MCP_BRIDGE_CLIENT_SECRET: is the secret of a client; name that by --client-id"},
		{"secret with a line break", "MCP_BRIDGE_CLIENT_SECRET=s3cret\n", "--client-id s3cret --client-issuer https://s3cret", "MCP_BRIDGE_CLIENT_SECRET: the secret is not of visible ASCII"},
		{"secret beyond ASCII", "MCP_BRIDGE_CLIENT_SECRET=s3crét", "--client-id s3cret --client-issuer https://s3cret", "MCP_BRIDGE_CLIENT_SECRET: the secret is not of visible ASCII"},
		{"resource parameter left out everywhere", "", "--no-resource-parameter", "--no-resource-parameter: is for one authorization server; name that by --client-issuer"},
		{"resource that is left out", "", "--no-resource-parameter --client-issuer https://s3cret --resource https://s3cret/", "--resource: has no effect with --no-resource-parameter"},
		{"two clients", "", "--client-id s3cret --client-metadata-url https://s3cret/c", "--client-metadata-url: is for a client without --client-id"},
		{"issuer over http", "", "--client-issuer http://s3cret", "--client-issuer: the issuer has to be an https URL without user information, query and fragment"},
		{"issuer on this machine over http", "", "--client-issuer http://127.0.0.1:1", "--client-issuer: the issuer has to be an https URL without user information, query and fragment"},
		{"document over http", "", "--client-metadata-url http://localhost/s3cret", "--client-metadata-url: the metadata of the client has to be at an https URL with a path, without user information and fragment"},
		{"client of two words", "", "--client-id é3cret", "--client-id: the client is not of visible ASCII"},
		{"scope", "", `--scope s3"cret`, "--scope: a scope has to be of visible ASCII without quote and backslash"},
		{"resource of another server", "", "--resource https://s3cret.example/", "--resource: the resource has to be a URL that the one of the server begins with"},
		{"directory for memory", "", "--token-store memory --token-dir s3cret", "--token-dir: has no effect with --token-store memory"},
		{"key file for memory", "", "--token-store memory --token-key-file " + keyFile(t, s3cretKey, 0o600), "--token-key-file: has no effect with --token-store memory"},
		{"key file for a keychain", "", "--token-store keychain --token-key-file " + keyFile(t, s3cretKey, 0o600), "--token-key-file: has no effect with --token-store keychain"},
		{"file store without a key", "", "--token-store file --token-dir " + t.TempDir(), "--token-store: file needs a key; give --token-key-file or the variable MCP_BRIDGE_TOKEN_KEY"},
		{"file store in no directory", key, "--token-store file", "--token-dir: the system names no directory for the kept sign-ins; give one"},
		{"keychain in no directory", "", "--token-store keychain", "--token-dir: the system names no directory for the kept sign-ins; give one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, form := range []string{"", "check "} {
				testWrongUseWith(t, []string{tt.env}, form+tt.args+" https://s3cret/", tt.want, name+" --help")
			}
		})
	}
}

// What the options say reaches the bridge.
//
// req: X03 S07 S13 S19 P07
func TestX03OptionsReachTheBridge(t *testing.T) {
	state := t.TempDir()
	env := []string{"MCP_BRIDGE_CLIENT_SECRET=s3cret", "BROWSER=b", "TOKEN=s3cret", "SANDBOX_RUNTIME=1", "XDG_STATE_HOME=" + state, "HOME=" + state, "LocalAppData=" + state}
	got := signInOf(t, env, "--client-id", "i", "--client-issuer", "https://i.example", "--scope", "a b", "--scope", "c", "--no-resource-parameter",
		"--redirect-port", "7", "--sign-in-timeout", "20", "--auth-private-host", "h", "--account", "w", "--header-env", "X-A=TOKEN")
	if got.ClientID != "i" || got.ClientSecret.Expose() != "s3cret" || got.ClientIssuer != "https://i.example" || strings.Join(got.Scopes, "|") != "a|b|c" ||
		!got.OmitResource || got.RedirectPort != 7 || got.Timeout != 20*time.Second || strings.Join(got.PrivateHosts, "|") != "h" || got.Account != "w" ||
		got.PortLock != filepath.Join(stateDir(env), "port-7.lock") || !got.Sandboxed || got.Show == nil || got.AllowLoopbackHTTP {
		t.Errorf("the bridge gets %+v", got)
	}
	if o, ok := got.Opener.(oauthloopback.SystemOpener); !ok || o.Browser != "b" || strings.Contains(strings.Join(o.Env, " "), "s3cret") || len(o.Env) != 5 {
		t.Errorf("the opener is %+v", got.Opener)
	}
	if text := fmt.Sprintf("%+v", *got); strings.Contains(text, "s3cret") {
		t.Errorf("a secret is printed: %s", text)
	}
	got = signInOf(t, nil, "--no-browser", "--client-metadata-url", "https://c.example/c", "--resource", "https://s.example/")
	if got.Opener != nil || got.ClientMetadata != "https://c.example/c" || got.Resource != "https://s.example/" || got.PortLock != "" || got.Sandboxed {
		t.Errorf("the bridge gets %+v", got)
	}
}

// signInOf returns what the bridge is given for a command line.
func signInOf(t *testing.T, env []string, args ...string) *bridge.SignIn {
	t.Helper()
	set := defaults()
	fs := set.flags(name)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	p := &process{env: env}
	target, err := p.readServer(fs, set, []string{"https://s.example/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.signIn(target.access, bridge.NewLog(new(strings.Builder), 0))
}

// Authorization servers that speak http are refused, whatever the command line says; only the
// function that no binary calls takes them, and only on this machine.
//
// req: P11 S04
func TestP11LoopbackHTTP(t *testing.T) {
	args := func(issuer string) []string {
		return []string{"--token-store", "memory", "--client-issuer", issuer, "https://s.example/"}
	}
	try := func(run func(context.Context, []string, []string, io.Reader, io.Writer, io.Writer) error, issuer string) int {
		return ExitCode(run(t.Context(), args(issuer), nil, strings.NewReader(""), io.Discard, io.Discard))
	}
	for _, tt := range []struct {
		issuer       string
		shipped, own int
	}{
		{"https://i.example", exitOK, exitOK}, {"http://localhost:1", exitUsage, exitOK}, {"http://i.example", exitUsage, exitUsage},
	} {
		if shipped, own := try(Run, tt.issuer), try(RunLoopbackHTTP, tt.issuer); shipped != tt.shipped || own != tt.own {
			t.Errorf("%s: code %d, and for tests %d; want %d and %d", tt.issuer, shipped, own, tt.shipped, tt.own)
		}
	}
}

// In a sandbox nothing is opened and nothing shown; initialize says why at once. Another value
// of the variable means no sandbox.
//
// req: S19
func TestS19Sandbox(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	answers, stderr, err := converse(t, append(p.env, "SANDBOX_RUNTIME=1"), p.args(t), initialize)
	if err != nil || len(answers) != 1 || !strings.Contains(answers[0], `"cause":"sign_in_sandbox"`) {
		t.Errorf("Run = %v with %q\n%s", err, answers, stderr)
	}
	if u, _ := signInLine(t, stderr); u != "" || s.paths("/authorize") != 0 {
		t.Errorf("somebody was asked: %s", stderr)
	}
	_, stderr = endWhileWaiting(t, append(p.env, "SANDBOX_RUNTIME=0"), p.args(t, "--no-browser"))
	if u, _ := signInLine(t, stderr); u == "" {
		t.Errorf("nobody was asked outside a sandbox: %s", stderr)
	}
}

// Without a browser the URL is shown and nothing is opened; the end of the input ends the
// wait.
//
// req: S13 S10
func TestS13NoBrowser(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	answers, stderr := endWhileWaiting(t, p.env, p.args(t, "--no-browser"))
	u, _ := signInLine(t, stderr)
	if !strings.HasPrefix(u, s.URL+"/authorize?") || strings.Contains(answers, `"result"`) {
		t.Errorf("the URL shown is %q; answers: %s", u, answers)
	}
	if !strings.Contains(stderr, ": INFO waiting up to 300s for the sign-in; --sign-in-timeout changes that\n") {
		t.Errorf("stderr = %s", stderr)
	}
	if n := len(p.visits(t, 0)); n != 0 {
		t.Errorf("%d browsers were opened", n)
	}
}
