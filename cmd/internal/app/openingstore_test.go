package app

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

func opens(ctx context.Context, after time.Duration, err error) (tokenvault.Store, error) {
	select {
	case <-time.After(after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return tokenvault.Open(ctx, tokenvault.Config{Mode: tokenvault.Memory})
}

// A session does not wait for its store to end, and the end of a session does not wait for
// a keychain that hangs. What is wrong with a store is told all the same, if that is known
// soon.
//
// req: P02, V04
func TestP02StoreThatOpensSlowly(t *testing.T) {
	wrong := errors.New("wrong")
	for _, tt := range []struct {
		name         string
		open         time.Duration
		err          error
		session      time.Duration // until the editor goes
		want         error
		over, closed time.Duration // when the session ends, and when all is over
	}{
		{"opens at once", 0, nil, time.Minute, nil, time.Minute, time.Minute},
		{"opens late", 10 * time.Second, nil, time.Minute, nil, time.Minute, time.Minute},
		{"is wrong", time.Second, wrong, time.Minute, wrong, time.Second, time.Second},
		{"is wrong, and the editor has gone", time.Second, wrong, 0, wrong, 0, time.Second},
		{"hangs, and the editor has gone", time.Hour, nil, 0, nil, 0, openTime},
		{"hangs, and the editor goes", time.Hour, nil, time.Minute, nil, time.Minute, time.Minute + openTime},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				s := startOpening(t.Context(), func(ctx context.Context) (tokenvault.Store, error) { return opens(ctx, tt.open, tt.err) })
				select {
				case <-s.within(t.Context()).Done():
				case <-time.After(tt.session):
				}
				if d := time.Since(start); d != tt.over {
					t.Errorf("the session is over after %v, want %v", d, tt.over)
				}
				if err := s.end(); err != tt.want {
					t.Errorf("end = %v, want %v", err, tt.want)
				}
				if d := time.Since(start); d != tt.closed {
					t.Errorf("all is over after %v, want %v", d, tt.closed)
				}
				if err := s.within(t.Context()).Err(); err == nil {
					t.Error("a session could go on")
				}
			})
		})
	}
}

// Whoever needs the store waits for it, but not longer than for what it is needed for.
//
// req: P02
func TestWaitForAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := startOpening(t.Context(), func(ctx context.Context) (tokenvault.Store, error) { return opens(ctx, 10*time.Second, nil) })
		defer s.end()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		id := tokenvault.ID{Service: "s", Key: "k"}
		if _, err := s.Get(short, id); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("Get = %v after %v", err, time.Since(start))
		}
		if got := s.Status(); got.Kind != tokenvault.Auto {
			t.Errorf("Status = %+v", got)
		}
		if _, err := s.Put(t.Context(), id, tokenvault.NewSecret([]byte("x")), tokenvault.PutOptions{}); err != nil || time.Since(start) != 10*time.Second {
			t.Errorf("Put = %v after %v", err, time.Since(start))
		}
		if e, err := s.Get(t.Context(), id); err != nil || e.Value.Expose() != "x" {
			t.Errorf("Get = %v", err)
		}
		if got := s.Status(); got.Kind != tokenvault.Memory {
			t.Errorf("Status = %+v", got)
		}
	})
}
