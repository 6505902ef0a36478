package tokenvault_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

func reset(t *testing.T, c tokenvault.Config) tokenvault.ResetReport {
	t.Helper()
	report, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything)
	if err != nil {
		t.Fatalf("Reset: %v", err)
	}
	return report
}

// After Reset no copy of the files of before can be read.
//
// req: V06
func TestThreat05OldCopyAfterReset(t *testing.T) {
	for name, c := range map[string]struct {
		config tokenvault.Config
		sub    string
		all    error // what a copy of everything is
	}{
		"keychain": {keychainConfig(newDir(t), &keychainOfMap{}), "kc", tokenvault.ErrKey},
		"file":     {fileConfig(newDir(t)), "kf", nil},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, open(t, c.config), alice, "token")
			dir := filepath.Join(c.config.Dir, c.sub)
			before := filesIn(t, dir)
			if report := reset(t, c.config); report != (tokenvault.ResetReport{Deleted: 1}) {
				t.Errorf("got %+v, want one deleted record", report)
			}
			restore(t, dir, before, "r-")
			infos, err := open(t, c.config).List(t.Context())
			if err != nil || len(infos) != 1 || !errors.Is(infos[0].Err, tokenvault.ErrDamaged) || !strings.Contains(infos[0].Err.Error(), "another vault") {
				t.Errorf("with the records of before: %v, %v; want one of another vault", infos, err)
			}
			restore(t, dir, before, "vault")
			v, err := tokenvault.Open(t.Context(), c.config)
			if !errors.Is(err, c.all) || c.all == nil && err != nil {
				t.Errorf("with everything of before: got %v, want %v", err, c.all)
			}
			if err == nil {
				v.Close()
			}
		})
	}
}

func restore(t *testing.T, dir string, files map[string]string, prefix string) {
	t.Helper()
	for name, text := range files {
		if strings.HasPrefix(name, prefix) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Who has the vault open goes on with an empty one, and brings nothing back.
//
// req: V07
func TestThreat29ResetWhileOpen(t *testing.T) {
	for name, c := range map[string]tokenvault.Config{
		"keychain": keychainConfig(newDir(t), &keychainOfMap{}), "file": fileConfig(newDir(t)),
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, c)
			rev := put(t, v, alice, "1")
			reset(t, c)
			if _, _, err := v.Refresh(t.Context(), alice, rev, mustNot(t)); !errors.Is(err, tokenvault.ErrNotFound) {
				t.Errorf("Refresh: got %v, want ErrNotFound", err)
			}
			if _, err := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{When: tokenvault.IfRevision(rev)}); !errors.Is(err, tokenvault.ErrNotFound) {
				t.Errorf("Put: got %v, want ErrNotFound", err)
			}
			if _, err := v.Get(t.Context(), alice); !errors.Is(err, tokenvault.ErrNotFound) {
				t.Errorf("Get: got %v, want ErrNotFound", err)
			}
			put(t, v, alice, "2")
			if e, err := open(t, c).Get(t.Context(), alice); err != nil || e.Value.Expose() != "2" {
				t.Errorf("after a new sign-in, somebody else gets %v", err)
			}
		})
	}
}

// Reset waits for a refresh, whose result it then deletes.
//
// req: V07
func TestResetWaitsForARefresh(t *testing.T) {
	c := fileConfig(newDir(t))
	v := open(t, c)
	rev := put(t, v, alice, "1")
	began, proceed := make(chan struct{}), make(chan struct{})
	refreshed := make(chan error, 1)
	go func() {
		_, _, err := v.Refresh(t.Context(), alice, rev, func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			close(began)
			<-proceed
			return testKey, time.Time{}, nil
		})
		refreshed <- err
	}()
	<-began
	done := make(chan tokenvault.ResetReport, 1)
	go func() { done <- reset(t, c) }()
	select {
	case <-done:
		t.Error("Reset did not wait")
	case <-time.After(100 * time.Millisecond):
	}
	close(proceed)
	if err := <-refreshed; err != nil {
		t.Errorf("Refresh: %v", err)
	}
	if report := <-done; report.Deleted != 1 {
		t.Errorf("got %+v, want one deleted record", report)
	}
}

// Reset is the way out when the key, the header or a record is lost.
//
// req: V06
func TestResetWithoutTheKey(t *testing.T) {
	for name, lose := range map[string]func(t *testing.T, c *tokenvault.Config){
		"no key in the keychain": func(t *testing.T, c *tokenvault.Config) { c.Keychain = &keychainOfMap{} },
		"no header":              func(t *testing.T, c *tokenvault.Config) { spoil(t, c.Dir, "vault", "") },
		"a broken header":        func(t *testing.T, c *tokenvault.Config) { spoil(t, c.Dir, "vault", "x") },
		"a link for a header": func(t *testing.T, c *tokenvault.Config) {
			spoil(t, c.Dir, "vault", "")
			if err := os.Symlink("l-vault", filepath.Join(c.Dir, "kc", "vault")); err != nil {
				t.Skip(err)
			}
		},
		"a broken record": func(t *testing.T, c *tokenvault.Config) { spoil(t, c.Dir, "r-*", "x") },
		"a temporary file": func(t *testing.T, c *tokenvault.Config) {
			spoil(t, c.Dir, "l-vault", "")
			spoil(t, c.Dir, "t-0123456789abcdef", "x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := keychainConfig(newDir(t), &keychainOfMap{})
			put(t, open(t, c), alice, "token")
			lose(t, &c)
			if report := reset(t, c); report != (tokenvault.ResetReport{Deleted: 1}) {
				t.Errorf("got %+v, want one deleted record", report)
			}
			v := open(t, c)
			put(t, v, alice, "again")
			if s := v.Status(); s.Records != 1 || s.Foreign != 0 {
				t.Errorf("got %+v, want one record", s)
			}
		})
	}
}

// spoil writes text into the file of the kc vault, or removes it without one.
func spoil(t *testing.T, dir, name, text string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "kc", name))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		paths = []string{filepath.Join(dir, "kc", name)}
	}
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A File vault whose key the caller has no more is deleted all the same, header too:
// the next key begins a new one.
//
// req: V06
func TestResetWithoutTheCallersKey(t *testing.T) {
	c := fileConfig(newDir(t))
	put(t, open(t, c), alice, "token")
	keyless := c
	keyless.Key = tokenvault.KeySource{}
	for _, want := range []int{1, 0} {
		if report := reset(t, keyless); report.Deleted != want || report.Left != 0 {
			t.Errorf("got %+v, want %d deleted records", report, want)
		}
	}
	c.Key = tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(strings.Repeat("fedcba9876543210", 4))))
	put(t, open(t, c), alice, "again")
	c.Key = tokenvault.KeyFromFile(filepath.Join(c.Dir, "lost"))
	if report := reset(t, c); report.Deleted != 1 {
		t.Errorf("with a key file that is lost: got %+v, want one deleted record", report)
	}
}

// Where a keychain was looked for and none was there, locks are left and no vault is. That
// is nothing to delete, and no error.
func TestResetWithoutAKeychain(t *testing.T) {
	k := &keychainOfMap{set: tokenvault.ErrUnavailable, get: tokenvault.ErrUnavailable}
	c := keychainConfig(newDir(t), k)
	if v, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrUnavailable) {
		t.Fatalf("Open = %v, %v; want ErrUnavailable", v, err)
	}
	if len(filesIn(t, filepath.Join(c.Dir, "kc"))) == 0 {
		t.Fatal("Open has left nothing")
	}
	if report := reset(t, c); report != (tokenvault.ResetReport{}) {
		t.Errorf("got %+v, want nothing", report)
	}

	k.set, k.get = nil, nil
	put(t, open(t, c), alice, "token")
	k.set, k.get = tokenvault.ErrUnavailable, tokenvault.ErrUnavailable
	if report, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything); !errors.Is(err, tokenvault.ErrUnavailable) {
		t.Errorf("Reset of a vault = %+v, %v; want ErrUnavailable", report, err)
	}
}

// Where the directory cannot be looked at, the error is one of this package all the
// same, and does not name it.
func TestResetOfAPathThatCannotBe(t *testing.T) {
	c := fileConfig(filepath.Join(newDir(t), strings.Repeat(strings.Repeat("a", 100)+string(filepath.Separator), 400)))
	_, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything)
	if _, ok := errors.AsType[*tokenvault.Error](err); err != nil && (!ok || strings.Contains(err.Error(), "aaa")) {
		t.Errorf("got %.99v, want an *Error without the path", err)
	}
}

// A keychain that does not answer keeps its vault: a later Reset must find its key.
//
// req: V06
func TestResetOfALockedKeychain(t *testing.T) {
	k := &keychainOfMap{}
	c := keychainConfig(newDir(t), k)
	put(t, open(t, c), alice, "token")
	before := filesIn(t, filepath.Join(c.Dir, "kc"))
	k.get, k.set = tokenvault.ErrLocked, tokenvault.ErrLocked
	_, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything)
	if !errors.Is(err, tokenvault.ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
	if after := filesIn(t, filepath.Join(c.Dir, "kc")); len(after) != len(before) {
		t.Error("something was deleted")
	}
}

func TestResetIsConfirmed(t *testing.T) {
	c := fileConfig(newDir(t))
	put(t, open(t, c), alice, "token")
	if _, err := tokenvault.Reset(t.Context(), c, 0); err == nil {
		t.Error("an unconfirmed Reset went through")
	}
	c.Mode = tokenvault.Auto
	if _, err := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything); err == nil {
		t.Error("a Reset of Auto went through")
	}
	if n := len(recordsIn(t, filepath.Join(c.Dir, "kf"))); n != 1 {
		t.Errorf("%d records are left, want 1", n)
	}
	empty := fileConfig(newDir(t))
	if report := reset(t, empty); report != (tokenvault.ResetReport{}) {
		t.Errorf("of no vault: got %+v, want nothing", report)
	}
	if _, err := os.Stat(empty.Dir); err == nil {
		t.Error("a directory was made")
	}
}

// mustNot is a RefreshFunc that is not to be called.
func mustNot(t *testing.T) tokenvault.RefreshFunc {
	return func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		t.Error("the refresh token was spent")
		return tokenvault.Secret{}, time.Time{}, tokenvault.ErrKeep
	}
}
