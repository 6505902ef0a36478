package app

import (
	"cmp"
	"context"
	"errors"
	"log"
	"log/slog"
	"os"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/cmd/internal/check"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// bridge runs one session of the editor on stdin and stdout with the server.
func (p *process) bridge(ctx context.Context, set *settings, server *target) error {
	logger := bridge.NewLog(p.stderr, set.logLevel)
	log.SetFlags(0)
	log.SetOutput(libraryLog(logger))

	store := p.openAccess(ctx, server, logger)
	err := p.session(store.within(ctx), set, server, logger)
	return cmp.Or(store.end(), err)
}

// session runs the session within ctx.
func (p *process) session(ctx context.Context, set *settings, server *target, logger *slog.Logger) error {

	last := lastResortOf(ctx)
	dog := &watchdog{bite: func() { bite(logger, last.exit) }}
	in, stop := dog.watch(ctx, p.stdin)
	defer stop()
	defer sayEnding(ctx, logger)()
	if f, ok := p.stdin.(*os.File); ok && isTerminal(f) {
		logger.Info("waiting for an editor on stdin; " + name + " demo shows a session")
	}

	err := bridge.Run(ctx, bridge.Config{
		Front:    bridge.Stdio{In: in, Out: p.stdout},
		Upstream: p.upstream(set, server, last),
		Limits:   set.limits(),
		Profile:  mcpwire.VSCode,
		Eras:     set.era,
		Log:      logger,
	})
	logDefect(logger, err)
	return err
}

func (s *settings) limits() bridge.Limits {
	limits := bridge.Limits{Line: s.maxLineBytes}
	limits.Discover = s.discoverTimeout
	return limits
}

// upstream returns the server for the bridge. last ends its process in an emergency.
func (p *process) upstream(set *settings, server *target, last *lastResort) bridge.Upstream {
	if server.remote != nil {
		return server.remote
	}
	return bridge.Command{
		Path:       server.command[0],
		Args:       server.command[1:],
		Env:        childEnv(p.env, set.envAllow),
		Stderr:     p.stderr,
		AllowBatch: set.allowBatchFile,
		Started:    last.arm,
	}
}

// logDefect logs an error of bridge.Run that the bridge has not logged itself.
func logDefect(l *slog.Logger, err error) {
	if err != nil && !errors.Is(err, bridge.ErrUpstreamLost) && !errors.Is(err, check.ErrFailed) {
		l.Error("the session ended with an error of the bridge")
	}
}
