// Package reexec runs a test binary again: as another process that plays a role,
// and as another user. It is for tests only.
package reexec

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// Role is the variable that tells a test binary the role to play. TestMain looks at it
// before all else.
const Role = "TRESTLE_VAULT_ROLE"

// Patience bounds waits for real processes; nothing takes that long.
const Patience = 60 * time.Second

// Command returns a process of this test binary in a role, which ends with the test.
func Command(t testing.TB, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	// The race detector would hold each process for a second at its end.
	cmd.Env = append(cmd.Environ(), Role+"="+role, "GORACE=atexit_sleep_ms=0")
	cmd.WaitDelay = Patience
	return cmd
}

// Within fails the test if f does not return in time.
func Within(t testing.TB, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(Patience):
		t.Fatal("it hangs")
	}
}
