package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/link"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// ErrServerRuns is the error of [ServeStdio] for a server that has not returned in
// time. Its goroutine is left behind.
var ErrServerRuns = errors.New("bridge: the server has not returned")

// A Server serves one client of revision 2026-07-28: it reads messages from in, one a
// line, and writes its own to out. It returns after the end of in, at the latest when
// ctx is done, which has the values of the context of [ServeStdio] but not its end. Both
// streams are closed when it has returned.
//
// in gives whole lines that are valid messages, of the limits in [ServeOptions], and no
// more requests at a time than are in these. What is written to out must be messages
// too: a line that is none goes nowhere, and neither does a request, which a server of
// that revision never sends. A Write waits while the client does not read.
type Server func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error

// ServeOptions are what [ServeStdio] needs to know. The zero ServeOptions are the
// defaults.
type ServeOptions struct {
	// Limits bound time and memory, on both paths. If the server has limits of its own,
	// Line, Depth, InFlight and Grace are to be those.
	Limits Limits

	// Profile says what a client of an older revision needs beyond the specification.
	// The zero Profile is strict.
	Profile mcpwire.Profile

	// MaxTokens is as in [Config].
	MaxTokens int

	// RefuseDiscover refuses a server/discover that comes before the first other request,
	// with the code -32601, for clients that send it and are then unable to initialize
	// the server. Else the server answers it.
	RefuseDiscover bool

	// Log is as in [Config].
	Log *slog.Logger
}

// ServeStdio serves one client of either era on in and out, as [Stdio] describes them,
// with a server of revision 2026-07-28 in this process. So a server that calls it, where
// it would have read os.Stdin, serves the editors of today too.
//
// The first request of the client selects the path, for good. One whose method is
// initialize selects that everything is translated, as by [Run]. Any other selects that
// lines pass as they are, but for the ids of requests; so does a line that is broken or
// nested too deeply, which is answered by its error. A notification, a response, a
// server/discover, a blank line and one that is too long select nothing; the last of
// them gets no answer, either. On both paths a request over the limit of those in flight
// is answered by an error at once, and out gets nothing but messages.
//
// At the end of in, or of ctx, requests of an older client are cancelled at once, those of
// a newer one after [Limits.Grace], and then the server reads the end of its input. The
// server has twice Limits.Grace in all to return; its context ends after the first. There
// is no other way to end a function: ServeStdio returns without it then, within twice
// Limits.Grace and two seconds. Nothing watches beyond that, and nothing ends the process.
//
// It returns nil at the end of in and of ctx, whatever the server returns then, or
// [ErrServerRuns] if that has not returned. If the server returns or closes out while the
// client is there, the error is [ErrUpstreamLost], or wraps that and the error of the
// server. There is another error for options that cannot work and for a defect of the
// bridge. A panic of the server is not recovered.
func ServeStdio(ctx context.Context, in io.Reader, out io.Writer, server Server, o ServeOptions) error {
	e := &embedded{ctx: ctx, server: server, refuse: o.RefuseDiscover}
	err := Run(ctx, Config{
		Front: Stdio{In: in, Out: out}, Upstream: e, Eras: mcpwire.ModernEra,
		Limits: o.Limits, Profile: o.Profile, MaxTokens: o.MaxTokens, Log: o.Log,
	})
	if e.served == nil {
		return err
	}
	switch result, returned := e.served.Returned(); {
	case err == nil && !returned:
		return ErrServerRuns
	case err == ErrUpstreamLost && result != nil:
		return fmt.Errorf("%w: %w", err, result)
	}
	return err
}

// embedded is the upstream of [ServeStdio].
type embedded struct {
	ctx    context.Context
	server Server
	refuse bool // server/discover before the selection
	served *link.Served
}

func (e *embedded) check() error {
	if e.server == nil {
		return errors.New("bridge: ServeStdio needs a server")
	}
	return nil
}

func (e *embedded) connect(sc *session.Config, limits Limits) {
	sc.Wire.Selection = &mcpwire.Selection{RefuseDiscover: e.refuse, Grace: limits.Grace}
	e.served = link.Serve(e.ctx, e.server, serverLines(limits))
	sc.Upstream = session.NewLined(e.served, lined(limits, session.LinedOptions{Gone: mcpwire.CauseUpstreamClosed}))
	sc.Exit = func() session.Exit {
		_, returned := e.served.Returned()
		return session.Exit{Forced: !returned}
	}
}
