package bridge

import (
	"errors"
	"io"
)

// An Upstream is the end that faces the server: [Command] or [Link].
type Upstream interface {
	upstream()
	check() error
}

// Command starts a server as a child process and speaks to it over its standard
// streams.
//
// There is no shell: Path is the name of one program, with spaces and all, and
// Args reach it as they are. The child leads a process group of its own (on
// Windows, a job), which is ended with it. On Linux the child is killed when this
// process dies; on Windows the whole job is.
//
// What remains: a process that left the group of the child, or that ignores the
// end of its input after its launcher was killed, is not found; on macOS, when
// this process is killed, the child only sees the end of its input.
type Command struct {
	Path string   // looked up in PATH if it has no separator
	Args []string // without the name of the program

	// Env is the environment, in the form of os.Environ. If nil, it is that of
	// this process.
	Env []string

	// Stderr gets what the child writes to its standard error: one Write for each
	// line, with a prefix, cut at 8 KiB, control characters escaped. If nil, it is
	// dropped.
	Stderr io.Writer
}

// Link speaks to a server in this process, or to one that somebody else started,
// over a stream. Run closes the stream; Close must make a blocked Read and Write
// return. If the stream has a method CloseWrite, that is called first, so that the
// server can still answer.
type Link struct {
	Stream io.ReadWriteCloser
}

func (Command) upstream() {}
func (Link) upstream()    {}

func (c Command) check() error {
	if c.Path == "" {
		return errors.New("bridge: Command needs a Path")
	}
	return nil
}

func (l Link) check() error {
	if l.Stream == nil {
		return errors.New("bridge: Link needs a Stream")
	}
	return nil
}
