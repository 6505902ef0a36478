//go:build unix

package app

import (
	"os"
	"strconv"
	"syscall"
)

// keepInherited marks the descriptors that whoever started the bridge has left open, so
// that no browser inherits them: what they lead to is nobody's business there. Those of Go
// are marked anyway.
func keepInherited() {
	open, err := os.ReadDir("/dev/fd") // of this process; FreeBSD may show no more than the standard ones
	if err != nil {
		return
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > syscall.Stderr {
			syscall.CloseOnExec(fd)
		}
	}
}
