package app

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"os"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// bridge runs one session of the editor on stdin and stdout with the server.
func (p *process) bridge(ctx context.Context, set *settings, server []string) error {
	logger := bridge.NewLog(p.stderr, set.logLevel)
	log.SetFlags(0)
	log.SetOutput(libraryLog(logger))

	last := lastResortOf(ctx)
	dog := &watchdog{bite: func() { bite(logger, last.exit) }}
	in, stop := dog.watch(ctx, p.stdin)
	defer stop()
	defer sayEnding(ctx, logger)()
	if f, ok := p.stdin.(*os.File); ok && isTerminal(f) {
		logger.Info("waiting for an editor on stdin; " + name + " demo shows a session")
	}

	limits := bridge.Limits{Line: set.maxLineBytes}
	limits.Discover = set.discoverTimeout
	err := bridge.Run(ctx, bridge.Config{
		Front: bridge.Stdio{In: in, Out: p.stdout},
		Upstream: bridge.Command{
			Path:       server[0],
			Args:       server[1:],
			Env:        childEnv(p.env, set.envAllow),
			Stderr:     p.stderr,
			AllowBatch: set.allowBatchFile,
			Started:    last.arm,
		},
		Limits:  limits,
		Profile: mcpwire.VSCode,
		Log:     logger,
	})
	logDefect(logger, err)
	return err
}

// logDefect logs an error of bridge.Run that the bridge has not logged itself.
func logDefect(l *slog.Logger, err error) {
	if err != nil && !errors.Is(err, bridge.ErrUpstreamLost) {
		l.Error("the session ended with an error of the bridge")
	}
}
