//go:build unix

package reexec

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user who owns nothing.
const nobody = 65534

// Nobody reports whether the test runs as somebody who is not root. Under root it
// runs the test once more as nobody, in a process of its own, and reports false: then
// the test is over. Root may do everything, so what is forbidden is tried without it.
func Nobody(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	home := t.TempDir()
	openUp(t, home)
	self := copySelf(t, home)
	temp := filepath.Join(home, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(temp, nobody, nobody); err != nil {
		t.Skipf("no files can be given to another user: %v", err)
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+name+"$", "-test.v")
	cmd.Dir = temp
	cmd.Env = append(cmd.Environ(), "TMPDIR="+temp, "GORACE=atexit_sleep_ms=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skipf("no program can be run as another user: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+name) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
	return false
}

// openUp lets others pass through the directories of the test.
func openUp(t *testing.T, dir string) {
	t.Helper()
	for ; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// copySelf puts the test binary where others can run it.
func copySelf(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(dir, "self.test"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Name()
}
