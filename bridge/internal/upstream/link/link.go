// Package link speaks to a server over a stream: a pipe to a server in this
// process, or a connection.
package link

import (
	"errors"
	"io"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A Link is one stream to a server. It closes the stream once.
type Link struct {
	*jsonrpc.Reader
	stream io.ReadWriteCloser
	over   chan struct{} // closed when the server has ended its output
	done   sync.Once
	shut   sync.Once
}

// New returns a Link over stream, whose lines are read as lines says.
func New(stream io.ReadWriteCloser, lines *jsonrpc.ReaderOptions) *Link {
	l := &Link{stream: stream, over: make(chan struct{})}
	l.Reader = jsonrpc.NewReader(output{l}, lines)
	return l
}

// output is what the server writes.
type output struct{ l *Link }

func (o output) Read(p []byte) (int, error) {
	n, err := o.l.stream.Read(p)
	if err != nil {
		o.l.done.Do(func() { close(o.l.over) })
	}
	return n, err
}

// input is where lines to the server are written. A Write that blocks is ended by a
// deadline, if the stream has them, else by the end of the stream.
type input struct{ l *Link }

func (i input) Write(p []byte) (int, error) { return i.l.stream.Write(p) }

func (i input) SetWriteDeadline(t time.Time) error {
	d, ok := i.l.stream.(interface{ SetWriteDeadline(time.Time) error })
	if !ok {
		return errors.ErrUnsupported
	}
	return d.SetWriteDeadline(t)
}

func (i input) Close() error {
	i.l.Interrupt()
	return nil
}

// Input is where lines to the server are written.
func (l *Link) Input() io.Writer { return input{l} }

// CloseInput tells the server that nothing more comes. A stream that cannot be
// closed in one direction is closed whole.
func (l *Link) CloseInput() {
	half, ok := l.stream.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		l.Interrupt()
	}
}

// Stop closes the stream once the server has ended its output, or after grace.
func (l *Link) Stop(grace time.Duration) {
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-l.over:
	case <-t.C:
	}
	l.Interrupt()
}

// Interrupt closes the stream, so that a blocked Read returns.
func (l *Link) Interrupt() { l.shut.Do(func() { l.stream.Close() }) }

// Close closes the stream.
func (l *Link) Close() { l.Interrupt() }
