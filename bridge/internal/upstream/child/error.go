package child

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

// A Reason says why a child could not be started.
type Reason uint8

// The reasons.
const (
	Other Reason = iota
	NotFound
	NotExecutable
	Interpreter   // the program is there, but not what the system runs it with
	Batch         // a batch file, which Windows gives to its shell
	BatchArgument // an argument of it, or its path, which that shell would read

	// NotFound, and what was given shows why.
	URL   // the address of a server
	Blank // a command line
	Tilde // a path that only a shell expands

	reasons // is how many there are
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
	case URL:
		return "its command is a URL; give it without the -- before it"
	case Blank:
		return "its command was not found; a command with blanks is the name of one program, give each argument separately"
	case Tilde:
		return "its command was not found; ~ is not expanded, give the whole path"
	case NotExecutable:
		return "its command is no program that may be run; check its permissions and its first line"
	case Batch:
		return "its command is a batch file, which only a shell can run; give the program that it starts, or allow it with --allow-batch-file"
	case BatchArgument:
		return `its command is a batch file, and an argument or the path holds one of "%^&|<>, which its shell would not leave as it is; give the program that it starts`
	case Interpreter:
		return "its command is there, but not the program that it needs to run; check its first line, and that it does not end with a carriage return"
	}
	return "the system refused; run the command in a terminal to see why"
}

// startError classifies err.
func (p *Process) startError(err error) *StartError {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot):
		return &StartError{Reason: notFound(p.spec.Path)}
	case errors.Is(err, fs.ErrNotExist):
		return &StartError{Reason: p.missing()}
	case errors.Is(err, fs.ErrPermission), notExecutable(err):
		return &StartError{Reason: NotExecutable}
	}
	return &StartError{Reason: Other}
}

// missing says what there is not, for a start that the system refused: it says the
// same of a program and of what runs it.
func (p *Process) missing() Reason {
	if _, err := os.Stat(p.cmd.Path); err == nil {
		return Interpreter
	}
	return notFound(p.spec.Path)
}

// notFound says why path leads to no program.
func notFound(path string) Reason {
	lower := strings.ToLower(path)
	switch {
	case strings.HasPrefix(lower, "https://"), strings.HasPrefix(lower, "http://"):
		return URL
	case strings.HasPrefix(path, "~/"), strings.HasPrefix(path, `~\`):
		return Tilde
	case strings.ContainsAny(path, " \t"):
		return Blank
	}
	return NotFound
}

// An Exit says how a child has ended.
type Exit struct {
	Status int    // exit status, if Signal is empty
	Signal string // the name of the signal that ended it
	Forced bool   // it did not end with its input: Stop had to end it
}
