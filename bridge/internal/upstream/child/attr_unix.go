//go:build unix && !linux

package child

import "syscall"

// attributes make the child lead a group of its own.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
