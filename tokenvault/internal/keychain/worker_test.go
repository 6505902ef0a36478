package keychain

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// limits are those of the tests in virtual time.
var limits = Options{Timeout: 2 * time.Second, Start: 5 * time.Second, PromptTimeout: 30 * time.Second}

func with(b Backend, prompt bool) Options {
	o := limits
	o.Backend, o.Prompt = b, prompt
	return o
}

// virtual runs a test in virtual time with a Worker that is closed at its end.
// What goroutine is left then fails the test.
func virtual(t *testing.T, b Backend, prompt bool, test func(t *testing.T, w *Worker)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := New(with(b, prompt))
		defer w.Close()
		test(t, w)
	})
}

func TestRoundTrip(t *testing.T) {
	virtual(t, new(scripted), false, func(t *testing.T, w *Worker) {
		if _, err := w.Get(t.Context(), "s", "a"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Get of nothing: %v", err)
		}
		for _, value := range []string{"first", "second"} {
			if err := w.Set(t.Context(), "s", "a", []byte(value)); err != nil {
				t.Errorf("Set: %v", err)
			}
			if got, err := w.Get(t.Context(), "s", "a"); string(got) != value || err != nil {
				t.Errorf("Get = %q, %v, want %q", got, err, value)
			}
		}
		for range 2 {
			if err := w.Delete(t.Context(), "s", "a"); err != nil {
				t.Errorf("Delete: %v", err)
			}
		}
		if _, err := w.Get(t.Context(), "s", "a"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Get after Delete: %v", err)
		}
	})
}

// hang blocks until the test lets it go, whatever becomes of the context.
type hang chan struct{}

func (h hang) get(context.Context) ([]byte, error) { <-h; return []byte("late"), nil }

// A call that does not return costs its limit once. Later ones cost nothing and
// reach nobody, and one goroutine is left, until the call returns.
//
// req: V02
func TestThreat35CallThatHangsIsLeftBehind(t *testing.T) {
	for name, c := range map[string]struct {
		prompt bool
		limit  time.Duration
	}{
		"without a dialog": {false, limits.Timeout},
		"with a dialog":    {true, limits.PromptTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			b := new(scripted)
			virtual(t, b, c.prompt, func(t *testing.T, w *Worker) {
				h := make(hang)
				late := []byte("the value that came late")
				b.get = func(context.Context) ([]byte, error) { <-h; return late, nil }
				start := time.Now()
				for range 3 {
					if got, err := w.Get(t.Context(), "s", "a"); got != nil || !errors.Is(err, fault.ErrTimeout) {
						t.Errorf("Get = %q, %v, want a timeout", got, err)
					}
				}
				if err := w.Set(t.Context(), "s", "a", []byte("v")); !errors.Is(err, fault.ErrTimeout) {
					t.Errorf("Set: %v, want a timeout", err)
				}
				if took := time.Since(start); took != c.limit {
					t.Errorf("five calls took %v, want %v", took, c.limit)
				}
				if got := b.made(); !slices.Equal(got, []string{"get"}) {
					t.Errorf("the keychain was called %v, want one get", got)
				}
				w.Close() // does not wait for it
				if took := time.Since(start); took != c.limit {
					t.Errorf("Close waited until %v", took)
				}
				close(h)
				<-w.ended
				if !bytes.Equal(late, make([]byte, len(late))) {
					t.Errorf("the late value is still %q", late)
				}
			})
		})
	}
}

// A write that is late is not read back, and the copy of its value is wiped when it
// returns, not earlier.
func TestThreat35LateSetIsWiped(t *testing.T) {
	b := new(scripted)
	virtual(t, b, false, func(t *testing.T, w *Worker) {
		h := make(hang)
		var seen []byte
		b.set = func(_ context.Context, value []byte) error { seen = value; <-h; return nil }
		mine := []byte("key")
		if err := w.Set(t.Context(), "s", "a", mine); !errors.Is(err, fault.ErrTimeout) {
			t.Errorf("Set: %v, want a timeout", err)
		}
		clear(mine)
		synctest.Wait()
		if string(seen) != "key" {
			t.Errorf("the call that still runs has %q", seen)
		}
		close(h)
		<-w.ended
		if !bytes.Equal(seen, make([]byte, 3)) {
			t.Errorf("the copy is still %q", seen)
		}
		if got := b.made(); !slices.Equal(got, []string{"set"}) {
			t.Errorf("calls: %v, want one set", got)
		}
	})
}

// Whoever waits behind a call that hangs hears of it at the same moment, and waiting
// in the queue does not count as taking long.
func TestThreat35QueueIsServedOneByOne(t *testing.T) {
	t.Run("slow", func(t *testing.T) {
		b := &scripted{get: func(context.Context) ([]byte, error) { time.Sleep(time.Second); return []byte("v"), nil }}
		virtual(t, b, false, func(t *testing.T, w *Worker) {
			start := time.Now()
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					if got, err := w.Get(t.Context(), "s", "a"); string(got) != "v" || err != nil {
						t.Errorf("Get = %q, %v", got, err)
					}
				})
			}
			all.Wait()
			if took := time.Since(start); took != 10*time.Second {
				t.Errorf("ten calls of a second took %v", took)
			}
		})
	})
	t.Run("hanging", func(t *testing.T) {
		b := new(scripted)
		virtual(t, b, false, func(t *testing.T, w *Worker) {
			h := make(hang)
			b.get = h.get
			start := time.Now()
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					if _, err := w.Get(t.Context(), "s", "a"); !errors.Is(err, fault.ErrTimeout) {
						t.Errorf("Get: %v, want a timeout", err)
					}
				})
			}
			all.Wait()
			if took := time.Since(start); took != limits.Timeout {
				t.Errorf("ten calls took %v, want %v", took, limits.Timeout)
			}
			close(h)
		})
	})
}

// A backend that keeps to its context is told the limit.
func TestThreat35BackendIsToldTheLimit(t *testing.T) {
	b := &scripted{get: func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }}
	virtual(t, b, false, func(t *testing.T, w *Worker) {
		start := time.Now()
		if _, err := w.Get(t.Context(), "s", "a"); !errors.Is(err, fault.ErrTimeout) {
			t.Errorf("Get: %v, want a timeout", err)
		}
		if took := time.Since(start); took != limits.Timeout {
			t.Errorf("it took %v, want %v", took, limits.Timeout)
		}
		<-w.ended
	})
}

// A caller that leaves breaks nothing off, and is no reason to give up the keychain.
func TestCallerThatLeaves(t *testing.T) {
	value := []byte("a value nobody waits for")
	b := &scripted{get: func(context.Context) ([]byte, error) { time.Sleep(time.Second); return value, nil }}
	virtual(t, b, false, func(t *testing.T, w *Worker) {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, err := w.Get(ctx, "s", "a"); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fault.ErrTimeout) {
			t.Errorf("Get: %v, want the error of the context", err)
		}
		if err := w.Set(ctx, "s", "a", []byte("v")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Set that never began: %v", err)
		}
		if took := time.Since(start); took != 300*time.Millisecond {
			t.Errorf("the caller got away after %v", took)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !bytes.Equal(value, make([]byte, len(value))) {
			t.Errorf("the value is still %q", value)
		}
		b.get = nil // the goroutine of the Worker waits for the next job
		if err := w.Set(t.Context(), "s", "a", []byte("v")); err != nil {
			t.Errorf("the next Set: %v", err)
		}
	})
}

func TestClose(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		virtual(t, new(scripted), false, func(t *testing.T, w *Worker) {
			w.Close()
			w.Close()
			if _, err := w.Get(t.Context(), "s", "a"); !errors.Is(err, fault.ErrClosed) {
				t.Errorf("Get after Close: %v", err)
			}
		})
	})
	t.Run("during a call that ends with its context", func(t *testing.T) {
		closedDuring(t, func(b *scripted) func() {
			b.get = func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }
			return func() {}
		}, 0)
	})
	t.Run("during a call that hangs", func(t *testing.T) {
		closedDuring(t, func(b *scripted) func() {
			h := make(hang)
			b.get = h.get
			return func() { close(h) }
		}, limits.Timeout)
	})
}

// closedDuring closes a Worker while a call runs. release ends the call, if Close
// does not.
func closedDuring(t *testing.T, begin func(*scripted) (release func()), wait time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := new(scripted)
		release := begin(b)
		w := New(with(b, true))
		heard := make(chan error, 1)
		go func() {
			_, err := w.Get(t.Context(), "s", "a")
			heard <- err
		}()
		synctest.Wait()
		start := time.Now()
		w.Close()
		if took := time.Since(start); took != wait {
			t.Errorf("Close took %v, want %v", took, wait)
		}
		if err := <-heard; !errors.Is(err, fault.ErrClosed) {
			t.Errorf("Get: %v, want closed", err)
		}
		release()
		<-w.ended
	})
}
