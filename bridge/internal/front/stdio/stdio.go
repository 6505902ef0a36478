// Package stdio reads the messages of a client from a stream.
package stdio

import (
	"io"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A Front reads one stream. Read blocks on nothing but the stream.
type Front struct {
	*jsonrpc.Reader
	in   io.Reader
	undo func() // of Interrupt
}

// New returns a Front that reads in, with lines of at most maxLine bytes and maxDepth
// levels.
func New(in io.Reader, maxLine, maxDepth int) *Front {
	return &Front{
		Reader: jsonrpc.NewReader(patient(in), &jsonrpc.ReaderOptions{
			MaxLine:  maxLine,
			MaxDepth: maxDepth,
			Members:  mcpwire.Members(),
			Batches:  true,
		}),
		in:   in,
		undo: func() {},
	}
}

// Interrupt makes a blocked Read return, and every later one. It reports false if
// nothing can do that to this stream: then whoever reads must not be waited for.
func (f *Front) Interrupt() (ok bool) {
	f.undo, ok = halt.Reads(f.in)
	return ok
}

// Restore undoes what Interrupt did to the stream, where that is possible. Nobody
// may be in Read.
func (f *Front) Restore() { f.undo() }
