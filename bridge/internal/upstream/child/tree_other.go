//go:build !unix && !windows

package child

import (
	"errors"
	"os"
	"syscall"
)

// canEnd says that the processes of a child cannot be ended on this system, so none
// is started.
const canEnd = false

const batches = true

type tree struct{}

func attributes() *syscall.SysProcAttr { return nil }

func (t *tree) adopt(*os.Process) error { return errors.ErrUnsupported }

func (t *tree) terminate()  {}
func (t *tree) kill()       {}
func (t *tree) alive() bool { return false }
func (t *tree) release()    {}

func resolve(path string) (string, error) { return path, nil }

func notExecutable(error) bool     { return false }
func exitOf(*os.ProcessState) Exit { return Exit{} }
