package app

import (
	"os"
	"syscall"
)

// isTerminal reports whether f is a console.
func isTerminal(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	var mode uint32
	console := false
	err = conn.Control(func(handle uintptr) {
		console = syscall.GetConsoleMode(syscall.Handle(handle), &mode) == nil
	})
	return err == nil && console
}

// terminalWidth reports that f is no terminal: a console shows colours only after
// it was asked to, so nothing is coloured, and the width is the default.
func terminalWidth(*os.File) (columns int, terminal bool) { return 0, false }
