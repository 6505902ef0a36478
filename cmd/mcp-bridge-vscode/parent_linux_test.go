package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// adopt makes this process the parent of those whose own has ended.
func adopt(t *testing.T, on uintptr) {
	t.Helper()
	const setChildSubreaper = 36
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, on, 0); errno != 0 {
		t.Fatal(errno)
	}
}

// The bridge ends in order when the process that started it is killed, though others
// hold its input and its output open.
//
// req: P19
func TestEndOfTheParent(t *testing.T) {
	adopt(t, 1)
	defer adopt(t, 0)
	in, toBridge, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer toBridge.Close()
	fromBridge, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer fromBridge.Close()
	file := filepath.Join(t.TempDir(), "pid")
	log := filepath.Join(t.TempDir(), "log")
	parent := exec.Command("sh", "-c", `mcp-bridge-vscode -- demo <&3 2>"$LOG" & echo $! >"$PID"; wait`)
	parent.Env = append(os.Environ(), "PID="+file, "LOG="+log, "GORACE=atexit_sleep_ms=0")
	parent.ExtraFiles = []*os.File{in}
	parent.Stdout = out
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	ping(t, toBridge, bufio.NewReader(fromBridge)) // so it watches its parent
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()

	late := time.AfterFunc(patience, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	defer late.Stop()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if !status.Exited() || status.ExitStatus() != 0 {
		t.Errorf("the bridge has ended with status %#x, want exit code 0", status)
	}
	said, err := os.ReadFile(log)
	if want := "mcp-bridge-vscode: INFO the process that started the bridge has ended, which ends the session\n"; err != nil || !strings.HasPrefix(string(said), want) {
		t.Errorf("log = %q, %v; want it to begin with %q", said, err, want)
	}
}

// A thread of the parent that ends is not its end, though it is the one that started
// the bridge.
//
// req: P19
func TestEndOfAThreadOfTheParent(t *testing.T) {
	cmd := exec.Command("mcp-bridge-vscode", "--", "demo")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		started <- cmd.Start()
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for range 50 {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			runtime.LockOSThread()
		}()
		<-ended
		ping(t, in, lines)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the bridge has ended with %v, want exit code 0", err)
	}
}
