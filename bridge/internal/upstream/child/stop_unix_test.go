//go:build unix

package child

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func init() { systemRoles["launcher"] = launcher }

// launcher starts a child as a bridge does, says its process id, and lives until it
// is killed.
func launcher() {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p, err := Start(Spec{Path: exe, Env: env("sleep"), Grace: time.Second, Go: start})
	if err != nil {
		panic(err)
	}
	fmt.Println(next(p))
	io.Copy(io.Discard, os.Stdin)
	time.Sleep(patience)
}

// gone waits until the process pid is no more.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatalf("process id: %v", err)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		if err := syscall.Kill(n, 0); err == syscall.ESRCH || zombie(n) {
			return
		}
	}
	t.Errorf("process %s is left", pid)
	syscall.Kill(n, syscall.SIGKILL)
}

// zombie reports whether process n has ended and nobody has asked for its status:
// in a container nobody may.
func zombie(n int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n))
	if err != nil {
		return false
	}
	return strings.Contains(string(b), "\nState:\tZ")
}

// writes is a log that nobody reads.
type writes struct{ n int }

func (w *writes) Write(p []byte) (int, error) { w.n++; return len(p), nil }

// req: P16
func TestStopAsksAfterTheGrace(t *testing.T) {
	p := run(t, "polite", nil)
	next(p)
	begun := time.Now()
	finish(t, p, 200*time.Millisecond)
	if got, want := p.Exit(), (Exit{Status: 7, Forced: true}); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
	if took := time.Since(begun); took < 200*time.Millisecond {
		t.Errorf("SIGTERM came after %v, before the grace was over", took)
	}
}

// req: P16
func TestStopKillsAfterTwiceTheGrace(t *testing.T) {
	p := run(t, "stubborn", nil)
	next(p)
	begun := time.Now()
	finish(t, p, 200*time.Millisecond)
	if got, want := p.Exit(), (Exit{Signal: "SIGKILL", Forced: true}); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
	if took := time.Since(begun); took < 400*time.Millisecond {
		t.Errorf("SIGKILL came after %v, before twice the grace was over", took)
	}
}

// req: P16
func TestStopEndsGrandchildren(t *testing.T) {
	for _, r := range []string{"leave a grandchild", "launch and wait"} {
		t.Run(r, func(t *testing.T) {
			p := run(t, r, nil)
			pid := next(p)
			finish(t, p, 100*time.Millisecond)
			gone(t, pid)
		})
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
	finish(t, p, 2*time.Second) // a busy machine takes its time between the two signals
	if got, want := <-asked, "asked"; got != want {
		t.Errorf("the grandchild says %q, want %q", got, want)
	}
}

// A grandchild that left the group is not ended, but nobody waits for it: neither who
// reads already when the child exits nor who comes later.
func TestGrandchildOutsideHoldsNothingUp(t *testing.T) {
	for name, late := range map[string]bool{"reader that waits already": false, "reader that comes later": true} {
		t.Run(name, func(t *testing.T) {
			var stderr writes
			p := run(t, "leave a grandchild outside", &stderr)
			pid := next(p)
			end := make(chan string, 1)
			if late {
				p.CloseInput()
				<-p.Exited()
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
			finish(t, p, 100*time.Millisecond) // though it holds standard error open, too
			n, _ := strconv.Atoi(pid)
			syscall.Kill(n, syscall.SIGKILL)
		})
	}
}

// req: P16
func TestChildDiesWithTheBridge(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can tie a child to its parent")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = env("launcher")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	pid := lines.Text()
	cmd.Process.Kill()
	cmd.Wait()
	gone(t, pid)
}

// The thread that started the child must live as long as the child does.
func TestChildOutlivesOtherThreads(t *testing.T) {
	p := run(t, "echo", nil)
	for range 50 {
		<-start(func() { runtime.LockOSThread() }) // ends a thread
	}
	p.Input().Write([]byte(`{"jsonrpc":"2.0","method":"notifications/alive"}` + "\n"))
	if got := next(p); got != "alive" {
		t.Errorf("read %q, want alive", got)
	}
	finish(t, p, patience)
}
