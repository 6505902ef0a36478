//go:build unix

package child

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stop stops p as a session does, with a time for each of its steps.
func stop(t *testing.T, p *Process, alone, asked time.Duration) {
	t.Helper()
	p.CloseInput()
	forced := end(&p.tree, p.exited, alone, asked)
	finish(t, p, patience) // there is nothing left to do
	p.forced = forced
}

// req: P16
func TestStopAsks(t *testing.T) {
	p := run(t, "polite", nil)
	next(p)
	stop(t, p, soon, patience)
	if got, want := p.Exit(), (Exit{Status: 7, Forced: true}); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
}

// The whole group is asked to end, not the child alone.
//
// req: P16
func TestStopAsksTheGroup(t *testing.T) {
	p := run(t, "launch one that is polite", nil)
	next(p)
	asked := make(chan string, 1)
	go func() { asked <- next(p) }()
	stop(t, p, soon, patience)
	if got, want := <-asked, "asked"; got != want {
		t.Errorf("the grandchild says %q, want %q", got, want)
	}
}

// A grandchild that left the group is not ended, but nobody waits for it: neither who
// reads already when the child exits nor who comes later.
func TestGrandchildOutsideHoldsNothingUp(t *testing.T) {
	for _, tt := range []struct {
		name, role string
		late       bool
	}{
		{"reader that waits already", "leave a grandchild outside", false},
		{"reader that comes later", "leave a grandchild outside", true},
		{"child that makes itself a daemon, reader that waits already", "fork twice", false},
		{"child that makes itself a daemon, reader that comes later", "fork twice", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr writes
			p := run(t, tt.role, &stderr)
			pid := next(p)
			end := make(chan string, 1)
			if tt.late {
				p.CloseInput()
				<-p.exited
				go func() { end <- next(p) }()
			} else {
				go func() { end <- next(p) }()
				runtime.Gosched()
				p.CloseInput()
			}
			select {
			case got := <-end:
				if want := os.ErrDeadlineExceeded.Error(); !strings.Contains(got, want) {
					t.Errorf("the end is %q, want %q", got, want)
				}
			case <-time.After(patience):
				t.Error("the output does not end")
				p.Interrupt()
			}
			finish(t, p, soon) // though it holds standard error open, too
			n, _ := strconv.Atoi(pid)
			syscall.Kill(n, syscall.SIGKILL)
		})
	}
}

// The thread that started the child must live as long as the child does.
//
// req: P16
func TestChildOutlivesOtherThreads(t *testing.T) {
	p := run(t, "echo", nil)
	buf := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if state, _, _ := strings.Cut(stack, "\n"); strings.Contains(stack, ".(*Process).run(") && !strings.Contains(state, "locked to thread") {
			t.Errorf("the waiter has no thread of its own: %s", state)
		}
	}
	for range 50 {
		<-start(func() { runtime.LockOSThread() }) // ends a thread
	}
	p.Input().Write([]byte(`{"jsonrpc":"2.0","method":"notifications/alive"}` + "\n"))
	if got := next(p); got != "alive" {
		t.Errorf("read %q, want alive", got)
	}
	finish(t, p, patience)
}
