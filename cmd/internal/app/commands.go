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
	version, signInHelp := false, false
	fs := set.flags(name)
	addSwitch(fs, "version", &version)
	addSwitch(fs, "help-sign-in", &signInHelp)
	return &ff.Command{
		Name: name, Usage: name, LongHelp: rootHelp, Flags: fs,
		Exec: func(ctx context.Context, args []string) error {
			switch {
			case version:
				return p.version()
			case signInHelp:
				return p.say(helpSignIn)
			}
			if len(args) > 0 {
				if err := checkWord(args[0]); err != nil {
					return err
				}
			}
			server, err := p.readServer(fs, set, args, server)
			if err != nil {
				return err
			}
			return p.bridge(ctx, set, server)
		},
	}
}

// checkWord refuses what people write for a command that there is not.
func checkWord(word string) error {
	switch word {
	case "help", "version":
		return &usageError{text: word + " is no command; write --" + word}
	case "login", "signin", "sign-in":
		return &usageError{text: word + " is no command; the bridge signs in when it starts, and check <url> does so now"}
	}
	return nil
}
