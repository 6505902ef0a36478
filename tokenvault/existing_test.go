package tokenvault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A look at a vault that is not there makes nothing, in the keychain or on the disk.
func TestExisting(t *testing.T) {
	for name, c := range map[string]func(dir string, b tokenvault.Backend) tokenvault.Config{
		"keychain": keychainConfig,
		"file":     func(dir string, _ tokenvault.Backend) tokenvault.Config { return fileConfig(dir) },
		"file, without its key": func(dir string, _ tokenvault.Backend) tokenvault.Config {
			return tokenvault.Config{Mode: tokenvault.File, Dir: dir}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &keychainOfMap{}
			dir := newDir(t)
			look := c(dir, b)
			look.Existing = true
			wantNone(t, look)
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || b.gets != 0 || len(b.items) != 0 {
				t.Errorf("the look has made something: %v; keychain: %d gets, %d items", err, b.gets, len(b.items))
			}
			if runtime.GOOS == "windows" {
				return // where os.Mkdir makes no directory that is private
			}
			for _, empty := range []string{dir, filepath.Join(dir, "kc"), filepath.Join(dir, "kf")} {
				if err := os.Mkdir(empty, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			wantNone(t, look)
			if len(b.items) != 0 {
				t.Error("the look has made a key")
			}
		})
	}
}

func wantNone(t *testing.T, look tokenvault.Config) {
	t.Helper()
	v, err := tokenvault.Open(t.Context(), look)
	if !errors.Is(err, tokenvault.ErrNotFound) {
		t.Errorf("Open = %v, %v; want ErrNotFound", v, err)
	}
}

// One that is there is opened as ever, and what is wrong with it is said.
func TestExistingThatIsThere(t *testing.T) {
	dir := newDir(t)
	made := fileConfig(dir)
	put(t, open(t, made), alice, "token")
	made.Existing = true
	if n := open(t, made).Status().Records; n != 1 {
		t.Errorf("%d records, want 1", n)
	}
	made.Key = tokenvault.KeySource{}
	if _, err := tokenvault.Open(t.Context(), made); !errors.Is(err, tokenvault.ErrKey) {
		t.Errorf("Open without the key = %v, want ErrKey", err)
	}
	auto := tokenvault.Config{Dir: dir, Service: "tests", Key: tokenvault.KeyFromHex(testKey), Existing: true, Keychain: &keychainOfMap{}}
	if s := open(t, auto).Status(); s.Kind != tokenvault.File {
		t.Errorf("Auto took %v, want the vault that is there", s.Kind)
	}
}
