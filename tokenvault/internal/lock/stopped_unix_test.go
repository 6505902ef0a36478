//go:build unix

package lock

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A process that was stopped keeps its lock: nobody takes it away, and nobody waits
// longer than their time. When it goes on, all do.
func TestThreat32StoppedHolder(t *testing.T) {
	d, l, _ := newPair(t)
	for range 5 {
		holder, stdin := start(t, "holder", path(d))
		if err := holder.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := l.Stripe(soon(t), 7); !errors.Is(err, fault.ErrBusy) {
				t.Errorf("while the holder is stopped: %v, want ErrBusy", err)
			}
		}
		if err := errors.Join(holder.Process.Signal(syscall.SIGCONT), stdin.Close()); err != nil {
			t.Fatal(err)
		}
		release, err := l.Stripe(patient(t), 7)
		if err != nil {
			t.Fatalf("after it went on: %v", err)
		}
		release()
		if err := holder.Wait(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("the holder: %v", err)
		}
	}
}
