package child

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// Neither a child nor a start that goes wrong leaves a descriptor behind.
func TestDescriptorsAreGivenBack(t *testing.T) {
	empty := t.TempDir() + "/empty"
	if err := os.WriteFile(empty, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, once := range map[string]func(){
		"start that goes wrong": func() {
			if _, err := Start(Spec{Path: empty, Go: start}); err == nil {
				t.Fatal("Start succeeded")
			}
		},
		"child that ends": func() { finish(t, run(t, "exit 3", nil), patience) },
	} {
		t.Run(name, func(t *testing.T) {
			once()
			before := descriptors(t)
			for range 30 {
				once()
			}
			if after := descriptors(t); after > before+5 { // the runtime may open some
				t.Errorf("%d descriptors after 30 times, %d before", after, before)
			}
		})
	}
}

// A process that has ended, and whose status nobody asks for, does not count.
func TestZombiesAreNotWaitedFor(t *testing.T) {
	p := run(t, "launch and wait", nil)
	pid, err := strconv.Atoi(next(p))
	if err != nil {
		t.Fatal(err)
	}
	group := p.cmd.Process.Pid
	if onlyZombies(group) {
		t.Error("onlyZombies = true for a group that runs")
	}
	syscall.Kill(pid, syscall.SIGKILL)
	p.CloseInput()
	<-p.exited
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if !p.tree.alive() {
			break
		}
		if time.Now().After(end) {
			t.Fatal("a group without a process that runs is taken for alive")
		}
	}
	finish(t, p, patience)
}

func TestOnlyZombies(t *testing.T) {
	if onlyZombies(os.Getpid()) || onlyZombies(1<<30) {
		t.Error("onlyZombies = true for a group that has no process, or one that runs")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.StartProcess(exe, []string{exe}, &os.ProcAttr{
		Env: env("exit 3"), Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	group := tree{group: p.Pid}
	for end := time.Now().Add(patience); group.alive(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Error("a group whose one process has ended is taken for alive")
			break
		}
	}
	if !onlyZombies(p.Pid) {
		t.Error("onlyZombies = false for a process that nobody has asked for its status")
	}
	p.Wait()
}
