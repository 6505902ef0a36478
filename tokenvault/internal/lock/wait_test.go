package lock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A scripted kernel says no until its time has come, and counts who holds what.
type scripted struct {
	mu            sync.Mutex
	free          time.Time
	asked         []time.Time
	alone, shared int // holders now
	most          int // most holders of a shared lock
	err           error
	ofProcess     bool // the locks are the process's: it never keeps itself out
}

func (s *scripted) try(_ string, exclusive bool) (func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, time.Now())
	if s.err != nil {
		return nil, s.err
	}
	if taken := s.alone > 0 || exclusive && s.shared > 0; time.Now().Before(s.free) || taken && !s.ofProcess {
		return nil, nil
	}
	held := &s.shared
	if exclusive {
		held = &s.alone
	}
	*held++
	s.most = max(s.most, s.shared)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		*held--
	}, nil
}

// Who waits asks at once, soon again, and then every 50 to 100 ms.
func TestPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &scripted{free: time.Now().Add(10 * time.Second)}
		start := time.Now()
		release, err := newLocks(k).Stripe(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if took := time.Since(start); took < 10*time.Second || took > 10*time.Second+longestPause {
			t.Errorf("it took %v, want 10s and a pause at most", took)
		}
		var pauses []time.Duration
		for i := range k.asked[1:] {
			pauses = append(pauses, k.asked[i+1].Sub(k.asked[i]))
		}
		want := firstPause
		for i, pause := range pauses {
			if pause > want || pause < want/2 {
				t.Errorf("pause %d is %v, want %v to %v", i, pause, want/2, want)
			}
			want = min(2*want, longestPause)
		}
		slices.Sort(pauses)
		if len(slices.Compact(pauses)) < len(k.asked)/2 {
			t.Error("the pauses are the same again and again")
		}
	})
}

// The waiting ends with the context, and says why.
func TestThreat32WaitingEnds(t *testing.T) {
	for _, where := range []string{"at the kernel", "at the gate", "for readers to leave"} {
		t.Run(where, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := &scripted{}
				l := newLocks(k)
				switch where {
				case "at the kernel":
					k.free = time.Now().Add(time.Hour)
				case "at the gate":
					defer must(t)(l.Vault(t.Context(), true))()
				case "for readers to leave":
					defer must(t)(l.Vault(t.Context(), false))()
				}
				const limit = 35 * time.Second
				start := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				_, err := l.Vault(ctx, true)
				if !errors.Is(err, fault.ErrBusy) || time.Since(start) != limit {
					t.Errorf("%v after %v, want ErrBusy after %v", err, time.Since(start), limit)
				}
				cancel()
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				if _, err := l.Vault(ctx, true); !errors.Is(err, context.Canceled) || errors.Is(err, fault.ErrBusy) {
					t.Errorf("cancelled: %v, want the context's own error", err)
				}
				asked := len(k.asked)
				if _, err := l.Vault(ctx, false); !errors.Is(err, context.Canceled) || len(k.asked) != asked {
					t.Errorf("over before it began: %v, asked %d times", err, len(k.asked)-asked)
				}
			})
		})
	}
}

func must(t *testing.T) func(release func(), err error) func() {
	return func(release func(), err error) func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return release
	}
}

// Readers of one process are let in together and hold one lock of the kernel; who
// wants to be alone waits for them, and they for it.
func TestSharedAndAlone(t *testing.T) {
	t.Run("locks of an open file", func(t *testing.T) { sharedAndAlone(t, &scripted{}) })
	t.Run("locks of a process", func(t *testing.T) { sharedAndAlone(t, &scripted{ofProcess: true}) })
}

func sharedAndAlone(t *testing.T, k *scripted) {
	synctest.Test(t, func(t *testing.T) {
		l := newLocks(k)
		var mu sync.Mutex
		readers, writers := 0, 0
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				alone := i%5 == 4
				release := must(t)(l.Vault(t.Context(), alone))
				mu.Lock()
				if alone {
					writers++
				} else {
					readers++
				}
				if writers > 1 || writers > 0 && readers > 0 {
					t.Errorf("%d alone and %d readers at once", writers, readers)
				}
				mu.Unlock()
				time.Sleep(10 * time.Millisecond)
				mu.Lock()
				if alone {
					writers--
				} else {
					readers--
				}
				mu.Unlock()
				release()
				release() // does nothing
			})
		}
		all.Wait()
		if k.most != 1 || k.shared != 0 || k.alone != 0 {
			t.Errorf("the kernel saw %d readers at once; %d and %d hold it still", k.most, k.shared, k.alone)
		}
	})
}

// An error of the kernel ends the waiting, and nothing is held after it.
func TestErrorOfTheKernel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &scripted{err: fault.New(fault.ErrUnavailable, fault.NoLocks, nil)}
		l := newLocks(k)
		for _, alone := range []bool{true, false} {
			if _, err := l.Vault(t.Context(), alone); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%v, want ErrUnavailable", err)
			}
		}
		k.err = nil
		must(t)(l.Vault(t.Context(), true))()
		must(t)(l.Vault(t.Context(), false))()
	})
}

func TestNamesOfLocks(t *testing.T) {
	for n := range Stripes {
		if name := fmt.Sprintf("l-%02x", n); !Is(name) || name != stripeFile(n) {
			t.Errorf("%s is not a lock", name)
		}
	}
	for _, name := range []string{"l-40", "l-", "l-0", "l-000", "vault", "l-vault2", ""} {
		if Is(name) {
			t.Errorf("%q is a lock", name)
		}
	}
}
