//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// runs reports whether a process of that id runs. One that has ended, and whose status
// nobody asks for, does not.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err != nil || !strings.Contains(string(status), "\nState:\tZ")
}
