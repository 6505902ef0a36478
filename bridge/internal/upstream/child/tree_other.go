//go:build !unix && !windows

package child

import (
	"errors"
	"os"
	"syscall"
)

// A tree cannot be ended on this system, so no child is started.
type tree struct{}

func attributes() *syscall.SysProcAttr { return nil }

func (t *tree) adopt(*os.Process) error { return errors.ErrUnsupported }

func (t *tree) terminate()  {}
func (t *tree) kill()       {}
func (t *tree) alive() bool { return false }
func (t *tree) release()    {}

func isBatch(string) bool          { return false }
func notExecutable(error) bool     { return false }
func exitOf(*os.ProcessState) Exit { return Exit{} }
