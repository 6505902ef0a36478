package link

import (
	"context"
	"io"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A Served is a server that is a function of this process. It ends by returning.
type Served struct {
	*Link
	cancel   context.CancelFunc
	returned chan struct{} // closed when the function has returned
	err      error         // its result; set before returned is closed
}

// Serve calls serve in a goroutine, which is the server's own: a panic in it is not
// recovered. Its context has the values of ctx, and ends when [Served.Stop] has waited.
func Serve(ctx context.Context, serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error, lines *jsonrpc.ReaderOptions) *Served {
	toServer, in := jsonrpc.Pipe()
	fromServer, out := jsonrpc.Pipe()
	s := &Served{Link: New(ways{fromServer, toServer}, lines), returned: make(chan struct{})}
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.returned)
		defer in.Close()
		defer out.Close()
		s.err = serve(ctx, in, out)
	}()
	return s
}

// Stop waits for grace that the server returns, then it ends its context, and waits for
// as long again. What it has written can still be read. One that has not returned is
// left to itself.
func (s *Served) Stop(grace time.Duration) {
	if !halt.Within(s.returned, grace) {
		s.cancel()
		halt.Within(s.returned, grace)
	}
	s.cancel()
}

// Returned reports whether the server has returned, and with which error.
func (s *Served) Returned() (error, bool) {
	select {
	case <-s.returned:
		return s.err, true
	default:
		return nil, false
	}
}

// ways are the two directions of a stream, which can be closed one by one.
type ways struct{ in, out io.ReadWriteCloser }

func (w ways) Read(p []byte) (int, error) { return w.in.Read(p) }

func (w ways) Write(p []byte) (int, error) { return w.out.Write(p) }

func (w ways) CloseWrite() error { return w.out.Close() }

func (w ways) Close() error {
	w.out.Close()
	return w.in.Close()
}
