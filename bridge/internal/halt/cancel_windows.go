package halt

import (
	"os"
	"sync"
	"time"

	"golang.org/x/sys/windows"
)

// again is how often the calls in a pipe are ended.
const again = 10 * time.Millisecond

// cancel makes calls on a pipe return, which has no deadlines on this system: it ends
// what blocks in it, again and again, until undo.
func cancel(f *os.File) (undo func(), ok bool) {
	raw, err := f.SyscallConn()
	if err != nil {
		return func() {}, false
	}
	end := func() (pipe bool) {
		raw.Control(func(handle uintptr) {
			kind, err := windows.GetFileType(windows.Handle(handle))
			if pipe = err == nil && kind == windows.FILE_TYPE_PIPE; pipe {
				windows.CancelIoEx(windows.Handle(handle), nil) // an error: there was nothing to end
			}
		})
		return pipe
	}
	if !end() {
		return func() {}, false
	}
	undone, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(again)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				end()
			case <-undone:
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(undone)
		<-ended
	}), true
}
