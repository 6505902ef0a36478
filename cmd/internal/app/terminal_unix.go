//go:build linux || darwin

package app

import (
	"os"
	"syscall"
	"unsafe"
)

// isTerminal reports whether f is a terminal.
func isTerminal(f *os.File) bool {
	_, terminal := terminalWidth(f)
	return terminal
}

// terminalWidth returns the number of columns of f if f is a terminal. It is zero
// where the terminal does not tell.
func terminalWidth(f *os.File) (columns int, terminal bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	var size struct{ rows, cols, xPixels, yPixels uint16 }
	var errno syscall.Errno
	err = conn.Control(func(fd uintptr) { // unlike Fd, Control leaves the flags of the descriptor alone
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	})
	if err != nil || errno != 0 {
		return 0, false
	}
	return int(size.cols), true
}
