package child

import (
	"errors"
	"io/fs"
	"os/exec"
)

// A Reason says why a child could not be started.
type Reason uint8

// The reasons.
const (
	Other Reason = iota
	NotFound
	NotExecutable
	Batch // a batch file, which Windows would give to its shell
)

// A StartError says that a child could not be started. It holds nothing of the
// system's error, which can hold the command line.
type StartError struct {
	Reason Reason
}

// Error returns a constant text, which also says what a person can do.
func (e *StartError) Error() string {
	switch e.Reason {
	case NotFound:
		return "its command was not found; check the name, and that PATH leads to it"
	case NotExecutable:
		return "its command is no program that may be run; check its permissions and its first line"
	case Batch:
		return "its command is a batch file, which is not run without a shell; give the program that it starts"
	}
	return "the system refused; run the command in a terminal to see why"
}

// startError classifies err.
func startError(err error) *StartError {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot), errors.Is(err, fs.ErrNotExist):
		return &StartError{Reason: NotFound}
	case errors.Is(err, fs.ErrPermission), notExecutable(err):
		return &StartError{Reason: NotExecutable}
	}
	return &StartError{Reason: Other}
}

// An Exit says how a child has ended.
type Exit struct {
	Status int    // exit status, if Signal is empty
	Signal string // the name of the signal that ended it
}
