//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// ping sends a request and checks its answer.
func ping(t *testing.T, in io.Writer, out *bufio.Reader) {
	t.Helper()
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	if got, err := out.ReadString('\n'); err != nil || got != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" {
		t.Fatalf("ping gave %q, %v", got, err)
	}
}

// Another process that has the same standard input makes it nonblocking, and that is
// not its end.
//
// req: P19
func TestInputThatAnotherProcessMakesNonblocking(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	in, toBridge := os.NewFile(uintptr(fds[0]), "in"), os.NewFile(uintptr(fds[1]), "to")
	defer in.Close()
	syscall.CloseOnExec(fds[1])
	cmd := exec.Command("mcp-bridge-vscode", "--", "demo")
	cmd.Stdin = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	ping(t, toBridge, lines) // so it has looked at the mode of its input
	if err := syscall.SetNonblock(fds[0], true); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ping(t, toBridge, lines)
	}
	toBridge.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the bridge has ended with %v, want exit code 0", err)
	}
}
