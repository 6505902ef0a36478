package tokenvault_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// newDir returns the path of a directory that is not there yet, which only its user
// can reach.
func newDir(t *testing.T) string { return filepath.Join(t.TempDir(), "tokens") }

// testKey is 64 hex digits.
var testKey = tokenvault.NewSecret([]byte(strings.Repeat("0123456789abcdef", 4)))

func fileConfig(dir string) tokenvault.Config {
	return tokenvault.Config{Mode: tokenvault.File, Dir: dir, Key: tokenvault.KeyFromHex(testKey)}
}

func keychainConfig(dir string, b tokenvault.Backend) tokenvault.Config {
	return tokenvault.Config{Mode: tokenvault.Keychain, Dir: dir, Service: "tests/tokenvault", Keychain: b}
}

// open opens a vault, which the end of the test closes.
func open(t *testing.T, c tokenvault.Config) *tokenvault.Vault {
	t.Helper()
	v, err := tokenvault.Open(t.Context(), c)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return v
}

// keychainOfMap is a keychain in this process, for what is not about a keychain. Its
// errors can be set.
type keychainOfMap struct {
	mu       sync.Mutex
	items    map[string][]byte
	get, set error
	gets     int
}

func (k *keychainOfMap) Get(_ context.Context, service, account string) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gets++
	if k.get != nil {
		return nil, k.get
	}
	item, ok := k.items[service+":"+account]
	if !ok {
		return nil, tokenvault.ErrNotFound
	}
	return append([]byte(nil), item...), nil
}

func (k *keychainOfMap) Set(_ context.Context, service, account string, value []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set != nil {
		return k.set
	}
	if k.items == nil {
		k.items = map[string][]byte{}
	}
	k.items[service+":"+account] = append([]byte(nil), value...)
	return nil
}

func (k *keychainOfMap) Delete(_ context.Context, service, account string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.items, service+":"+account)
	return nil
}

var alice = tokenvault.ID{"tests", "alice", "https://one.example/"}

func put(t *testing.T, v *tokenvault.Vault, id tokenvault.ID, text string) tokenvault.Revision {
	t.Helper()
	rev, err := v.Put(t.Context(), id, tokenvault.NewSecret([]byte(text)), tokenvault.PutOptions{})
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	return rev
}

// files returns the files of a directory and their bytes.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(b)
	}
	return all
}

// recordsIn returns the paths of the records in a vault's directory.
func recordsIn(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "r-*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}
