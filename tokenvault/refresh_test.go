package tokenvault_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

type refreshed struct {
	entry   tokenvault.Entry
	adopted bool
	err     error
}

// hang starts a refresh whose function waits until it is told to go on, or until its
// time is over.
func hang(t *testing.T, v *tokenvault.Vault, rev tokenvault.Revision) (proceed chan struct{}, result chan refreshed) {
	t.Helper()
	began := make(chan struct{})
	proceed, result = make(chan struct{}), make(chan refreshed, 1)
	go func() {
		e, adopted, err := v.Refresh(t.Context(), alice, rev, func(ctx context.Context, _ tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			close(began)
			select {
			case <-proceed:
				return tokenvault.NewSecret([]byte("2")), time.Time{}, nil
			case <-ctx.Done():
				return tokenvault.Secret{}, time.Time{}, ctx.Err()
			}
		})
		result <- refreshed{e, adopted, err}
	}()
	<-began
	return proceed, result
}

func memoryOnly(t *testing.T) *tokenvault.Vault {
	return open(t, tokenvault.Config{Mode: tokenvault.Memory})
}

// req: V07
func TestRefreshHasATimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := memoryOnly(t)
		rev := put(t, v, alice, "1")
		start := time.Now()
		_, result := hang(t, v, rev)
		got := <-result
		if took := time.Since(start); took != 30*time.Second || !errors.Is(got.err, context.DeadlineExceeded) || got.entry.Rev != rev {
			t.Errorf("after %v: %v, revision %v; want the end of the time after 30 s and the record as it was", took, got.err, got.entry.Rev)
		}
	})
}

// Who waits for a record gives up in time, and before a refresh could have ended.
//
// req: V07
func TestThreat32BusyInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := open(t, tokenvault.Config{Mode: tokenvault.Memory, Timeouts: tokenvault.Timeouts{Refresh: time.Minute}})
		proceed, result := hang(t, v, put(t, v, alice, "1"))
		start := time.Now()
		_, err := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{})
		if took := time.Since(start); took != 35*time.Second || !errors.Is(err, tokenvault.ErrBusy) {
			t.Errorf("after %v: %v; want ErrBusy after 35 s", took, err)
		}
		if e, err := v.Get(t.Context(), alice); err != nil || e.Value.Expose() != "1" {
			t.Errorf("Get meanwhile: %v", err)
		}
		close(proceed)
		if got := <-result; got.err != nil {
			t.Errorf("Refresh: %v", got.err)
		}
	})
}

// Close does not wait for a lock, only for a function.
//
// req: V07
func TestCloseEndsTheWaitForALock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := memoryOnly(t)
		rev := put(t, v, alice, "1")
		proceed, result := hang(t, v, rev)
		waiting := make(chan error, 1)
		go func() {
			_, _, err := v.Refresh(t.Context(), alice, tokenvault.Revision{}, mustNot(t))
			waiting <- err
		}()
		synctest.Wait()
		closed := make(chan struct{})
		go func() { v.Close(); close(closed) }()
		if err := <-waiting; !errors.Is(err, tokenvault.ErrClosed) {
			t.Errorf("who waited got %v, want ErrClosed", err)
		}
		synctest.Wait()
		select {
		case <-closed:
			t.Error("Close did not wait for the function")
		default:
		}
		close(proceed)
		<-closed
		if got := <-result; got.err != nil || got.entry.Value.Expose() != "2" {
			t.Errorf("Refresh: %v", got.err)
		}
	})
}

// A RefreshFunc may use another vault: it holds no lock there.
func TestRefreshFuncUsesAnotherVault(t *testing.T) {
	v, other := memoryOnly(t), memoryOnly(t)
	put(t, other, alice, "client")
	_, _, err := v.Refresh(t.Context(), alice, put(t, v, alice, "1"), func(ctx context.Context, _ tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		e, err := other.Get(ctx, alice)
		return e.Value, time.Time{}, err
	})
	if err != nil {
		t.Errorf("got %v", err)
	}
}

// Of a RefreshFunc's own vault nothing can be had, and the refresh goes on.
//
// req: V07
func TestThreat33RefreshFuncCallsTheVault(t *testing.T) {
	v := open(t, fileConfig(newDir(t)))
	bob := tokenvault.ID{Service: "tests", Account: "bob", Key: alice.Key}
	rev := put(t, v, alice, "1")
	put(t, v, bob, "3")
	start := time.Now()
	e, _, err := v.Refresh(t.Context(), alice, rev, func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		_, getErr := v.Get(ctx, bob)
		_, putErr := v.Put(ctx, alice, testKey, tokenvault.PutOptions{})
		deleteErr := v.Delete(ctx, alice, tokenvault.Always)
		_, listErr := v.List(ctx)
		_, _, same := v.Refresh(ctx, alice, e.Rev, mustNot(t))
		_, _, other := v.Refresh(ctx, bob, tokenvault.Revision{}, mustNot(t))
		for op, err := range map[string]error{"Get": getErr, "Put": putErr, "Delete": deleteErr, "List": listErr, "Refresh": same, "Refresh of another": other} {
			if !errors.Is(err, tokenvault.ErrBusy) {
				t.Errorf("%s: got %v, want ErrBusy", op, err)
			}
		}
		return tokenvault.NewSecret([]byte("2")), time.Time{}, nil
	})
	if err != nil || e.Value.Expose() != "2" {
		t.Errorf("Refresh: %v", err)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v: somebody has waited for a lock", took)
	}
	if e := get(t, v, bob); e.Value.Expose() != "3" {
		t.Error("the other record was changed")
	}
}

// A function that ends its goroutine has refreshed nothing, and is in nobody's way.
func TestRefreshFuncThatDoesNotReturn(t *testing.T) {
	v := memoryOnly(t)
	rev := put(t, v, alice, "1")
	_, adopted, err := v.Refresh(t.Context(), alice, rev, func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		runtime.Goexit()
		panic("unreachable")
	})
	if err == nil || adopted {
		t.Errorf("got adopted %t, %v; want an error", adopted, err)
	}
	if e, adopted, err := v.Refresh(t.Context(), alice, rev, returns("2")); err != nil || adopted || e.Value.Expose() != "2" {
		t.Errorf("the next refresh: adopted %t, %v", adopted, err)
	}
}

// Those who share a run do not share what they can change.
func TestEntriesOfOneRunAreApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := memoryOnly(t)
		rev, err := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{Meta: map[string]string{"a": "b"}})
		if err != nil {
			t.Fatal(err)
		}
		proceed, first := hang(t, v, rev)
		second := make(chan refreshed, 1)
		go func() {
			e, adopted, err := v.Refresh(t.Context(), alice, rev, mustNot(t))
			second <- refreshed{e, adopted, err}
		}()
		synctest.Wait()
		close(proceed)
		a, b := <-first, <-second
		a.entry.Meta["a"] = "c"
		a.entry.Value.Destroy()
		if a.adopted || !b.adopted || b.entry.Meta["a"] != "b" || b.entry.Value.Expose() != "2" {
			t.Errorf("adopted: %t and %t; the second has %q, %q", a.adopted, b.adopted, b.entry.Meta, b.entry.Value.Expose())
		}
	})
}

// What cannot be stored is not lost: the refresh token of before is spent.
//
// req: V08
func TestThreat48AnswerTooLarge(t *testing.T) {
	v := open(t, fileConfig(newDir(t)))
	rev := put(t, v, alice, "1")
	large := strings.Repeat("a", 256<<10+1)
	e, adopted, err := v.Refresh(t.Context(), alice, rev, returns(large))
	if !errors.Is(err, tokenvault.ErrNotPersisted) || !errors.Is(err, tokenvault.ErrNotWritable) || adopted || e.Value.Expose() != large {
		t.Errorf("got %v, %d bytes; want ErrNotPersisted for ErrNotWritable, and the answer", err, e.Value.Len())
	}
	if got, err := v.Get(t.Context(), alice); err != nil || got.Rev != rev {
		t.Errorf("the record: %v, revision %v; want it as it was", err, got.Rev)
	}
	if left, _ := filepath.Glob(filepath.Join(v.Status().Dir, "t-*")); len(left) > 0 {
		t.Errorf("the reserved file is left: %v", left)
	}
}

// A record that a person removes meanwhile does not come back.
//
// req: V07
func TestThreat29RecordRemovedWhileRefreshed(t *testing.T) {
	v := open(t, fileConfig(newDir(t)))
	rev := put(t, v, alice, "1")
	e, _, err := v.Refresh(t.Context(), alice, rev, func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		for _, path := range recordsIn(t, v.Status().Dir) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		return tokenvault.NewSecret([]byte("2")), time.Time{}, nil
	})
	if !errors.Is(err, tokenvault.ErrNotPersisted) || e.Value.Expose() != "2" {
		t.Errorf("got %v, want ErrNotPersisted and the new value", err)
	}
	if _, err := v.Get(t.Context(), alice); !errors.Is(err, tokenvault.ErrNotFound) {
		t.Errorf("Get: %v, want ErrNotFound", err)
	}
}

// A clock that goes back changes nothing but the times.
//
// req: V07
func TestThreat24ClockGoesBack(t *testing.T) {
	dir := newDir(t)
	var rev tokenvault.Revision
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(100 * 365 * 24 * time.Hour)
		v := open(t, fileConfig(dir))
		put(t, v, alice, "-1")
		e, _, err := v.Refresh(t.Context(), alice, put(t, v, alice, "0"), returns("1"))
		if err != nil {
			t.Fatal(err)
		}
		rev = e.Rev
	})
	v, other := open(t, fileConfig(dir)), open(t, fileConfig(dir)) // a hundred years before
	get(t, other, alice)
	if _, adopted, err := v.Refresh(t.Context(), alice, rev, returns("2")); adopted || err != nil {
		t.Errorf("Refresh: adopted %t, %v", adopted, err)
	}
	if e := get(t, other, alice); e.Value.Expose() != "2" {
		t.Errorf("after the refresh another process has %q", e.Value.Expose())
	}
	put(t, v, alice, "3")
	if e := get(t, other, alice); e.Value.Expose() != "3" {
		t.Errorf("after a Put another process has %q", e.Value.Expose())
	}
}
