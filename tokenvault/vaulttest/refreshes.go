package vaulttest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// gives returns a RefreshFunc that has one result.
func gives(text string, err error) tokenvault.RefreshFunc {
	return func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		return secret(text), later, err
	}
}

// never returns a RefreshFunc that must not be called.
func (v *vault) never() tokenvault.RefreshFunc {
	return func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		v.Error("the RefreshFunc was called")
		return tokenvault.Secret{}, time.Time{}, tokenvault.ErrKeep
	}
}

var refreshes = []clause{
	{"Refresh stores what the function returns", func(v *vault) {
		o := tokenvault.PutOptions{Label: "Work", Meta: map[string]string{"a": "b"}}
		seen, err := v.Put(v.Context(), alice, secret("1"), o)
		v.is("Put", err, nil)
		e, adopted, err := v.Refresh(v.Context(), alice, seen, func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			if _, limited := ctx.Deadline(); !limited || !e.Value.Equal(secret("1")) || e.Rev != seen {
				v.Errorf("the function got %+v, limited: %t", e, limited)
			}
			return secret("2"), later, nil
		})
		v.is("Refresh", err, nil)
		stored := v.get(alice)
		if adopted || e.Rev == seen || e.Rev != stored.Rev || !stored.ExpiresAt.Equal(later) || stored.Label != "Work" || stored.Meta["a"] != "b" {
			v.Errorf("adopted: %t; got %+v, stored %+v", adopted, e, stored)
		}
		v.has(alice, "2")
	}},
	{"Refresh adopts what somebody else has stored", func(v *vault) {
		seen := v.put(alice, "1")
		newer := v.put(alice, "2")
		e, adopted, err := v.Refresh(v.Context(), alice, seen, v.never())
		v.is("Refresh", err, nil)
		if !adopted || e.Rev != newer || !e.Value.Equal(secret("2")) {
			v.Errorf("adopted: %t, revision %v; want %v", adopted, e.Rev, newer)
		}
	}},
	{"Refresh does not bring a record back", func(v *vault) {
		seen := v.put(alice, "1")
		v.is("Delete", v.Delete(v.Context(), alice, tokenvault.Always), nil)
		_, _, err := v.Refresh(v.Context(), alice, seen, v.never())
		v.is("Refresh", err, tokenvault.ErrNotFound)
		v.hasNot(alice)
	}},
	{"an error of the function leaves the record as it was", func(v *vault) {
		seen := v.put(alice, "1")
		for _, want := range []error{tokenvault.ErrKeep, fmt.Errorf("offline: %w", tokenvault.ErrKeep), errors.New("500")} {
			e, adopted, err := v.Refresh(v.Context(), alice, seen, gives("2", want))
			v.is("Refresh", err, want)
			if adopted || e.Rev != seen || !e.Value.Equal(secret("1")) {
				v.Errorf("with %v: adopted %t, got revision %v; want the record as it was", want, adopted, e.Rev)
			}
		}
		v.has(alice, "1")
	}},
	{"a value without a refresh token takes the place of one that was refused", func(v *vault) {
		seen := v.put(alice, "spent")
		_, _, err := v.Refresh(v.Context(), alice, seen, gives("", nil))
		v.is("Refresh", err, nil)
		v.has(alice, "")
	}},
	{"one function is called for all who want the same", func(v *vault) {
		seen := v.put(alice, "1")
		var calls, adoptions atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				e, adopted, err := v.Refresh(v.Context(), alice, seen, func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
					calls.Add(1)
					return secret("2"), later, nil
				})
				if adopted {
					adoptions.Add(1)
				}
				v.is("Refresh", err, nil)
				if !e.Value.Equal(secret("2")) {
					v.Errorf("got %q, want 2", e.Value.Expose())
				}
			})
		}
		all.Wait()
		if calls.Load() != 1 || adoptions.Load() != 7 {
			v.Errorf("%d calls, %d adoptions; want 1 and 7", calls.Load(), adoptions.Load())
		}
	}},
	{"no update is lost", func(v *vault) {
		v.put(alice, "")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 10 {
					v.grow(alice)
				}
			})
		}
		all.Wait()
		if got := v.get(alice).Value.Len(); got != 80 {
			v.Errorf("got %d updates, want 80", got)
		}
	}},
	{"who leaves a refresh does not stop it", func(v *vault) {
		seen := v.put(alice, "1")
		ctx, cancel := context.WithCancel(v.Context())
		began, proceed := make(chan struct{}), make(chan struct{})
		go func() { <-began; cancel() }()
		_, _, err := v.Refresh(ctx, alice, seen, func(ctx context.Context, _ tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			close(began)
			<-proceed
			return secret("2"), later, ctx.Err()
		})
		v.is("Refresh", err, context.Canceled)
		close(proceed)
		// The lock of the record is held until the value is stored.
		e, _, err := v.Refresh(v.Context(), alice, seen, v.never())
		v.is("second Refresh", err, nil)
		if !e.Value.Equal(secret("2")) {
			v.Errorf("got %q, want 2", e.Value.Expose())
		}
	}},
	{"a function that calls the store is told so", func(v *vault) {
		seen := v.put(alice, "1")
		_, _, err := v.Refresh(v.Context(), alice, seen, func(ctx context.Context, _ tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			_, err := v.Put(ctx, bob, secret("2"), tokenvault.PutOptions{})
			return tokenvault.Secret{}, time.Time{}, err
		})
		v.is("Refresh", err, tokenvault.ErrBusy)
		v.hasNot(bob)
	}},
	{"Close waits for a refresh", func(v *vault) {
		seen := v.put(alice, "1")
		began, proceed := make(chan struct{}), make(chan struct{})
		result := make(chan error, 1)
		go func() {
			_, _, err := v.Refresh(v.Context(), alice, seen, func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
				close(began)
				<-proceed
				return secret("2"), later, nil
			})
			result <- err
		}()
		<-began
		closed := make(chan error, 1)
		go func() { closed <- v.Close() }()
		close(proceed)
		v.is("Close", <-closed, nil)
		v.is("Refresh", <-result, nil)
	}},
}

// grow adds one byte to the value, by conditions alone.
func (v *vault) grow(id tokenvault.ID) {
	for {
		e := v.get(id)
		o := tokenvault.PutOptions{When: tokenvault.IfRevision(e.Rev)}
		_, err := v.Put(v.Context(), id, secret(e.Value.Expose()+"x"), o)
		if err == nil {
			return
		}
		v.is("Put", err, tokenvault.ErrConflict)
	}
}
