package lane

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A watch sleeps as long as there is a reader, whatever that does: neither room that
// it makes nor room that it leaves wakes the watch.
func TestWatchSleeps(t *testing.T) {
	for name, open := range watchable {
		t.Run(name, func(t *testing.T) {
			r, w := open(t)
			watch := newWatch(w)
			defer watch.close()
			awake := func() bool {
				raw, err := watch.epoll.SyscallConn()
				if err != nil {
					t.Fatal(err)
				}
				var n int
				raw.Control(func(fd uintptr) {
					n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
				})
				return n > 0
			}
			for i := range 100 {
				w.WriteString("text")
				if i%2 == 0 {
					r.Read(make([]byte, 100))
				}
				if awake() {
					t.Fatalf("the watch is awake after %d writes", i+1)
				}
			}
			r.Close()
			if !awake() {
				t.Error("the watch sleeps though its reader is gone")
			}
		})
	}
}
