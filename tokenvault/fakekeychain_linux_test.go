package tokenvault_test

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fakess"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// systemConfig is of a vault before the keychain of the system, which has time.
func systemConfig(dir string) tokenvault.Config {
	return tokenvault.Config{
		Mode: tokenvault.Keychain, Dir: dir, Service: "tests/tokenvault",
		Timeouts: tokenvault.Timeouts{Keychain: time.Minute, KeychainStart: time.Minute, Prompt: time.Minute},
	}
}

func prompting(c tokenvault.Config) tokenvault.Config {
	c.Prompt = tokenvault.PromptAllowed
	return c
}

// counted fails the test unless the service was called exactly so often by these
// methods.
func counted(t *testing.T, s *fakess.Service, want map[string]int) {
	t.Helper()
	got := s.Calls()
	for method, n := range want {
		if got[method] != n {
			t.Errorf("%s was called %d times, want %d", method, got[method], n)
		}
	}
}

// The key is written once, and read once at each start.
func TestKeyIsMadeOnce(t *testing.T) {
	s := fakess.Start(t, fakess.Script{})
	c := systemConfig(newDir(t))
	kid := open(t, c).Status().Kid
	put(t, open(t, c), alice, "token")
	v := open(t, c)
	if e, err := v.Get(t.Context(), alice); err != nil || !e.Value.Equal(tokenvault.NewSecret([]byte("token"))) || v.Status().Kid != kid {
		t.Errorf("Get: %v; key %s, want %s", err, v.Status().Kid, kid)
	}
	items := s.Items()
	if len(items) != 1 || bytes.Contains(items[0].Value, []byte("token")) {
		t.Errorf("%d items, want the key alone", len(items))
	}
	counted(t, s, map[string]int{"CreateItem": 1, "GetSecret": 3, "Prompt": 0}) // one of them reads back
}

// An item that is not the vault's own is neither used nor replaced.
func TestThreat15PlantedItem(t *testing.T) {
	other := otherItem(t)
	for name, plant := range map[string]func(own []byte) []byte{
		"a password":            func([]byte) []byte { return []byte("hunter2") },
		"nothing":               func([]byte) []byte { return nil },
		"the key of another":    func([]byte) []byte { return other },
		"cut off":               func(own []byte) []byte { return own[:len(own)-1] },
		"with a word before it": func(own []byte) []byte { return append([]byte("security: "), own...) },
		"with a newline":        func(own []byte) []byte { return append(bytes.Clone(own), '\n') },
		"a megabyte":            func([]byte) []byte { return bytes.Repeat([]byte("hunter2"), 1<<17) },
	} {
		t.Run(name, func(t *testing.T) {
			s := fakess.Start(t, fakess.Script{})
			dir := newDir(t)
			c := systemConfig(dir)
			v := open(t, c)
			put(t, v, alice, "token")
			planted := plant(s.Items()[0].Value)
			s.Replace(planted)
			before, written := filesIn(t, filepath.Join(dir, "kc")), s.Calls()["CreateItem"]
			for _, mode := range []tokenvault.Mode{tokenvault.Keychain, tokenvault.Auto} {
				c.Mode = mode
				_, err := tokenvault.Open(t.Context(), c)
				e, ok := errors.AsType[*tokenvault.Error](err)
				if !ok || e.Err != tokenvault.ErrKey || e.Detail != string(fault.NotOurItem) || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%v: got %v, want ErrKey: %s", mode, err, fault.NotOurItem)
				}
			}
			if items := s.Items(); len(items) != 1 || !bytes.Equal(items[0].Value, planted) || s.Calls()["CreateItem"] != written {
				t.Error("the item was replaced")
			}
			if !maps.Equal(before, filesIn(t, filepath.Join(dir, "kc"))) {
				t.Error("the files are not as they were")
			}
		})
	}
}

// otherItem returns the item of another vault.
func otherItem(t *testing.T) []byte {
	t.Helper()
	k := &keychainOfMap{}
	open(t, keychainConfig(newDir(t), k))
	for _, item := range k.items {
		return item
	}
	t.Fatal("no item")
	return nil
}

// A vault whose key the keychain did not take is not made, and Auto goes on.
//
// req: V02
func TestThreat37KeychainThatKeepsNothing(t *testing.T) {
	for name, script := range map[string]fakess.Script{
		"dialog dismissed": {CreateAsks: true, Dialog: fakess.Dismisses},
		"stores nothing":   {CreateLies: true},
		"stores another":   {CreateChanges: true},
	} {
		t.Run(name, func(t *testing.T) {
			fakess.Start(t, script)
			dir := newDir(t)
			c := prompting(systemConfig(dir))
			if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrUnavailable) {
				t.Errorf("got %v, want ErrUnavailable", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "kc", "vault")); err == nil {
				t.Error("a header was written for a key that nobody has")
			}
			c.Mode = tokenvault.Auto
			fallsBack(t, c, tokenvault.Memory, tokenvault.ErrUnavailable)
		})
	}
}

// fallsBack opens a vault of Auto, which must be of this mode because the keychain
// had this error, and say so in one line.
func fallsBack(t *testing.T, c tokenvault.Config, want tokenvault.Mode, because error) {
	t.Helper()
	var log bytes.Buffer
	c.Logger = slog.New(slog.NewTextHandler(&log, nil))
	v := open(t, c)
	rev := put(t, v, alice, "1")
	if _, _, err := v.Refresh(t.Context(), alice, rev, returns("2")); err != nil {
		t.Errorf("Refresh: %v", err)
	}
	s := v.Status()
	if s.Kind != want || len(s.Skipped) != 1 || !errors.Is(s.Skipped[0].Err, because) {
		t.Errorf("got %v, skipped %v, want %v because of %v", s.Kind, s.Skipped, want, because)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("%d lines of log: %s", n, log.String())
	}
}

// A keychain that dies while it asks takes nothing with it.
//
// req: V02
func TestThreat36KeychainThatDiesWhileItAsks(t *testing.T) {
	for name, c := range map[string]struct {
		mode tokenvault.Mode
		key  tokenvault.KeySource
		want tokenvault.Mode
	}{
		"keychain":    {tokenvault.Keychain, tokenvault.KeySource{}, 0},
		"auto":        {tokenvault.Auto, tokenvault.KeySource{}, tokenvault.Memory},
		"auto, a key": {tokenvault.Auto, tokenvault.KeyFromHex(testKey), tokenvault.File},
	} {
		t.Run(name, func(t *testing.T) {
			fakess.Start(t, fakess.Script{Locked: true, Dialog: fakess.BusDies})
			cfg := prompting(systemConfig(newDir(t)))
			cfg.Mode, cfg.Key = c.mode, c.key
			if c.mode == tokenvault.Auto {
				fallsBack(t, cfg, c.want, tokenvault.ErrUnavailable)
			} else if _, err := tokenvault.Open(t.Context(), cfg); !errors.Is(err, tokenvault.ErrUnavailable) {
				t.Errorf("got %v, want ErrUnavailable", err)
			}
		})
	}
}

// Once a vault is open the keychain is not asked again, whatever becomes of it.
func TestThreat38KeychainLocksLaterWithoutTraffic(t *testing.T) {
	bus := fakess.StartBus(t)
	s := fakess.Serve(t, bus, fakess.Script{})
	c := systemConfig(newDir(t))
	v := open(t, c)
	s.Lock()
	w := fakess.StartWatch(t, bus.Address)
	uses(t, v)
	if called := w.Called(t); len(called) != 0 {
		t.Errorf("on the bus: %v", called)
	}
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrLocked) {
		t.Errorf("Open: got %v, want ErrLocked", err)
	}
	if called := w.Called(t); !slices.Contains(called, "NameHasOwner") || slices.Contains(called, "Unlock") {
		t.Errorf("on the bus: %v, want a look and no more", called)
	}
}

// uses does everything with a vault that is done between two starts.
func uses(t *testing.T, v *tokenvault.Vault) {
	t.Helper()
	rev := put(t, v, alice, "1")
	e, _, err := v.Refresh(t.Context(), alice, rev, returns("2"))
	if err != nil {
		t.Errorf("Refresh: %v", err)
	}
	if got, err := v.Get(t.Context(), alice); err != nil || got.Rev != e.Rev {
		t.Errorf("Get: %v", err)
	}
	if all, err := v.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("List: %d records, %v", len(all), err)
	}
	v.Status()
	if err := v.Delete(t.Context(), alice, tokenvault.Always); err != nil {
		t.Errorf("Delete: %v", err)
	}
}

// A key that was deleted is not made anew over records; Reset makes one.
func TestThreat39ItemDeletedAndReset(t *testing.T) {
	s := fakess.Start(t, fakess.Script{})
	dir := newDir(t)
	c := systemConfig(dir)
	put(t, open(t, c), alice, "token")
	s.Empty()
	before := filesIn(t, filepath.Join(dir, "kc"))
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrKey) {
		t.Errorf("Open: got %v, want ErrKey", err)
	}
	if !maps.Equal(before, filesIn(t, filepath.Join(dir, "kc"))) || len(s.Items()) != 0 {
		t.Error("something was written")
	}
	report, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything)
	if err != nil || report.Deleted != 1 || report.Left != 0 {
		t.Errorf("Reset: %+v, %v", report, err)
	}
	uses(t, open(t, c))
	if n := len(s.Items()); n != 1 {
		t.Errorf("%d items, want 1", n)
	}
}

// A locked keychain is never asked for a dialog where there is none, and Auto goes on.
//
// req: V02
func TestLockedKeychainOfAuto(t *testing.T) {
	for name, script := range map[string]fakess.Script{
		"collection": {Locked: true}, "alias": {Locked: true, AliasOnly: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := fakess.Start(t, script)
			c := systemConfig(newDir(t))
			c.Mode = tokenvault.Auto
			fallsBack(t, c, tokenvault.Memory, tokenvault.ErrLocked)
			c.Key = tokenvault.KeyFromHex(testKey)
			fallsBack(t, c, tokenvault.File, tokenvault.ErrLocked)
			counted(t, s, map[string]int{"Prompt": 0, "Unlock": 0, "Dismiss": 0, "OpenSession": 0})
		})
	}
}

// dirVariable makes a process of this test one of several windows.
const dirVariable = "TRESTLE_VAULT_DIR"

// Several windows that start at once show one dialog and use one key.
func TestThreat31OneDialogForAllProcesses(t *testing.T) {
	if dir := os.Getenv(dirVariable); dir != "" {
		v := open(t, prompting(systemConfig(dir)))
		os.Stdout.WriteString("kid=" + v.Status().Kid + "\n")
		return
	}
	for _, name := range []string{"first start", "a vault is there"} {
		t.Run(name, func(t *testing.T) {
			// The delay has them all at the keychain before one is done.
			s := fakess.Start(t, fakess.Script{Delay: 20 * time.Millisecond})
			dir := newDir(t)
			if name == "a vault is there" {
				open(t, systemConfig(dir))
			}
			s.Lock()
			kids := startTogether(t, dir, 6)
			if len(kids) != 1 || kids[0] == "" {
				t.Errorf("keys %q, want one", kids)
			}
			if n := len(s.Items()); n != 1 {
				t.Errorf("%d items, want 1", n)
			}
			counted(t, s, map[string]int{"Prompt": 1, "Dismiss": 0})
		})
	}
}

// startTogether opens the vault in so many processes, and returns the different keys
// that they have.
func startTogether(t *testing.T, dir string, n int) []string {
	t.Helper()
	outputs := make([]bytes.Buffer, n)
	windows := make([]*exec.Cmd, n)
	for i := range windows {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestThreat31OneDialogForAllProcesses$")
		cmd.Env = append(cmd.Environ(), dirVariable+"="+dir, "GORACE=atexit_sleep_ms=0")
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		windows[i] = cmd
	}
	var kids []string
	for i, cmd := range windows {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, outputs[i].String())
		}
		_, after, _ := strings.Cut(outputs[i].String(), "kid=")
		kid, _, _ := strings.Cut(after, "\n")
		kids = append(kids, kid)
	}
	slices.Sort(kids)
	return slices.Compact(kids)
}
