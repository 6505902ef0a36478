package lock

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// newPair returns two sets of locks on one directory, as two processes have them.
func newPair(t *testing.T) (*dir.Dir, *Locks, *Locks) {
	t.Helper()
	d, err := dir.Open(filepath.Join(t.TempDir(), "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, open(t, d), open(t, d)
}

func open(t *testing.T, d *dir.Dir) *Locks {
	t.Helper()
	l, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// soon is a context whose time is over in moments.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

func TestAStripeIsHeldByOne(t *testing.T) {
	_, a, b := newPair(t)
	release, err := a.Stripe(patient(t), 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Stripe(soon(t), 7); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("a held stripe: %v, want ErrBusy", err)
	}
	if _, err := a.Stripe(soon(t), 7); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("a stripe held by the same process: %v, want ErrBusy", err)
	}
	other, err := b.Stripe(patient(t), 8)
	if err != nil {
		t.Fatalf("another stripe: %v", err)
	}
	other()
	release()
	release()
	again, err := b.Stripe(patient(t), 7)
	if err != nil {
		t.Fatalf("a stripe that was given back: %v", err)
	}
	again()
}
