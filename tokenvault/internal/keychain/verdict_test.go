package keychain

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// secret is a text that a keychain may put into its errors.
const secret = "hunter2"

// After one failure there is no other call, and no word of the keychain gets out.
//
// req: V02
func TestFirstFailureIsTheLast(t *testing.T) {
	for name, c := range map[string]struct {
		err, want error
		last      bool
	}{
		"locked":    {fmt.Errorf("%s: %w", secret, fault.ErrLocked), fault.ErrLocked, true},
		"timeout":   {fmt.Errorf("%s: %w", secret, fault.ErrTimeout), fault.ErrTimeout, true},
		"any":       {errors.New(secret), fault.ErrUnavailable, true},
		"not found": {fmt.Errorf("%s: %w", secret, fault.ErrNotFound), fault.ErrNotFound, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := &scripted{get: func(context.Context) ([]byte, error) { return nil, c.err }}
			virtual(t, b, false, func(t *testing.T, w *Worker) {
				for range 3 {
					_, err := w.Get(t.Context(), "s", "a")
					if !errors.Is(err, c.want) {
						t.Errorf("Get: %v, want %v", err, c.want)
					}
					if errors.Is(err, c.err) || strings.Contains(fmt.Sprintf("%+v", err), secret) {
						t.Errorf("the error passes on what the keychain said: %+v", err)
					}
				}
				want := 3
				if c.last {
					want = 1
					<-w.ended
				}
				if got := len(b.made()); got != want {
					t.Errorf("%d calls, want %d", got, want)
				}
			})
		})
	}
}

// req: V02
func TestThreat36PanicIsAnError(t *testing.T) {
	for name, do := range map[string]func(context.Context, *Worker) error{
		"get":    func(ctx context.Context, w *Worker) error { _, err := w.Get(ctx, "s", "a"); return err },
		"set":    func(ctx context.Context, w *Worker) error { return w.Set(ctx, "s", "a", []byte("v")) },
		"delete": func(ctx context.Context, w *Worker) error { return w.Delete(ctx, "s", "a") },
	} {
		t.Run(name, func(t *testing.T) {
			b := &scripted{
				get:    func(context.Context) ([]byte, error) { panic(secret) },
				set:    func(context.Context, []byte) error { panic(secret) },
				delete: func(context.Context) error { panic(secret) },
			}
			virtual(t, b, false, func(t *testing.T, w *Worker) {
				for range 2 {
					err := do(t.Context(), w)
					if !errors.Is(err, fault.ErrUnavailable) || strings.Contains(err.Error(), secret) {
						t.Errorf("%v, want unavailable and no word of the panic", err)
					}
				}
				if got := len(b.made()); got != 1 {
					t.Errorf("%d calls, want 1", got)
				}
			})
		})
	}
}

// Nor does one that ends its goroutine leave anybody waiting.
func TestThreat36EndOfTheGoroutineIsAnError(t *testing.T) {
	b := &scripted{get: func(context.Context) ([]byte, error) {
		runtime.Goexit()
		panic("unreachable")
	}}
	virtual(t, b, false, func(t *testing.T, w *Worker) {
		for range 2 {
			if _, err := w.Get(t.Context(), "s", "a"); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%v, want unavailable", err)
			}
		}
	})
}

// A keychain can say that it did what it did not do.
func TestThreat37WritesAreReadBack(t *testing.T) {
	for name, c := range map[string]struct {
		b    *scripted
		do   func(context.Context, *Worker) error
		want fault.Detail
	}{
		"set that stores nothing": {
			&scripted{set: func(context.Context, []byte) error { return nil }}, set, fault.NotKept,
		},
		"set that stores something else": {
			&scripted{set: func(context.Context, []byte) error { return nil },
				get: func(context.Context) ([]byte, error) { return []byte("valuf"), nil }}, set, fault.NotKept,
		},
		"set that stores more": {
			&scripted{set: func(context.Context, []byte) error { return nil },
				get: func(context.Context) ([]byte, error) { return []byte("value\n"), nil }}, set, fault.NotKept,
		},
		"set that does not find": {
			&scripted{set: func(context.Context, []byte) error { return fault.ErrNotFound }}, set, fault.NotKept,
		},
		"delete that deletes nothing": {
			&scripted{delete: func(context.Context) error { return nil },
				get: func(context.Context) ([]byte, error) { return []byte("value"), nil }}, remove, fault.NotDeleted,
		},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, c.b, false, func(t *testing.T, w *Worker) {
				err := c.do(t.Context(), w)
				if own, ok := errors.AsType[*fault.Error](err); !ok || own.Sentinel != fault.ErrUnavailable || own.Detail != c.want {
					t.Errorf("%v, want %v: %s", err, fault.ErrUnavailable, c.want)
				}
			})
		})
	}
}

func set(ctx context.Context, w *Worker) error { return w.Set(ctx, "s", "a", []byte("value")) }

func remove(ctx context.Context, w *Worker) error { return w.Delete(ctx, "s", "a") }
