//go:build unix || windows

package child

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
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
	p, err := Start(Spec{Path: exe, Env: env(tied), Grace: time.Second, Go: start})
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
	for end := time.Now().Add(patience); runs(n); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("process %s is left", pid)
			if p, err := os.FindProcess(n); err == nil {
				p.Kill()
			}
			return
		}
	}
}

// soon is a time that is over before a child has done anything.
const soon = 50 * time.Millisecond

// req: P16
func TestStopKills(t *testing.T) {
	p := run(t, "stubborn", nil)
	next(p)
	finish(t, p, soon)
	if got, want := p.Exit(), killed(true); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
}

// req: P16
func TestKillEndsTheTreeAtOnce(t *testing.T) {
	p := run(t, "launch one that is stubborn", nil)
	pid := next(p)
	p.Kill()
	gone(t, pid)
	finish(t, p, patience)
	if got, want := p.Exit(), killed(false); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
	other := run(t, "echo", nil)
	defer finish(t, other, patience)
	p.tree = other.tree // as if the number of the group were given to another one
	p.Kill()
	other.Input().Write([]byte(`{"jsonrpc":"2.0","method":"notifications/alive"}` + "\n"))
	if got := next(other); got != "alive" {
		t.Errorf("read %q, want alive: Kill after Stop hit another child", got)
	}
}

// req: P16
func TestStopEndsGrandchildren(t *testing.T) {
	for _, r := range []string{"leave a grandchild", "launch and wait", "launch one that is stubborn"} {
		t.Run(r, func(t *testing.T) {
			p := run(t, r, nil)
			pid := next(p)
			finish(t, p, soon)
			gone(t, pid)
		})
	}
}

// What the system ties to the bridge ends when that is killed: the child on Linux, its
// whole tree on Windows.
//
// req: P16
func TestChildDiesWithTheBridge(t *testing.T) {
	if tied == "" {
		t.Skip("this system ties no child to its parent")
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
