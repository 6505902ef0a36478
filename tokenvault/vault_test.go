package tokenvault

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// A slowShelf takes its time to close.
type slowShelf struct {
	shelf
	proceed chan struct{}
}

func (s slowShelf) close() error {
	<-s.proceed
	return s.shelf.close()
}

// When Close has returned the key is wiped, whoever called it first.
func TestCloseWaitsForAnotherClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		v := newVault(Memory, Config{}.withDefaults(), slowShelf{newMemory(), proceed})
		closed := make(chan error, 2)
		for range 2 {
			go func() { closed <- v.Close() }()
		}
		synctest.Wait()
		if len(closed) > 0 {
			t.Error("one Close has returned before the vault was closed")
		}
		close(proceed)
		for range 2 {
			if err := <-closed; err != nil {
				t.Errorf("Close: %v", err)
			}
		}
	})
}

// A file that somebody removes between the look and the removal is not found, as if
// it had been removed before.
func TestRemovalOfARecordThatIsGone(t *testing.T) {
	key := NewSecret([]byte(strings.Repeat("0123456789abcdef", 4)))
	f := shelfOf(t, Config{Mode: File, Dir: filepath.Join(t.TempDir(), "tokens"), Key: KeyFromHex(key)})
	if err := f.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.remove(seal.ID{Service: "tests"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

// What a keychain does with the time that is left for a lock is not the caller's
// context that ended.
func TestLockTimeOfAKeychain(t *testing.T) {
	v := newVault(Memory, Config{}.withDefaults(), lateShelf{newMemory()})
	_, err := v.Put(t.Context(), ID{}, Secret{}, PutOptions{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Err != ErrTimeout {
		t.Errorf("got %v, want ErrTimeout", err)
	}
}

// A lateShelf has had to ask for the key again, and was not answered in time.
type lateShelf struct{ shelf }

func (lateShelf) hold(context.Context, seal.ID) (func(), error) {
	return nil, context.DeadlineExceeded
}
