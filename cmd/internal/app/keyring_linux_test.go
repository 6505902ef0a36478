package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// needs skips the test unless it runs before a keyring of this kind.
func needs(t *testing.T, keyring string) {
	t.Helper()
	if os.Getenv("TRESTLE_KEYRING") != keyring {
		t.Skipf("needs a keyring: tokenvault/internal/keychain/testdata/with-keyring %s go test -count=1 -run TestKeyring ./cmd/internal/app", keyring)
	}
}

// With a keychain a sign-in is kept in it from one session to the next. One that is locked
// later is passed over by a session, and named by what shows and deletes.
//
// req: V01 V02 V04 V05
func TestKeyringUnlocked(t *testing.T) {
	needs(t, "unlocked")
	s := newLockedSite(t)
	p := newPerson(t, s)
	p.store = []string{"--token-dir", p.store[3]}
	for i, want := range []string{"done now", "stored"} {
		code, stdout, stderr := runWith(t, p.env, append([]string{"check"}, p.args(t)...))
		if code != exitOK || !strings.Contains(stdout, "\nsign-in   "+want+"\n") || !strings.HasPrefix(stderr, name+": INFO token store: keychain\n") {
			t.Fatalf("check %d = code %d, %s\n%s", i, code, stdout, stderr)
		}
	}
	if kept, err := filepath.Glob(filepath.Join(p.store[1], "kf", "*")); err != nil || kept != nil {
		t.Errorf("files beside the keychain: %q", kept)
	}
	code, stdout, _ := runWith(t, p.env, p.of("status"))
	if code != exitOK || !strings.HasPrefix(stdout, "store keychain ") || !strings.Contains(stdout, " refresh=yes ") {
		t.Errorf("status = code %d, %s", code, stdout)
	}
	code, stdout, stderr := runWith(t, p.env, p.of("logout", s.URL+"/m4rk3r?m4rk3r"))
	if code != exitOK || stdout != "the sign-in is deleted\n" || stderr != "" {
		t.Errorf("logout = code %d, %q, %q", code, stdout, stderr)
	}

	lockKeyring(t)
	_, _, stderr = runWith(t, p.env, append(p.store, "https://127.0.0.1:1/"))
	if want := name + ": WARN keychain unavailable, using file; it is locked\n" + name + ": INFO token store: file\n"; !strings.HasPrefix(stderr, want) {
		t.Errorf("stderr = %q, want %q", stderr, want)
	}
	code, stdout, stderr = runWith(t, p.env, append(p.store, "--token-store", "keychain", "https://127.0.0.1:1/"))
	if code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, name+": --token-store: keychain does not open: the keychain is locked") {
		t.Errorf("Run = code %d, %q, %q", code, stdout, stderr)
	}
	code, stdout, stderr = runWith(t, p.env, p.of("logout", "--all"))
	if code != exitFailure || stdout != "records deleted: 0\n" || !strings.HasPrefix(stderr, name+": ERROR keychain: the keychain is locked") {
		t.Errorf("logout --all = code %d, %q, %q", code, stdout, stderr)
	}
}

func lockKeyring(t *testing.T) {
	t.Helper()
	out, err := exec.Command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
		"org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login").CombinedOutput()
	if err != nil {
		t.Fatalf("lock: %v: %s", err, out)
	}
}

// Without a keyring nothing hangs and nothing is asked: memory is taken.
//
// req: V01 V02
func TestKeyringNone(t *testing.T) {
	needs(t, "none")
	code, _, stderr := runWith(t, []string{"XDG_STATE_HOME=" + t.TempDir()}, []string{"https://127.0.0.1:1/"})
	if want := name + ": WARN keychain unavailable, using memory" + eachStart + "\n" + name + ": INFO token store: memory\n"; code != exitOK || !strings.HasPrefix(stderr, want) {
		t.Errorf("Run = code %d, %q, want %q", code, stderr, want)
	}
}
