package lock

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

// start starts a process of these tests and waits for its first word.
func start(t *testing.T, role string, args ...string) (cmd *exec.Cmd, stdin io.WriteCloser) {
	t.Helper()
	cmd = reexec.Command(t, role, args...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		_ = cmd.Wait()
		t.Fatalf("%s: %v: %s", role, err, &stderr)
	}
	return cmd, stdin
}

// path returns where the locks are.
func path(d *dir.Dir) string { return strings.TrimSuffix(d.Path("x"), "x") }

// patient is a context for what has to come to its end.
func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), reexec.Patience)
	t.Cleanup(cancel)
	return ctx
}

// Eight processes that count up one number lose nothing.
func TestThreat25Processes(t *testing.T) {
	d, _, _ := newPair(t)
	if err := d.Write("number", []byte("0")); err != nil {
		t.Fatal(err)
	}
	var all []*exec.Cmd
	for range adders {
		cmd := reexec.Command(t, "adder", path(d))
		cmd.Stderr = new(bytes.Buffer)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, cmd.Stderr)
		}
	}
	if got, err := d.Read("number"); err != nil || string(got) != strconv.Itoa(adders*additions) {
		t.Errorf("%s, %v, want %d", got, err, adders*additions)
	}
}

// A lock is free when its process is gone, whatever it was doing.
func TestThreat17LockOfAKilledProcess(t *testing.T) {
	d, l, _ := newPair(t)
	for range 20 {
		holder, _ := start(t, "holder", path(d))
		if err := holder.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		release, err := l.Stripe(patient(t), 7)
		if err != nil {
			t.Fatal(err)
		}
		release()
		_ = holder.Wait()
	}
}

// A child that was started under the lock does not keep it.
//
// req: V07
func TestThreat34LockIsNotInherited(t *testing.T) {
	d, l, _ := newPair(t)
	cmd, stdin := start(t, "parent", path(d)) // the word is its child's
	defer stdin.Close()                       // ends the child
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	release, err := l.Stripe(patient(t), 7)
	if err != nil {
		t.Fatal(err)
	}
	release()
}
