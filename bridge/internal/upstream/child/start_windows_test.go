package child

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

func startErrors(write func(name, text string, mode os.FileMode) string) []startErrorCase {
	return []startErrorCase{
		{"no such program in PATH", "no-such-program-of-trestle", NotFound},
		{"no such file", `C:\no\such\file.exe`, NotFound},
		{"batch file", write("x.cmd", "echo x", 0o755), Batch},
		{"batch file by another name", write("y.BAT", "echo x", 0o755), Batch},
		{"batch file whose extension the system adds", strings.TrimSuffix(write("wrapper.cmd", "echo x", 0o755), ".cmd"), Batch},
		{"batch file with a dot behind", write("v.cmd", "echo x", 0o755) + ".", Batch},
		{"batch file with a blank behind", write("u.cmd", "echo x", 0o755) + " ", Batch},
		{"batch file with blanks and dots behind", write("t.cmd", "echo x", 0o755) + " . .", Batch},
	}
}

func grandchildAttributes(string) *syscall.SysProcAttr { return nil }

// pipeful is a number of messages that a pipe of this system holds, which has 4 KiB;
// stderrful is a number of bytes.
const (
	pipeful   = 50
	stderrful = 3 << 10
)

// place copies the test binary to another name in a folder of its own: a link to a
// program that runs could not be removed.
func place(t *testing.T, name string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	text, err := os.ReadFile(exe)
	if err == nil {
		err = os.WriteFile(path, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// req: P14
func TestBatchFileInPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "wrapper.BAT"), []byte("@echo %1>&2\r\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+";"+os.Getenv("PATH"))
	t.Setenv("PATHEXT", ".COM;.EXE;.BAT;.CMD")
	for _, tt := range []struct {
		name  string
		allow bool
		arg   string
		want  Reason // reasons: it runs
	}{
		{"not allowed", false, "text", Batch},
		{"allowed", true, "text", reasons},
		{"allowed, with a blank", true, "a text", reasons},
		{"allowed, with a sign of the shell", true, "x&calc", BatchArgument},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr bytes.Buffer
			p, err := Start(Spec{
				Path: "wrapper", Args: []string{tt.arg}, AllowBatch: tt.allow,
				Stderr: &stderr, Tag: "tag", Grace: time.Second, Go: start,
			})
			if tt.want != reasons {
				if bad, ok := err.(*StartError); !ok || bad.Reason != tt.want {
					t.Fatalf("Start = %v, want reason %d", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatalf("Start = %v", err)
			}
			p.lastLook = patience
			finish(t, p, patience)
			if got := stderr.String(); !strings.Contains(got, tt.arg) {
				t.Errorf("the batch file says %q, want %q", got, tt.arg)
			}
		})
	}
}

// runs reports whether the process runs.
func runs(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	state, err := windows.WaitForSingleObject(h, 0)
	return err != nil || state == uint32(windows.WAIT_TIMEOUT)
}

// killed is the exit of a child that was killed.
func killed(forced bool) Exit { return Exit{Status: 1, Forced: forced} }

// tied is the role of a child whose first message names a process that ends with this
// one: here all that the child has started does.
const tied = "launch and wait"
