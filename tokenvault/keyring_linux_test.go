package tokenvault_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fakess"
	"github.com/trestle-mcp/trestle/tokenvault/internal/keychain"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// needs skips the test unless it runs before a keyring of this kind, which the
// script with-keyring provides.
func needs(t *testing.T, keyring string) {
	t.Helper()
	if os.Getenv("TRESTLE_KEYRING") != keyring {
		t.Skipf("needs a keyring: tokenvault/internal/keychain/testdata/with-keyring %s go test -count=1 -run TestKeyring ./tokenvault", keyring)
	}
}

func watchSession(t *testing.T) *fakess.Watch {
	return fakess.StartWatch(t, os.Getenv(fakess.AddressVariable))
}

// absent fails the test if a method was called since the last look at the bus.
func absent(t *testing.T, w *fakess.Watch, methods ...string) {
	t.Helper()
	called := w.Called(t)
	for _, m := range methods {
		if slices.Contains(called, m) {
			t.Errorf("%s was called: %v", m, called)
		}
	}
}

// req: V02
func TestKeyringUnlocked(t *testing.T) {
	needs(t, "unlocked")
	w := watchSession(t)
	t.Run("key made once", madeOnce)
	t.Run("item planted", itemPlanted)
	t.Run("item deleted", itemDeleted)
	absent(t, w, "Prompt", "Dismiss")
	t.Run("locks later", locksLater) // and stays locked
}

func TestKeyringKeePassXC(t *testing.T) {
	needs(t, "keepassxc")
	w := watchSession(t)
	t.Run("key made once", madeOnce)
	t.Run("item planted", itemPlanted)
	t.Run("item deleted", itemDeleted)
	absent(t, w, "Dismiss")
}

func madeOnce(t *testing.T) {
	w := watchSession(t)
	c := systemConfig(newDir(t))
	kid := open(t, c).Status().Kid
	if called := w.Called(t); !slices.Contains(called, "CreateItem") {
		t.Errorf("the first start: %v", called)
	}
	for _, c.Mode = range []tokenvault.Mode{tokenvault.Keychain, tokenvault.Auto} {
		v := open(t, c)
		if s := v.Status(); s.Kid != kid || s.Kind != tokenvault.Keychain || len(s.Skipped) != 0 {
			t.Errorf("got %+v, want the key %s", s, kid)
		}
		uses(t, v)
	}
	absent(t, w, "CreateItem")
}

// systemItem returns the account of a vault's item, and the keychain that it is in.
func systemItem(t *testing.T, dir string) (keychain.Backend, string) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(dir, "kc", "vault"))
	if err != nil {
		t.Fatal(err)
	}
	header, err := seal.ParseHeader(file)
	if err != nil {
		t.Fatal(err)
	}
	return keychain.System(false), seal.Account(header.Vault)
}

func itemPlanted(t *testing.T) {
	dir := newDir(t)
	c := systemConfig(dir)
	put(t, open(t, c), alice, "token")
	system, account := systemItem(t, dir)
	if err := system.Set(t.Context(), c.Service, account, []byte("hunter2")); err != nil {
		t.Fatal(err)
	}
	before := filesIn(t, filepath.Join(dir, "kc"))
	for _, c.Mode = range []tokenvault.Mode{tokenvault.Keychain, tokenvault.Auto} {
		if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrKey) {
			t.Errorf("%v: got %v, want ErrKey", c.Mode, err)
		}
	}
	if got, err := system.Get(t.Context(), c.Service, account); !bytes.Equal(got, []byte("hunter2")) {
		t.Errorf("the item is now another: %v", err)
	}
	if !maps.Equal(before, filesIn(t, filepath.Join(dir, "kc"))) {
		t.Error("the files are not as they were")
	}
}

func itemDeleted(t *testing.T) {
	dir := newDir(t)
	c := systemConfig(dir)
	put(t, open(t, c), alice, "token")
	system, account := systemItem(t, dir)
	if err := system.Delete(t.Context(), c.Service, account); err != nil {
		t.Fatal(err)
	}
	before := filesIn(t, filepath.Join(dir, "kc"))
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrKey) {
		t.Errorf("got %v, want ErrKey", err)
	}
	auto := c
	auto.Mode = tokenvault.Auto
	fallsBack(t, auto, tokenvault.Memory, tokenvault.ErrKey)
	if !maps.Equal(before, filesIn(t, filepath.Join(dir, "kc"))) {
		t.Error("the files are not as they were")
	}
	if report, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything); err != nil || report.Deleted != 1 {
		t.Errorf("Reset: %+v, %v", report, err)
	}
	uses(t, open(t, c))
}

func locksLater(t *testing.T) {
	c := systemConfig(newDir(t))
	v := open(t, c)
	lockSession(t)
	w := watchSession(t)
	uses(t, v)
	if called := w.Called(t); len(called) != 0 {
		t.Errorf("on the bus: %v", called)
	}
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrLocked) {
		t.Errorf("Open: got %v, want ErrLocked", err)
	}
	c.Mode = tokenvault.Auto
	fallsBack(t, c, tokenvault.Memory, tokenvault.ErrLocked)
	absent(t, w, "Unlock", "Prompt", "Dismiss")
}

// lockSession locks the keyring, as a user does.
func lockSession(t *testing.T) {
	t.Helper()
	conn, err := dbus.Connect(os.Getenv(fakess.AddressVariable))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const path = dbus.ObjectPath("/org/freedesktop/secrets")
	err = conn.Object("org.freedesktop.secrets", path).
		Call("org.freedesktop.Secret.Service.Lock", 0, []dbus.ObjectPath{path + "/collection/login"}).Err
	if err != nil {
		t.Fatal(err)
	}
}

// refuses opens a vault in each way. Where the keychain is asked for it must fail like
// this, and Auto must take the next store, all of it once and at once.
func refuses(t *testing.T, c tokenvault.Config, want error) {
	t.Helper()
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	c.Mode = tokenvault.Auto
	fallsBack(t, c, tokenvault.Memory, want)
	c.Key = tokenvault.KeyFromHex(testKey)
	fallsBack(t, c, tokenvault.File, want)
}

// req: V02
func TestKeyringLocked(t *testing.T) {
	needs(t, "locked")
	w := watchSession(t)
	refuses(t, systemConfig(newDir(t)), tokenvault.ErrLocked)
	absent(t, w, "Unlock", "Prompt", "Dismiss")
	refuses(t, prompting(systemConfig(newDir(t))), tokenvault.ErrLocked)
	absent(t, w, "Dismiss")
}

// req: V02
func TestKeyringDialog(t *testing.T) {
	needs(t, "dialog")
	nobodyAnswers(t)
}

// req: V02
func TestKeyringKeePassXCClosed(t *testing.T) {
	needs(t, "closed")
	nobodyAnswers(t)
}

func nobodyAnswers(t *testing.T) {
	t.Helper()
	w := watchSession(t)
	refuses(t, systemConfig(newDir(t)), tokenvault.ErrLocked)
	absent(t, w, "Unlock", "Prompt", "Dismiss")
	c := prompting(systemConfig(newDir(t)))
	c.Timeouts.Prompt = 3 * time.Second
	refuses(t, c, tokenvault.ErrTimeout)
	absent(t, w, "Dismiss")
}

// req: V02
func TestKeyringNone(t *testing.T) {
	needs(t, "none")
	refuses(t, systemConfig(newDir(t)), tokenvault.ErrUnavailable)
	refuses(t, prompting(systemConfig(newDir(t))), tokenvault.ErrUnavailable)
}

// req: V02
func TestKeyringNoBus(t *testing.T) {
	needs(t, "nobus")
	refuses(t, systemConfig(newDir(t)), tokenvault.ErrUnavailable)
	refuses(t, prompting(systemConfig(newDir(t))), tokenvault.ErrUnavailable)
}

// req: V02
func TestKeyringSilent(t *testing.T) {
	needs(t, "silent")
	c := systemConfig(newDir(t))
	c.Timeouts.Keychain, c.Timeouts.KeychainStart = time.Second, time.Second
	refuses(t, c, tokenvault.ErrTimeout)
	refuses(t, prompting(c), tokenvault.ErrTimeout)
}
