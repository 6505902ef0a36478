package app

import (
	"cmp"
	"context"
	"log"
	"net/url"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/cmd/internal/check"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// checkCommand tries a server and says what the bridge makes of it.
func (p *process) checkCommand(server []string) *ff.Command {
	const command = "check"
	set := defaults()
	fs := set.flags(command)
	return &ff.Command{
		Name: command, Usage: name, LongHelp: checkHelp, Flags: fs,
		Exec: func(ctx context.Context, args []string) error {
			target, err := p.readServer(fs, set, args, server)
			if err != nil {
				return err
			}
			return p.check(ctx, set, target)
		},
	}
}

// check writes the report to stdout.
func (p *process) check(ctx context.Context, set *settings, server *target) error {
	logger := bridge.NewLog(p.stderr, set.logLevel)
	log.SetFlags(0)
	log.SetOutput(libraryLog(logger))
	store := p.openAccess(ctx, server, logger)
	if _, err := store.wait(ctx); err != nil { // there is nothing to report without
		return store.end()
	}
	err := check.Run(ctx, p.stdout, &check.Options{
		Config: bridge.Config{
			Upstream: p.upstream(set, server, lastResortOf(ctx)),
			Limits:   set.limits(),
			Profile:  mcpwire.VSCode,
			Eras:     set.era,
			Log:      logger,
		},
		Origin: server.origin(),
		SignIn: func() string { return server.signedIn(ctx) },
	})
	logDefect(logger, err)
	return cmp.Or(store.end(), err)
}

// origin names the server without what its URL may hold: a path, or a key.
func (t *target) origin() string {
	if t.remote == nil {
		return "the command"
	}
	u, err := url.Parse(t.remote.URL.Expose())
	if err != nil {
		return "the URL"
	}
	return u.Scheme + "://" + u.Host
}

// signedIn says what let the session in. It is asked once there is one.
func (t *target) signedIn(ctx context.Context) string {
	if t.access == nil {
		return "not needed"
	}
	if t.access.shown.Load() {
		return "done now"
	}
	s := t.remote.SignIn
	kept, found, err := bridge.FindSignIn(ctx, s.Vault, s.Account, t.remote.URL.Expose())
	if err == nil && found && kept.Access {
		return "stored"
	}
	return "not needed"
}
