package tokenvault

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// A heldKey does something between the reading of a header and the keys for it, once.
type heldKey struct {
	rootKey
	opened  atomic.Bool
	between func()
}

func (k *heldKey) open(ctx context.Context, header []byte) (*seal.Keys, error) {
	if !k.opened.Swap(true) {
		k.between()
	}
	return k.rootKey.open(ctx, header)
}

// shelfOf returns the files of a vault, which are not read yet.
func shelfOf(t *testing.T, c Config) *files {
	t.Helper()
	f, err := c.withDefaults().openFiles(t.Context(), c.Mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.close() })
	return f
}

// afterReset returns the shelf of a vault that was reset after it was opened.
func afterReset(t *testing.T) (Config, *files) {
	t.Helper()
	key := NewSecret([]byte(strings.Repeat("0123456789abcdef", 4)))
	c := Config{Mode: File, Dir: filepath.Join(t.TempDir(), "tokens"), Key: KeyFromHex(key)}
	f := shelfOf(t, c)
	if err := f.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	resetVault(t, c)
	return c, f
}

func resetVault(t *testing.T, c Config) {
	t.Helper()
	if _, err := Reset(t.Context(), c, DeleteEverything); err != nil {
		t.Fatalf("Reset: %v", err)
	}
}

// Who was slow to make the keys of a header does not put them in the place of newer
// ones: what is sealed with them is lost.
//
// req: V07
func TestThreat29SlowerThanTheNextReset(t *testing.T) {
	c, f := afterReset(t)
	began, proceed := make(chan struct{}), make(chan struct{})
	f.root = &heldKey{rootKey: f.root, between: func() { close(began); <-proceed }}
	slow := make(chan error, 1)
	go func() { slow <- f.renew(t.Context()) }()
	<-began
	resetVault(t, c)
	if err := f.renew(t.Context()); err != nil {
		t.Errorf("renew: %v", err)
	}
	close(proceed)
	if err := <-slow; err != nil {
		t.Errorf("renew of the slow one: %v", err)
	}
	if there, err := f.dir.Read(headerFile); err != nil || !bytes.Equal(f.header, there) {
		t.Errorf("the keys are not those of the header that is there: %v", err)
	}
}

// A Reset throws the key away before it writes the next header. Who opens the vault
// meanwhile waits for it, and has not lost a key.
//
// req: V07
func TestThreat29ResetWhileItOpens(t *testing.T) {
	c := Config{Mode: Keychain, Dir: filepath.Join(t.TempDir(), "tokens"), Service: "tests", Keychain: keychainOfItems{}}
	made, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	f := shelfOf(t, c)
	f.root = &heldKey{rootKey: f.root, between: func() { resetVault(t, c) }}
	if err := f.begin(t.Context()); err != nil {
		t.Errorf("got %v, want the new vault", err)
	}
}

// So does who reads and lists, after one Reset and during the next.
//
// req: V07
func TestThreat29ReadDuringAReset(t *testing.T) {
	for name, read := range map[string]func(f *files) error{
		"Get": func(f *files) error {
			_, err := f.read(t.Context(), seal.ID{Service: "tests"})
			if errors.Is(err, ErrNotFound) {
				return nil
			}
			return err
		},
		"List": func(f *files) error {
			_, err := f.list(t.Context())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := Config{Mode: Keychain, Dir: filepath.Join(t.TempDir(), "tokens"), Service: "tests", Keychain: keychainOfItems{}}
			f := shelfOf(t, c)
			if err := f.begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			resetVault(t, c)
			f.root = &heldKey{rootKey: f.root, between: func() { resetVault(t, c) }}
			if err := read(f); err != nil {
				t.Errorf("got %v, want an empty vault", err)
			}
		})
	}
}

// Who writes after a Reset has the lock that everybody else takes: names have changed.
//
// req: V07
func TestThreat29LockAfterAReset(t *testing.T) {
	c, f := afterReset(t)
	id := seal.ID{Service: "tests"}
	release, err := f.hold(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	other := shelfOf(t, c)
	if err := other.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.name(id) != other.name(id) {
		t.Error("the lock is that of a name of before")
	}
}

// A record that cannot be read is looked at again when no Reset is at work: it may
// be one that is deleted next.
//
// req: V07
func TestThreat29ListDuringAReset(t *testing.T) {
	key := NewSecret([]byte(strings.Repeat("0123456789abcdef", 4)))
	c := Config{Mode: File, Dir: filepath.Join(t.TempDir(), "tokens"), Key: KeyFromHex(key)}
	f, other := shelfOf(t, c), shelfOf(t, c)
	if err := f.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := seal.Name{}.File()
	if err := f.dir.Write(name, []byte("of the vault before")); err != nil {
		t.Fatal(err)
	}
	release, err := other.locks.Vault(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	listing := make(chan []listed, 1)
	go func() {
		all, err := f.list(t.Context())
		if err != nil {
			t.Errorf("list: %v", err)
		}
		listing <- all
	}()
	select {
	case all := <-listing:
		t.Fatalf("got %d records while a Reset is at work", len(all))
	case <-time.After(50 * time.Millisecond): // a list that does not wait has failed by now, mostly
	}
	if err := f.dir.Remove(name); err != nil {
		t.Fatal(err)
	}
	release()
	if all := <-listing; len(all) > 0 {
		t.Errorf("got %v, want no records", all[0].err)
	}
}

// keychainOfItems is a keychain in this process.
type keychainOfItems map[string][]byte

func (k keychainOfItems) Get(_ context.Context, service, account string) ([]byte, error) {
	item, ok := k[service+":"+account]
	if !ok {
		return nil, ErrNotFound
	}
	return bytes.Clone(item), nil
}

func (k keychainOfItems) Set(_ context.Context, service, account string, value []byte) error {
	k[service+":"+account] = bytes.Clone(value)
	return nil
}

func (k keychainOfItems) Delete(_ context.Context, service, account string) error {
	delete(k, service+":"+account)
	return nil
}
