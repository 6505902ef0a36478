// Package link speaks to a server over a stream: a pipe to a server in this
// process, or a connection.
package link

import (
	"io"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// maxDepth is the nesting that a line of the server may have.
const maxDepth = 512 // levels

// A Link is one stream to a server.
type Link struct {
	*jsonrpc.Reader
	stream io.ReadWriteCloser
	over   chan struct{} // closed by Over
	done   sync.Once
	shut   sync.Once
}

// New returns a Link over stream, with lines of at most maxLine bytes.
func New(stream io.ReadWriteCloser, maxLine int) *Link {
	return &Link{
		Reader: jsonrpc.NewReader(stream, &jsonrpc.ReaderOptions{
			MaxLine:             maxLine,
			MaxDepth:            maxDepth,
			Members:             mcpwire.Members(),
			AllowLoneSurrogates: true,
		}),
		stream: stream,
		over:   make(chan struct{}),
	}
}

// Input is where lines to the server are written.
func (l *Link) Input() io.Writer { return l.stream }

// CloseInput tells the server that nothing more comes. A stream that cannot be
// closed in one direction is closed whole.
func (l *Link) CloseInput() {
	half, ok := l.stream.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		l.Interrupt()
	}
}

// Over says that Read has returned an error: the server has ended its output.
func (l *Link) Over() { l.done.Do(func() { close(l.over) }) }

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
