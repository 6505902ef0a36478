package bridge

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/front/stdio"
	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/child"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/link"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// errDefect is the error of Run after a panic in one of its goroutines.
var errDefect = errors.New("bridge: stopped by a defect of the bridge")

// run runs a session for c, which was checked, in a goroutine that recovers.
func run(ctx context.Context, c *Config) error {
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	w := &workers{log: log, defect: make(chan struct{})}
	err := errDefect
	<-w.start(func() {
		err = session.New(parts(c, w)).Run(ctx)
	})
	switch err {
	case session.ErrLost:
		return ErrUpstreamLost
	case session.ErrDefect:
		return errDefect
	}
	return err
}

// parts builds the parts of a session for c.
func parts(c *Config, w *workers) session.Config {
	limits := c.Limits.withDefaults()
	front := c.Front.(Stdio)
	sc := session.Config{
		Wire:       mcpwire.Options{Profile: c.Profile, Limits: limits.Limits},
		Front:      stdio.New(front.In, limits.Line),
		Out:        front.Out,
		Grace:      limits.Grace,
		Backlog:    limits.Backlog,
		Untaken:    2*limits.Line + limits.Backlog,
		JunkBefore: limits.JunkBefore,
		Junk:       limits.Junk,
		Log:        w.log,
		Go:         w.start,
		Defect:     w.defect,
	}
	connect(&sc, c.Upstream, limits)
	return sc
}

// connect starts the upstream u for the session of sc.
func connect(sc *session.Config, u Upstream, limits Limits) {
	switch u := u.(type) {
	case Link:
		sc.Upstream = link.New(u.Stream, limits.Line)
		sc.Gone = mcpwire.CauseUpstreamClosed
		sc.Exit = func() []slog.Attr { return nil }
	case Command:
		p, err := child.Start(child.Spec{
			Path: u.Path, Args: u.Args, Env: u.Env, Stderr: u.Stderr,
			MaxLine: limits.Line, Grace: limits.Grace, Go: sc.Go,
		})
		if err != nil {
			sc.Refused = err
			return
		}
		sc.Upstream = p
		sc.Gone = mcpwire.CauseUpstreamExited
		sc.Exit = func() []slog.Attr { return exitAttrs(p.Exit()) }
	}
}

func exitAttrs(e child.Exit) []slog.Attr {
	if e.Signal != "" {
		return []slog.Attr{diag.Signal(e.Signal)}
	}
	return []slog.Attr{diag.Status(e.Status)}
}

// workers starts the goroutines of one Run. A panic in one of them becomes a line of
// the log and ends the session; whoever starts one waits for it.
type workers struct {
	log    *slog.Logger
	once   sync.Once
	defect chan struct{} // closed after the first panic
}

// start runs f in a goroutine. The channel is closed when it has ended.
func (w *workers) start(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer w.recover()
		f()
	}()
	return done
}

func (w *workers) recover() {
	if recover() == nil {
		return
	}
	diag.Recovered(w.log)
	w.once.Do(func() { close(w.defect) })
}
