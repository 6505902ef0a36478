//go:build unix

package child

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func startErrors(write func(name, text string, mode os.FileMode) string) []startErrorCase {
	return []startErrorCase{
		{"no such program in PATH", "no-such-program-of-trestle", NotFound},
		{"no such file", "/no/such/file", NotFound},
		{"a command line is no program name", "sh -c true", Blank},
		{"a command line with a path", "/bin/sh -c true", Blank},
		{"the address of a server", "https://example.com/mcp", URL},
		{"the address of a server in capitals", "HTTP://LOCALHOST:3000", URL},
		{"a path in the home folder", "~/no such program", Tilde},
		{"interpreter of a script is missing", write("interpreter", "#!/no/such/interpreter\n", 0o755), Interpreter},
		{"interpreter of a script ends with a carriage return", write("crlf", "#!/bin/sh\r\n", 0o755), Interpreter},
		{"may not be run", write("data", "text", 0o644), NotExecutable},
		{"no known format", write("format", "text", 0o755), NotExecutable},
		{"folder", "/", NotExecutable},
	}
}

func grandchildAttributes(r string) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: r == "sleep outside"}
}

// pipeful is a number of messages that a pipe holds and one read does not take;
// stderrful is a number of bytes of such lines.
const (
	pipeful   = 1000
	stderrful = 60 << 10
)

// place gives the test binary another name in a folder of its own.
func place(t *testing.T, name string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.Link(exe, path); err != nil {
		t.Skipf("no link: %v", err)
	}
	return path
}

// runs reports whether the process runs. One that has ended, and whose status nobody
// asks for, does not: in a container nobody may.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err != nil || !strings.Contains(string(status), "\nState:\tZ")
}

// killed is the exit of a child that was killed.
func killed(forced bool) Exit { return Exit{Signal: "SIGKILL", Forced: forced} }
