package app

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// patience bounds waits for real processes; nothing takes that long.
const patience = 30 * time.Second

// sleeper starts a process that lives until its input ends.
func sleeper(t *testing.T) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid, func() {
		in.Close()
		cmd.Wait()
	}
}

// isClosed reports whether c is closed now.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// req: P19
func TestWatchParent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before bool // the process ends before it is watched
		later  int  // the parent that is named from the second look on; 0: the same
		atOnce bool
	}{
		{"a parent that ends later", false, 0, false},
		{"a parent that ended before", true, 1, true},
		{"a parent that ended between two looks", false, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pid, end := sleeper(t)
			looks, ended := 0, make(chan struct{})
			ppid := func() int {
				if looks++; looks > 1 && tt.later != 0 {
					return tt.later
				}
				select {
				case <-ended:
					return 1 // as the system does for a child without a parent
				default:
					return pid
				}
			}
			if tt.before {
				end()
			}
			gone := make(chan struct{})
			stop := watchParent(ppid, func() { close(gone) })
			defer stop()
			if got := isClosed(gone); got != tt.atOnce {
				t.Fatalf("gone at once: %v, want %v", got, tt.atOnce)
			}
			close(ended)
			if !tt.before {
				end()
			}
			select {
			case <-gone:
			case <-time.After(patience):
				t.Error("the end of the parent is not noticed")
			}
		})
	}
}

// A watch whose parent lives ends without a word, and leaves no descriptor.
func TestWatchOfAParentThatLives(t *testing.T) {
	pid, end := sleeper(t)
	defer end()
	count := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	watchParent(func() int { return pid }, func() { t.Error("gone") })()
	before := count()
	for range 20 {
		watchParent(func() int { return pid }, func() { t.Error("gone") })()
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors after 20 watches, %d before", after, before)
	}
	for _, nobody := range []int{0, 1} {
		watchParent(func() int { return nobody }, func() { t.Errorf("gone, of process %d", nobody) })()
	}
}
