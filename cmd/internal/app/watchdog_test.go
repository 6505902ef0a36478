package app

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/bridge"
)

// A log that nobody reads does not keep the process alive.
//
// req: P02
func TestBite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unread, w := io.Pipe()
		defer unread.Close()
		exited := make(chan int, 2)
		start := time.Now()
		go bite(bridge.NewLog(w, slog.LevelInfo), func(code int) { exited <- code })
		if code := <-exited; code != exitFailure || time.Since(start) != biteTime {
			t.Errorf("exit with code %d after %v, want %d after %v", code, time.Since(start), exitFailure, biteTime)
		}
	})
}

// req: P02
func TestWatchdog(t *testing.T) {
	for _, tt := range []struct {
		name  string
		end   func(cancel func(), in io.Reader) // what happens at the start
		stop  time.Duration                     // when the session ends
		bites bool
	}{
		{"a session that never ends after its input", func(_ func(), in io.Reader) { io.Copy(io.Discard, in) }, time.Hour, true},
		{"a session that never ends after a signal", func(cancel func(), _ io.Reader) { cancel() }, time.Hour, true},
		{"a session that ends just in time", func(_ func(), in io.Reader) { io.Copy(io.Discard, in) }, watchdogTime - 1, false},
		{"a session whose input has nothing yet", func(_ func(), in io.Reader) { in.Read(nil) }, time.Hour, false},
		{"a session whose input goes on", func(func(), io.Reader) {}, time.Hour, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				start, bitten := time.Now(), time.Duration(0)
				dog := &watchdog{bite: func() { bitten = time.Since(start) }}
				var source io.Reader = strings.NewReader("x")
				if tt.name == "a session whose input has nothing yet" {
					source = iotest.ErrReader(syscall.EAGAIN)
				}
				in, stop := dog.watch(ctx, source)
				tt.end(cancel, in)
				time.Sleep(tt.stop)
				synctest.Wait()
				stop()
				want := time.Duration(0)
				if tt.bites {
					want = watchdogTime
				}
				if bitten != want {
					t.Errorf("bitten after %v, want %v", bitten, want)
				}
			})
		})
	}
}
