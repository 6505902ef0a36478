package tokenvault_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// Auto takes the next store where one cannot be had, and stops where the user has
// made a mistake.
//
// req: V02
func TestAuto(t *testing.T) {
	key := tokenvault.KeyFromHex(testKey)
	for name, c := range map[string]struct {
		keychain error
		key      tokenvault.KeySource
		want     tokenvault.Mode
	}{
		"a keychain":                      {nil, key, tokenvault.Keychain},
		"a locked keychain, a key":        {tokenvault.ErrLocked, key, tokenvault.File},
		"a silent keychain, a key":        {tokenvault.ErrTimeout, key, tokenvault.File},
		"a broken keychain, a key":        {errors.New("D-Bus: token=abc"), key, tokenvault.File},
		"a locked keychain, no key":       {tokenvault.ErrLocked, tokenvault.KeySource{}, tokenvault.Memory},
		"an unavailable keychain, no key": {tokenvault.ErrUnavailable, tokenvault.KeySource{}, tokenvault.Memory},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			v := open(t, tokenvault.Config{
				Dir: newDir(t), Service: "tests", Key: c.key, Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Keychain: &keychainOfMap{get: c.keychain, set: c.keychain},
			})
			put(t, v, alice, "token")
			s := v.Status()
			if s.Kind != c.want || s.Records != 1 {
				t.Errorf("got %+v, want %v", s, c.want)
			}
			if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "store="+c.want.String()) {
				t.Errorf("the log has %d lines: %s", lines, log.String())
			}
			if skipped := len(s.Skipped) > 0; skipped != (c.keychain != nil) || strings.Contains(fmt.Sprint(log.String(), s.Skipped), "abc") {
				t.Errorf("skipped: %v; log: %s", s.Skipped, log.String())
			}
		})
	}
}

// A named mode that cannot be had is an error, whatever else there is.
//
// req: V02
func TestThreat57NoFallback(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, c *tokenvault.Config)
		want   error
	}{
		"locked":          {failing(tokenvault.ErrLocked), tokenvault.ErrLocked},
		"silent":          {failing(tokenvault.ErrTimeout), tokenvault.ErrTimeout},
		"broken":          {failing(errors.New("broken")), tokenvault.ErrUnavailable},
		"open directory":  {chmod(0o755), tokenvault.ErrDamaged},
		"a file instead":  {plainFile, tokenvault.ErrDamaged},
		"no key file":     {keyFile(""), tokenvault.ErrKey},
		"a bad key file":  {keyFile("0123"), tokenvault.ErrKey},
		"a key of zeros":  {keyFile(strings.Repeat("0", 64)), tokenvault.ErrKey},
		"no place for it": {func(t *testing.T, c *tokenvault.Config) { c.Dir = filepath.Join(os.DevNull, "tokens") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := keychainConfig(newDir(t), &keychainOfMap{})
			c.change(t, &cfg)
			v, err := tokenvault.Open(t.Context(), cfg)
			if err == nil {
				v.Close()
			}
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func failing(err error) func(*testing.T, *tokenvault.Config) {
	return func(_ *testing.T, c *tokenvault.Config) { c.Keychain = &keychainOfMap{get: err, set: err} }
}

func chmod(mode os.FileMode) func(*testing.T, *tokenvault.Config) {
	return func(t *testing.T, c *tokenvault.Config) {
		if os.PathSeparator != '/' {
			t.Skip("permissions are lists there: the tests of package dir look at them")
		}
		if err := errors.Join(os.Mkdir(c.Dir, 0o700), os.Chmod(c.Dir, mode)); err != nil {
			t.Fatal(err)
		}
	}
}

func plainFile(t *testing.T, c *tokenvault.Config) {
	if err := os.WriteFile(c.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// keyFile gives the vault a key file of this text, or one that is not there.
func keyFile(text string) func(*testing.T, *tokenvault.Config) {
	return func(t *testing.T, c *tokenvault.Config) {
		path := filepath.Join(t.TempDir(), "key")
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c.Mode, c.Key = tokenvault.File, tokenvault.KeyFromFile(path)
	}
}

// A mistake of the user stops Auto too.
//
// req: V03
func TestAutoStopsAtAMistake(t *testing.T) {
	dir := newDir(t)
	put(t, open(t, fileConfig(dir)), alice, "token")
	before := filesIn(t, filepath.Join(dir, "kf"))
	c := tokenvault.Config{
		Dir: dir, Service: "tests", Keychain: &keychainOfMap{get: tokenvault.ErrLocked, set: tokenvault.ErrLocked},
		Key: tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(strings.Repeat("fedcba9876543210", 4)))),
	}
	_, err := tokenvault.Open(t.Context(), c)
	if !errors.Is(err, tokenvault.ErrKey) {
		t.Errorf("with another key: got %v, want ErrKey", err)
	}
	if after := filesIn(t, filepath.Join(dir, "kf")); !maps.Equal(before, after) {
		t.Error("the files are not as they were")
	}
}

// A wrong key is told from damage, and says which two keys they are.
//
// req: V06
func TestThreat43WrongKey(t *testing.T) {
	dir := newDir(t)
	v := open(t, fileConfig(dir))
	put(t, v, alice, "token")
	c := fileConfig(dir)
	c.Key = tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(strings.Repeat("fedcba9876543210", 4))))
	_, err := tokenvault.Open(t.Context(), c)
	if !errors.Is(err, tokenvault.ErrKey) || errors.Is(err, tokenvault.ErrDamaged) || !strings.Contains(err.Error(), v.Status().Kid) {
		t.Errorf("got %v, want ErrKey that names the key %s", err, v.Status().Kid)
	}
}

// Without its header a vault is not made anew over the records that are there.
//
// req: V06
func TestThreat21HeaderIsLost(t *testing.T) {
	dir := newDir(t)
	c := fileConfig(dir)
	v := open(t, c)
	put(t, v, alice, "token")
	if err := os.Remove(filepath.Join(dir, "kf", "vault")); err != nil {
		t.Fatal(err)
	}
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrDamaged) {
		t.Errorf("Open: got %v, want ErrDamaged", err)
	}
	if _, err := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{}); !errors.Is(err, tokenvault.ErrDamaged) {
		t.Errorf("Put of who has it open: got %v, want ErrDamaged", err)
	}
	if n := len(recordsIn(t, filepath.Join(dir, "kf"))); n != 1 {
		t.Errorf("%d records are left, want 1", n)
	}
}

// A key that is gone from the keychain is not made anew, and Auto says what it left.
//
// req: V06
func TestThreat39KeyIsLost(t *testing.T) {
	dir, k := newDir(t), &keychainOfMap{}
	c := keychainConfig(dir, k)
	v := open(t, c)
	put(t, v, alice, "token")
	clear(k.items)
	if _, err := tokenvault.Open(t.Context(), c); !errors.Is(err, tokenvault.ErrKey) {
		t.Errorf("Open: got %v, want ErrKey", err)
	}
	if len(k.items) != 0 {
		t.Error("a new key was put into the keychain")
	}
	c.Mode = tokenvault.Auto
	auto := open(t, c)
	if s := auto.Status(); s.Kind != tokenvault.Memory || len(s.Skipped) != 1 || !errors.Is(s.Skipped[0].Err, tokenvault.ErrKey) {
		t.Errorf("Auto: got %+v, want memory and the lost key", s)
	}
	if n := len(recordsIn(t, filepath.Join(dir, "kc"))); n != 1 {
		t.Errorf("%d records are left, want 1", n)
	}
	if e, err := v.Get(t.Context(), alice); err != nil || !e.Value.Equal(tokenvault.NewSecret([]byte("token"))) {
		t.Errorf("Get of who has the key in memory: %v", err)
	}
}

// The keychain is asked once at the start, and never again.
//
// req: V02
func TestThreat38KeychainLocksLater(t *testing.T) {
	k := &keychainOfMap{}
	c := keychainConfig(newDir(t), k)
	open(t, c)
	v := open(t, c)
	k.get, k.set = tokenvault.ErrLocked, tokenvault.ErrLocked
	gets := k.gets
	rev := put(t, v, alice, "1")
	_, _, err := v.Refresh(t.Context(), alice, rev, returns("2"))
	if e, getErr := v.Get(t.Context(), alice); err != nil || getErr != nil || !e.Value.Equal(tokenvault.NewSecret([]byte("2"))) {
		t.Errorf("Refresh: %v; Get: %v", err, getErr)
	}
	if k.gets != gets {
		t.Errorf("the keychain was asked %d times more", k.gets-gets)
	}
}

// The two kinds of vault do not share a record: one would spend what the other has.
//
// req: V07
func TestVaultsOfTwoKeysAreApart(t *testing.T) {
	dir := newDir(t)
	put(t, open(t, keychainConfig(dir, &keychainOfMap{})), alice, "token")
	if _, err := open(t, fileConfig(dir)).Get(t.Context(), alice); !errors.Is(err, tokenvault.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	good := fileConfig(newDir(t))
	for name, change := range map[string]func(c *tokenvault.Config){
		"mode":              func(c *tokenvault.Config) { c.Mode = 9 },
		"relative path":     func(c *tokenvault.Config) { c.Dir = "tokens" },
		"no path":           func(c *tokenvault.Config) { c.Dir = "" },
		"no key":            func(c *tokenvault.Config) { c.Key = tokenvault.KeySource{} },
		"no service":        func(c *tokenvault.Config) { c.Mode = tokenvault.Keychain },
		"colon in service":  func(c *tokenvault.Config) { c.Mode, c.Service = tokenvault.Auto, "a:b" },
		"long service":      func(c *tokenvault.Config) { c.Mode, c.Service = tokenvault.Keychain, strings.Repeat("a", 256) },
		"umlaut in service": func(c *tokenvault.Config) { c.Mode, c.Service = tokenvault.Keychain, "ä" },
		"negative timeout":  func(c *tokenvault.Config) { c.Timeouts.Lock = -1 },
		"endless timeout":   func(c *tokenvault.Config) { c.Timeouts.Refresh = 1 << 60 },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			change(&c)
			if _, err := tokenvault.Open(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), "tokenvault: ") {
				t.Errorf("got %v, want an error", err)
			}
		})
	}
	if _, err := os.Stat(good.Dir); err == nil {
		t.Error("a directory was made")
	}
}

// returns is a RefreshFunc that has one result.
func returns(text string) tokenvault.RefreshFunc {
	return func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		return tokenvault.NewSecret([]byte(text)), time.Time{}, nil
	}
}
