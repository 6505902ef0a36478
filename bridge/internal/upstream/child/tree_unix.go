//go:build unix

package child

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// batches says that this system has no batch files: a script of such a name is started
// as its first line says.
const batches = false

// canEnd says that the processes of a child can be ended on this system.
const canEnd = true

// A tree is the process group that the child leads. A process that left the group
// is not in it.
type tree struct {
	group int
}

func (t *tree) adopt(p *os.Process) error {
	t.group = p.Pid
	return nil
}

func (t *tree) terminate() { unix.Kill(-t.group, unix.SIGTERM) }
func (t *tree) kill()      { unix.Kill(-t.group, unix.SIGKILL) }
func (t *tree) release()   {}

// alive reports whether a process of the group still runs. The number of a group is
// not given to another one as long as it has a member.
func (t *tree) alive() bool { return unix.Kill(-t.group, 0) == nil && !onlyZombies(t.group) }

// resolve leaves path alone: what is started is what the name says.
func resolve(path string) (string, error) { return path, nil }

func notExecutable(err error) bool {
	return errors.Is(err, syscall.ENOEXEC) || errors.Is(err, syscall.EISDIR)
}

func exitOf(s *os.ProcessState) Exit {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Exit{Signal: unix.SignalName(ws.Signal())}
	}
	return Exit{Status: s.ExitCode()}
}
