package bridge

import (
	"errors"
	"io"
)

// A Front is the end that faces the client: [Stdio].
type Front interface {
	front()
	check() error
}

// Stdio serves one client on a pair of streams, one message a line.
//
// Run does not close the streams at the end of the input. Where it must end before
// the client does, it makes a blocked Read or Write return by a deadline
// (SetReadDeadline, SetWriteDeadline) or, of a stream that is not a file, by Close,
// if the value has such a method. A blocked Read of a file without deadlines, such
// as os.Stdin, cannot be made to return: its goroutine outlives Run.
type Stdio struct {
	In io.Reader

	// Out gets complete lines. If it is an [*os.File] of a pipe or a socket, then
	// on Linux, macOS and FreeBSD no write to it blocks, and the flags of its
	// descriptor are left alone.
	Out io.Writer
}

func (Stdio) front() {}

func (s Stdio) check() error {
	if s.In == nil || s.Out == nil {
		return errors.New("bridge: Stdio needs In and Out")
	}
	return nil
}
