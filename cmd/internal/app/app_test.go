package app

import (
	"cmp"
	"log/slog"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// run runs the command line with nothing on stdin.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runWith(t, nil, args)
}

// runWith is run with an environment.
func runWith(t *testing.T, env, args []string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	err := Run(t.Context(), args, env, strings.NewReader(""), &out, &errs)
	return ExitCode(err), out.String(), errs.String()
}

const oneVariable = "takes the name of one variable, which is none that the bridge or the editor has for itself"

// req: P12
func TestWrongUse(t *testing.T) {
	for _, tt := range []struct {
		name string
		args string
		want string // on stderr, after the name
	}{
		{"nothing", "", "no server; give its URL, or its command after --"},
		{"no command after --", "--", "no command after --"},
		{"command without --", "server --port 8080", "unexpected argument; give the URL with https:// or http://, or the command of the server after --"},
		{"argument and command", "x -- server", "unexpected argument; give the URL with https:// or http://, or the command of the server after --"},
		{"unknown option", "--bogus s3cret -- server", "--bogus: unknown option"},
		{"unknown option with =", "--bogus=s3cret -- server", "--bogus: unknown option"},
		{"unknown option with a joined value", "--bogus:s3cret -- server", "--bogus: unknown option"},
		{"unknown letter", "-s3cret -- server", "-s: unknown option; options start with two dashes"},
		{"unknown sign", "-é3cret -- server", "-: unknown option; options start with two dashes"},
		{"option with one dash", "-log-level debug -- server", "--log-level: options start with two dashes"},
		{"option with one dash and =", "-log-level=s3cret -- server", "--log-level: options start with two dashes"},
		{"option with one dash, without its value", "-log-level", "--log-level: options start with two dashes"},
		{"switch with one dash", "-version", "--version: options start with two dashes"},
		{"help as a word", "help", "help is no command; write --help"},
		{"version as a word", "version", "version is no command; write --version"},
		{"login as a word", "login https://s3cret/", "login is no command; the bridge signs in when it starts, and check <url> does so now"},
		{"sign-in as a word", "sign-in", "sign-in is no command; the bridge signs in when it starts, and check <url> does so now"},
		{"unknown option after a known one", "--log-level debug --bogus -- server", "--bogus: unknown option"},
		{"unknown option after a switch", "--version --bogus", "--bogus: unknown option"},
		{"option without its value", "--log-level", "--log-level: needs a value"},
		{"-- is no value", "--log-level -- server", "--log-level: needs a value"},
		{"level", "--log-level s3cret -- server", "--log-level: takes error, warn, info or debug"},
		{"duration", "--discover-timeout s3cret -- server", "--discover-timeout: takes a time above zero such as 90s or 2m; a bare number is seconds"},
		{"duration of zero", "--discover-timeout 0 -- server", "--discover-timeout: takes a time above zero such as 90s or 2m; a bare number is seconds"},
		{"duration without end", "--discover-timeout inf -- server", "--discover-timeout: takes a time above zero such as 90s or 2m; a bare number is seconds"},
		{"negative duration", "--discover-timeout=-1s -- server", "--discover-timeout: takes a time above zero such as 90s or 2m; a bare number is seconds"},
		{"size", "--max-line-bytes s3cret -- server", "--max-line-bytes: takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB"},
		{"size of zero", "--max-line-bytes 0 -- server", "--max-line-bytes: takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB"},
		{"size of a unit alone", "--max-line-bytes MiB -- server", "--max-line-bytes: takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB"},
		{"size that is no limit", "--max-line-bytes 513MiB -- server", "--max-line-bytes: takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB"},
		{"switch with a value", "--version=s3cret", "--version: takes no value"},
		{"batch file switch with a value", "--allow-batch-file=s3cret -- server", "--allow-batch-file: takes no value"},
		{"no variable", "--env-allow= -- server", "--env-allow: needs a value"},
		{"variable with a value", "--env-allow KEY=s3cret -- server", "--env-allow: " + oneVariable},
		{"secret of the bridge", "--env-allow MCP_BRIDGE_TOKEN_KEY -- server", "--env-allow: " + oneVariable},
		{"variable of the editor", "--env-allow vscode_x -- server", "--env-allow: " + oneVariable},
		{"redirects", "--redirects s3cret https://s3cret/", "--redirects: takes same-origin or none"},
		{"response size", "--max-response-bytes 0 https://s3cret/", "--max-response-bytes: takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB"},
		{"time to connect", "--connect-timeout 0 https://s3cret/", "--connect-timeout: takes a time above zero such as 90s or 2m; a bare number is seconds"},
		{"silence", "--idle-timeout s3cret https://s3cret/", "--idle-timeout: takes a time above zero such as 90s or 2m; a bare number is seconds"},
		{"URL with a password", "https://user:s3cret@example.com/", "the URL of the server holds a user name or password; use a header instead"},
		{"URL with a fragment", "https://example.com/#s3cret", "the URL of the server holds a fragment, which is never sent; leave it out"},
		{"URL of http to another machine", "http://s3cret.example/", "the URL of the server is a URL of http to another machine; only https is secure there"},
		{"URL without a host", "https:///s3cret", "the URL of the server is a URL without a valid host"},
		{"account", "--account s3cret/ https://s3cret/", "--account: takes 1 to 64 of A-Z, a-z, 0-9 and ._@-"},
		{"account that is too long", "--account " + strings.Repeat("a", 65) + " https://s3cret/", "--account: takes 1 to 64 of A-Z, a-z, 0-9 and ._@-"},
		{"store", "--token-store s3cret https://s3cret/", "--token-store: takes auto, keychain, file or memory"},
		{"port", "--redirect-port 65536 https://s3cret/", "--redirect-port: takes a port from 1 to 65535"},
		{"port of zero", "--redirect-port 0 https://s3cret/", "--redirect-port: takes a port from 1 to 65535"},
		{"time for a sign-in", "--sign-in-timeout 9.999 https://s3cret/", "--sign-in-timeout: takes a time from 10s to 1h"},
		{"time for a sign-in that is too long", "--sign-in-timeout 3600.001 https://s3cret/", "--sign-in-timeout: takes a time from 10s to 1h"},
		{"private host with a port", "--auth-private-host s3cret:1 https://s3cret/", "--auth-private-host: takes the name or address of a host, without a port"},
		{"private host with a zone", "--auth-private-host fe80::1%s3cret https://s3cret/", "--auth-private-host: takes the name or address of a host, without a port"},
		{"era", "--upstream-era s3cret -- server", "--upstream-era: takes auto, modern or legacy"},
		{"discover", "--discover s3cret -- server", "--discover: takes refuse or answer"},
		{"discover that does not work yet", "--discover=answer -- server",
			"--discover: answer does not work yet: it is for an editor that speaks MCP 2026-07-28 itself"},
	} {
		t.Run(tt.name, func(t *testing.T) { testWrongUse(t, tt.args, tt.want, name+" --help") })
	}
}

// req: P12
func TestWrongUseOfDemo(t *testing.T) {
	for _, tt := range []struct {
		name string
		args string
		want string // on stderr, after the name
	}{
		{"command", "demo -- server", "demo takes no server; to start a server named demo, write -- demo"},
		{"argument", "demo s3cret", "demo takes no argument"},
		{"option of the bridge", "--log-level debug demo", "--log-level: has no effect on demo"},
		{"option of the bridge behind it", "demo --log-level debug", "--log-level: has no effect on demo"},
		{"unknown option", "demo --bogus", "--bogus: unknown option"},
		{"option with one dash", "demo -json", "--json: options start with two dashes"},
		{"switch with a value", "demo --json=s3cret", "--json: takes no value"},
	} {
		t.Run(tt.name, func(t *testing.T) { testWrongUse(t, tt.args, tt.want, name+" demo --help") })
	}
}

// helpFor is where the usage of a command line is: a subcommand that is all of its own has
// its own.
func helpFor(args string) string {
	for arg := range strings.FieldsSeq(args) {
		if slices.Contains([]string{"demo", "logout", "status"}, arg) {
			return name + " " + arg + " --help"
		}
	}
	return name + " --help"
}

// testWrongUse runs a command line of which want says what is wrong, and help where
// the usage is.
func testWrongUse(t *testing.T, args, want, help string) {
	t.Helper()
	testWrongUseWith(t, nil, args, want, help)
}

func testWrongUseWith(t *testing.T, env []string, args, want, help string) {
	t.Helper()
	code, stdout, stderr := runWith(t, env, strings.Fields(args))
	if option, _, _ := strings.Cut(strings.TrimPrefix(want, "--"), ":"); help == name+" --help" &&
		(strings.HasPrefix(option, "MCP_BRIDGE_") || slices.Contains(signInOptions, option)) {
		help += "-sign-in"
	}
	want = name + ": " + want + " (" + help + " shows the usage)\n"
	if code != exitUsage || stdout != "" || stderr != want {
		t.Errorf("Run(%q) = code %d, stdout %q, stderr %q; want code 2, no stdout, stderr %q",
			args, code, stdout, stderr, want)
	}
	if strings.Contains(stderr, "s3cret") {
		t.Errorf("Run(%q) repeats a value", args)
	}
}

// req: P11
func TestNoInsecureOptions(t *testing.T) {
	for _, option := range []string{"--allow-http", "--insecure", "--headless"} {
		for _, form := range []string{
			option + " -- server", option + "=true -- server", option + " https://example.com", "logout " + option + " --all",
			"status " + option, "check " + option + " -- server", "demo " + option,
		} {
			code, stdout, stderr := run(t, strings.Fields(form)...)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, option+": unknown option") {
				t.Errorf("Run(%s) = code %d, stdout %q, stderr %q", form, code, stdout, stderr)
			}
		}
	}
}

// req: P13
func TestSplitArgs(t *testing.T) {
	for _, tt := range []struct {
		name        string
		args        []string
		own, server []string
	}{
		{"no --", []string{"demo"}, []string{"demo"}, nil},
		{"command", []string{"--log-level", "warn", "--", "srv", "-x"}, []string{"--log-level", "warn"}, []string{"srv", "-x"}},
		{"only the first -- counts", []string{"--", "srv", "--", "--help"}, []string{}, []string{"srv", "--", "--help"}},
		{"nothing after --", []string{"--"}, []string{}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			own, server := splitArgs(tt.args)
			if !slices.Equal(own, tt.own) || !slices.Equal(server, tt.server) || (server == nil) != (tt.server == nil) {
				t.Errorf("splitArgs(%q) = %q, %q; want %q, %q", tt.args, own, server, tt.own, tt.server)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		name string
		args string
		want settings // beyond the defaults
	}{
		{"defaults", "", settings{}},
		{"all", "--log-level error --discover-timeout 90 --max-line-bytes 4096 --env-allow A --allow-batch-file --upstream-era modern --discover refuse --header-env X-Key=KEY",
			settings{
				logLevel: slog.LevelError, discoverTimeout: 90 * time.Second, maxLineBytes: 4096, envAllow: []string{"A"}, allowBatchFile: true,
				era: mcpwire.ModernEra, headerVariables: []headerVariable{{"X-Key", "KEY"}},
			}},
		{"all of a sign-in", "--client-id i --client-issuer u --client-metadata-url m --scope a --scope=b --resource r --no-resource-parameter --redirect-port 1 --no-browser --sign-in-timeout 10 --auth-private-host h --auth-private-host ::1",
			settings{signIn: signIn{
				clientID: "i", clientIssuer: "u", clientMetadata: "m", scopes: []string{"a", "b"}, resource: "r", omitResource: true,
				redirectPort: 1, noBrowser: true, timeout: 10 * time.Second, privateHosts: []string{"h", "::1"},
			}}},
		{"all of a store", "--account a.B_9@c-d --token-store file --token-dir /t --token-key-file f",
			settings{signIn: signIn{vault: vault{account: "a.B_9@c-d", mode: tokenvault.File, dir: absolute("/t"), keyFile: "f"}}}},
		{"the longest times and names", "--sign-in-timeout 1h --redirect-port 65535 --account " + strings.Repeat("a", 64),
			settings{signIn: signIn{timeout: time.Hour, redirectPort: 65535, vault: vault{account: strings.Repeat("a", 64)}}}},
		{"all of a URL", "--header A:b --header-file f --header-file g --ca-file c --max-response-bytes 1MiB --redirects none --connect-timeout 5 --idle-timeout 10m",
			settings{
				headers: []header{}, headerFiles: []string{"f", "g"}, caFile: "c", responseBytes: 1 << 20, noRedirects: true,
				connectTimeout: 5 * time.Second, idleTimeout: 10 * time.Minute,
			}},
		{"redirects as they are anyway", "--redirects same-origin", settings{}},
		{"with =", "--log-level=debug --discover-timeout=1m30s", settings{logLevel: slog.LevelDebug, discoverTimeout: 90 * time.Second}},
		{"size in KiB", "--max-line-bytes 512KiB", settings{maxLineBytes: 512 << 10}},
		{"size in MiB", "--max-line-bytes=512MiB", settings{maxLineBytes: 512 << 20}},
		{"part of a second", "--discover-timeout 0.25", settings{discoverTimeout: 250 * time.Millisecond}},
		{"the last one counts", "--log-level error --log-level warn", settings{logLevel: slog.LevelWarn}},
		{"all variables count", "--env-allow A --env-allow=b_2", settings{envAllow: []string{"A", "b_2"}}},
		{"any era", "--upstream-era auto", settings{}},
		{"older servers", "--upstream-era legacy", settings{era: mcpwire.LegacyEra}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			want.discoverTimeout = cmp.Or(want.discoverTimeout, time.Minute)
			want.maxLineBytes = cmp.Or(want.maxLineBytes, 64<<20)
			set := defaults()
			if err := set.flags(name).Parse(strings.Fields(tt.args)); err != nil {
				t.Fatal(err)
			}
			if want.headers != nil { // a value is in a function, which equals no other
				if len(set.headers) != 1 || set.headers[0].name != "A" {
					t.Errorf("headers = %v, want A", set.headers)
				}
				set.headers = want.headers
			}
			if !reflect.DeepEqual(*set, want) {
				t.Errorf("settings of %q = %+v, want %+v", tt.args, *set, want)
			}
		})
	}
}

// absolute is a path on this system.
func absolute(path string) string {
	path, _ = filepath.Abs(path)
	return path
}

// req: P15
func TestChildEnv(t *testing.T) {
	env := []string{
		"PATH=/bin", "MCP_BRIDGE_TOKEN_KEY=s3cret", "mcp_bridge_client_secret=s3cret", "ELECTRON_RUN_AS_NODE=1",
		"VSCODE_IPC_HOOK_CLI=/run/x", "MY_VSCODE_=1", "MY_KEY=k", "MY_KEY_2=k", "MY_FUNC=() { :; }", "EMPTY=",
	}
	for _, tt := range []struct {
		name  string
		allow []string
		want  []string
	}{
		{"inherited", nil, []string{"PATH=/bin", "MY_VSCODE_=1", "MY_KEY=k", "MY_KEY_2=k", "MY_FUNC=() { :; }", "EMPTY="}},
		{"a list", []string{"MY_KEY", "EMPTY"}, []string{"PATH=/bin", "MY_KEY=k", "EMPTY="}},
		{"a function of a shell", []string{"MY_FUNC"}, []string{"PATH=/bin"}},
		{"a variable that is not there", []string{"NONE"}, []string{"PATH=/bin"}},
		{"private ones whatever the list says", []string{"VSCODE_IPC_HOOK_CLI", "MCP_BRIDGE_TOKEN_KEY"}, []string{"PATH=/bin"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := childEnv(env, tt.allow); !slices.Equal(got, tt.want) {
				t.Errorf("childEnv(%q, %q) = %q, want %q", env, tt.allow, got, tt.want)
			}
		})
	}
	if env[1] != "MCP_BRIDGE_TOKEN_KEY=s3cret" {
		t.Error("childEnv changed its argument")
	}
}

// A server that gets the basic variables only can still find programs, its home and a
// place for files.
//
// req: P15
func TestBasicVariables(t *testing.T) {
	want := []string{"PATH=p", "HOME=p", "TMPDIR=p", "LANG=p", "USER=p", "SHELL=p", "TERM=p"}
	if runtime.GOOS == "windows" {
		want = []string{"Path=p", "SystemRoot=p", "PATHEXT=p", "ComSpec=p", "UserProfile=p", "AppData=p", "TEMP=p", "ProgramFiles=p"}
	}
	if got := childEnv(want, []string{}); !slices.Equal(got, want) {
		t.Errorf("childEnv(%q) = %q, want all of them", want, got)
	}
}
