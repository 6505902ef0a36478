package app

import (
	"os"
	"syscall"
)

// watchParent calls gone once the process that ppid names has ended, which is the
// parent of this one. It returns at once, and stop ends the watch. The death of a
// thread of the parent does not count.
//
// It looks at a handle of the process in the poller of the runtime: nothing wakes up
// until then. Without such handles, before Linux 5.4, there is no watch.
func watchParent(ppid func() int, gone func()) (stop func()) {
	none := func() {}
	parent := ppid()
	if parent <= 1 { // another PID namespace, or init, whose end is everybody's
		return none
	}
	handle, err := processHandle(parent)
	if ppid() != parent { // it ended meanwhile, and the handle may be that of another process
		handle.Close() // also if there is none: then it says so
		gone()
		return none
	}
	if err != nil {
		return none
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if awaitHandle(handle, func() bool { return ppid() != parent }) {
			gone()
		}
	}()
	return func() {
		handle.Close()
		<-ended
	}
}

// awaitHandle reports true once the process of the handle has ended, which done tells,
// and false when the handle is closed.
func awaitHandle(handle *os.File, done func() bool) bool {
	raw, err := handle.SyscallConn()
	return err == nil && raw.Read(func(uintptr) bool { return done() }) == nil
}

// processHandle returns a handle of the process, which can be read once it has ended.
func processHandle(pid int) (*os.File, error) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	defer p.Release()
	var own int
	var failed error
	err = p.WithHandle(func(handle uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if own, failed = syscall.Dup(int(handle)); failed == nil {
			syscall.CloseOnExec(own)
			failed = syscall.SetNonblock(own, true) // as the poller wants it; nobody else has this handle
		}
	})
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	return os.NewFile(uintptr(own), "parent"), nil
}
