package link

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// What the server has written before it returned can be read after it.
func TestServedOutputOutlivesTheServer(t *testing.T) {
	broken := errors.New("broken")
	s := Serve(t.Context(), func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
		io.Copy(io.Discard, in)
		io.WriteString(out, `{"jsonrpc":"2.0","method":"last"}`+"\n")
		return broken
	}, nil)
	s.CloseInput()
	s.Stop(time.Minute)
	if err, returned := s.Returned(); err != broken || !returned {
		t.Errorf("Returned() = %v, %v, want %v", err, returned, broken)
	}
	if m, err := s.Read(); err != nil || !m.Is(m.Method, "last") {
		t.Errorf("Read = %v, want the last message", err)
	}
	if _, err := s.Read(); err != io.EOF {
		t.Errorf("Read = %v, want %v", err, io.EOF)
	}
	s.Close()
}

// Its streams are closed with the server.
func TestServedInputIsClosedWithTheServer(t *testing.T) {
	s := Serve(t.Context(), func(context.Context, io.ReadCloser, io.WriteCloser) error { return nil }, nil)
	if _, err := s.Read(); err != io.EOF {
		t.Errorf("Read = %v, want %v", err, io.EOF)
	}
	s.Stop(time.Minute)
	if _, err := s.Input().Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Write = %v, want %v", err, io.ErrClosedPipe)
	}
	s.Close()
}

func TestServedStop(t *testing.T) {
	const grace = 2 * time.Second
	for _, tt := range []struct {
		name     string
		waits    func(ctx context.Context, release <-chan struct{})
		want     time.Duration
		returned bool
	}{
		{"returns", func(context.Context, <-chan struct{}) {}, 0, true},
		{"waits for its context", func(ctx context.Context, _ <-chan struct{}) { <-ctx.Done() }, grace, true},
		{"does not return", func(_ context.Context, release <-chan struct{}) { <-release }, 2 * grace, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				over, cancel := context.WithCancel(t.Context())
				cancel() // the end of the caller's context is not that of the server's
				release := make(chan struct{})
				s := Serve(over, func(ctx context.Context, in io.ReadCloser, _ io.WriteCloser) error {
					io.Copy(io.Discard, in)
					tt.waits(ctx, release)
					return nil
				}, nil)
				s.CloseInput()
				begun := time.Now()
				s.Stop(grace)
				if got := time.Since(begun); got != tt.want {
					t.Errorf("Stop returned after %v, want %v", got, tt.want)
				}
				if _, got := s.Returned(); got != tt.returned {
					t.Errorf("returned is %v, want %v", got, tt.returned)
				}
				close(release)
				s.Close()
			})
		})
	}
}
