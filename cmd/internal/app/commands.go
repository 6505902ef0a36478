package app

import (
	"context"

	"github.com/peterbourgon/ff/v4"
)

// commands returns the command tree: the root, which bridges, and the subcommands.
// server is the command line after "--", nil if there is none. Usage of a command
// names the one whose --help shows how it is used.
func (p *process) commands(server []string) *ff.Command {
	root := p.bridgeCommand(server)
	root.Subcommands = []*ff.Command{
		p.demoCommand(server), p.logoutCommand(server), p.statusCommand(server), p.checkCommand(server),
	}
	return root
}

// bridgeCommand connects the editor and a server.
func (p *process) bridgeCommand(server []string) *ff.Command {
	set := defaults()
	version := false
	fs := set.flags(name)
	addSwitch(fs, "version", &version)
	return &ff.Command{
		Name: name, Usage: name, LongHelp: rootHelp, Flags: fs,
		Exec: func(ctx context.Context, args []string) error {
			if version {
				return p.version()
			}
			if len(args) > 0 && (args[0] == "help" || args[0] == "version") {
				return &usageError{text: args[0] + " is no command; write --" + args[0]}
			}
			server, err := p.readServer(fs, set, args, server)
			if err != nil {
				return err
			}
			return p.bridge(ctx, set, server)
		},
	}
}

// unfinished is a subcommand that is read and then refused, until it works. Check
// finds what is wrong with its command line.
func unfinished(fs *ff.FlagSet, instead string, check func(args []string) error) *ff.Command {
	text := fs.GetName() + " does not work yet; " + instead
	return &ff.Command{
		Name: fs.GetName(), Usage: name, LongHelp: text + "\n", Flags: fs,
		Exec: func(_ context.Context, args []string) error {
			if err := check(args); err != nil {
				return err
			}
			return &usageError{text: text}
		},
	}
}
