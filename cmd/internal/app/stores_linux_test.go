package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// eachStart is what is said where there is neither a keychain nor a key.
const eachStart = "; each start signs in anew, unless there is a key for files: --token-key-file or the variable MCP_BRIDGE_TOKEN_KEY"

// Without a keychain the next store is taken, and lines say so. One that was asked for is
// not replaced.
//
// req: V01 V02 V04
func TestV01StoresWithoutAKeychain(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "no-such-socket"))
	for _, tt := range []struct {
		name, env, args string
		code            int
		want            []string // lines of stderr behind the name
	}{
		{"a key from outside", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "", exitOK, []string{"WARN keychain unavailable, using file", "INFO token store: file"}},
		{"no key", "", "", exitOK, []string{"WARN keychain unavailable, using memory" + eachStart, "INFO token store: memory"}},
		{"auto by name", "", "--token-store auto", exitOK, []string{"WARN keychain unavailable, using memory" + eachStart, "INFO token store: memory"}},
		{"memory by name", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "--token-store memory", exitOK, []string{"INFO token store: memory"}},
		{"file by name", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "--token-store file", exitOK, []string{"INFO token store: file"}},
		{"keychain by name", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "--token-store keychain", exitUsage, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			state := t.TempDir()
			for _, command := range [][]string{nil, {"check"}} {
				args := slices.Concat(command, strings.Fields(tt.args), []string{"https://127.0.0.1:1/"})
				code, stdout, stderr := runWith(t, []string{tt.env, "XDG_STATE_HOME=" + state}, args)
				if command == nil && code != tt.code || (code == exitUsage) != (tt.code == exitUsage) {
					t.Errorf("Run(%q) = code %d, stdout %q, stderr %q", args, code, stdout, stderr)
				}
				if tt.code == exitUsage {
					if want := name + ": --token-store: keychain does not open: "; !strings.HasPrefix(stderr, want) || strings.Count(stderr, "\n") != 1 || stdout != "" || !strings.Contains(stderr, "; --token-store file needs none, but a key (") {
						t.Errorf("stderr = %q, want %q", stderr, want)
					}
					continue
				}
				if want := name + ": " + strings.Join(tt.want, "\n"+name+": ") + "\n"; !strings.HasPrefix(stderr, want) {
					t.Errorf("stderr = %q, want %q", stderr, want)
				}
			}
			if _, err := os.Stat(filepath.Join(state, "trestle", "tokens")); err != nil && tt.name != "memory by name" {
				t.Errorf("the directory of the tokens: %v", err)
			}
		})
	}
}

// A key that does not fit is a mistake to be told, and no reason to sign in anew.
//
// req: V04
func TestV04WrongKey(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "no-such-socket"))
	state := "XDG_STATE_HOME=" + t.TempDir()
	for i, key := range []string{s3cretKey, strings.Repeat("0123456789abcdef", 4)} {
		for _, store := range []string{"auto", "file"} {
			code, stdout, stderr := runWith(t, []string{state, "MCP_BRIDGE_TOKEN_KEY=" + key}, []string{"--token-store", store, "https://127.0.0.1:1/"})
			if i == 0 && code != exitOK || i == 1 && (code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, name+": --token-store: file store does not open: the key does not fit: wrong: ")) {
				t.Errorf("key %d, %s: code %d, %q, %q", i, store, code, stdout, stderr)
			}
		}
	}
}

// What is there and does not open is named, and the exit code is 1; the other stores are
// dealt with all the same.
//
// req: V05 X06
func TestV05StoreThatDoesNotOpen(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "no-such-socket"))
	s := newLockedSite(t)
	p := newPerson(t, s)
	p.env = append(p.env, "PATH="+os.Getenv("PATH"))
	if code, stdout, stderr := runWith(t, p.env, append([]string{"check"}, p.args(t, "--account", "a")...)); code != exitOK {
		t.Fatalf("check = code %d, %s\n%s", code, stdout, stderr)
	}
	p.store[1] = "auto"
	broken := filepath.Join(p.store[3], "kc")
	if err := os.Mkdir(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(broken, 0o755); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	code, stdout, stderr := runWith(t, p.env, p.of("status"))
	if lines := strings.Split(stdout, "\n"); code != exitFailure || len(lines) != 4 || !strings.HasPrefix(lines[0], "skipped keychain: a file of the vault is not usable: others can read") ||
		!strings.HasPrefix(lines[1], "store file ") || !statusLines.MatchString(lines[2]) || stderr != "" {
		t.Errorf("status = code %d, stdout:\n%sstderr: %s", code, stdout, stderr)
	}
	const said = name + ": ERROR keychain: a file of the vault is not usable: others can read"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{p.of("logout", "--account", "b", s.URL+"/m4rk3r?m4rk3r"), "no sign-in was deleted\n"},
		{p.of("logout", "--account", "a", s.URL+"/m4rk3r?m4rk3r"), "the sign-in is deleted\n"},
		{p.of("logout", "--all"), "records deleted: 1\n"},
	} {
		code, stdout, stderr := runWith(t, p.env, tt.args)
		if code != exitFailure || stdout != tt.want || !strings.HasPrefix(stderr, said) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("Run(%q) = code %d, %q, %q; want %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
}

// A store whose key is not given is there and does not open; logout --all needs no key.
//
// req: V05 X06
func TestV05StoreWithoutItsKey(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	if code, stdout, stderr := runWith(t, p.env, append([]string{"check"}, p.args(t)...)); code != exitOK {
		t.Fatalf("check = code %d, %s\n%s", code, stdout, stderr)
	}
	env := []string{p.env[len(p.env)-1]} // where things are, and no key
	noKey := "the key does not fit: none was given; give the one that seals the files with --token-key-file or the variable MCP_BRIDGE_TOKEN_KEY, or delete them with logout --all\n"
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{p.of("status"), exitFailure, "skipped file: " + noKey, ""},
		{p.of("logout", s.URL+"/m4rk3r?m4rk3r"), exitFailure, "no sign-in was deleted\n", name + ": ERROR file store: " + noKey},
		{p.of("logout", "--all"), exitOK, "records deleted: 2\n", ""},
		{p.of("status"), exitOK, "store none\n", ""},
	} {
		code, stdout, stderr := runWith(t, env, tt.args)
		if code != tt.code || stdout != tt.stdout || stderr != tt.stderr {
			t.Errorf("Run(%q) = code %d, %q, %q; want code %d, %q, %q", tt.args, code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
		}
	}
}

// A dialog is for somebody who sits in front of this machine.
//
// req: V02
func TestV02WhoMayBePrompted(t *testing.T) {
	for _, tt := range []struct {
		env  string
		want bool
	}{
		{"", false}, {"DISPLAY=:0", true}, {"WAYLAND_DISPLAY=w", true}, {"DISPLAY=", false}, {"DISPLAY=:0 SSH_CONNECTION=a", false}, {"DISPLAY=:0 SSH_TTY=a", false}, {"DISPLAY=:0 CI=true", false},
	} {
		if got := mayPrompt(strings.Fields(tt.env)); got != tt.want {
			t.Errorf("mayPrompt(%q) = %v, want %v", tt.env, got, tt.want)
		}
	}
}

func TestStateDirectory(t *testing.T) {
	for _, tt := range []struct{ env, want string }{
		{"HOME=/h", "/h/.local/state/trestle"}, {"HOME=/h XDG_STATE_HOME=/s", "/s/trestle"}, {"HOME=/h XDG_STATE_HOME=relative", "/h/.local/state/trestle"},
		{"HOME=relative", ""}, {"", ""},
	} {
		if got := stateDir(strings.Fields(tt.env)); got != tt.want {
			t.Errorf("stateDir(%q) = %q, want %q", tt.env, got, tt.want)
		}
	}
}
