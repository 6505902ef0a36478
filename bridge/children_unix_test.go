//go:build unix

package bridge

import (
	"syscall"
	"testing"
)

// children counts the children of this process that run or were not waited for. It
// takes away those of the latter.
func children(t *testing.T) int {
	t.Helper()
	for n := 0; ; n++ {
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); {
		case err == syscall.ECHILD:
			return n
		case err != nil:
			t.Fatal(err)
		case pid == 0:
			return n + 1 // at least one runs
		}
	}
}
