package child

import "syscall"

// attributes make the child lead a group of its own, and die with the thread that
// starts it, which ends when this process does.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
