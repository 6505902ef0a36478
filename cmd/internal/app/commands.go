package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/cmd/internal/demo"
)

// commands returns the command tree: the root, which bridges, and its one
// subcommand. server is the command line after "--", nil if there is none.
func (p *process) commands(server []string) (root, sub *ff.Command) {
	set := defaults()
	show := &demo.Options{}

	sub = &ff.Command{Name: "demo", Flags: ff.NewFlagSet("demo")}
	addSwitch(sub.Flags.(*ff.FlagSet), "json", &show.JSON)
	root = &ff.Command{Name: name, Flags: set.flags(), Subcommands: []*ff.Command{sub}}

	sub.Exec = func(ctx context.Context, args []string) error {
		if err := checkDemo(root.Flags, args, server); err != nil {
			return err
		}
		return p.demo(ctx, show)
	}
	root.Exec = func(ctx context.Context, args []string) error {
		if set.version {
			return p.version()
		}
		if err := checkServer(args, server); err != nil {
			return err
		}
		return p.bridge(ctx, set, server)
	}
	return root, sub
}

// checkServer refuses a command line that names no server, or not one that can be
// reached. It does not repeat an argument: it may hold a key.
func checkServer(args, server []string) error {
	switch {
	case len(args) > 0 && (args[0] == "help" || args[0] == "version"):
		return &usageError{text: args[0] + " is no command; write --" + args[0]}
	case len(args) > 0 && isURL(args[0]):
		return &usageError{text: "servers at a URL do not work yet; give the command of a server after --"}
	case len(args) > 0:
		return &usageError{text: "unexpected argument; the command of the server stands after --"}
	case server == nil:
		return &usageError{text: "no server; give its command after --"}
	case len(server) == 0 || server[0] == "":
		return &usageError{text: "no command after --"}
	}
	return nil
}

func isURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// checkDemo refuses what demo has no use for.
func checkDemo(rootFlags ff.Flags, args, server []string) error {
	const command = "demo"
	if server != nil {
		return &usageError{command: command, text: "demo takes no server; to start a server named demo, write -- demo"}
	}
	if len(args) > 0 {
		return &usageError{command: command, text: "demo takes no argument"}
	}
	return rootFlags.WalkFlags(func(f ff.Flag) error {
		if f.IsSet() {
			long, _ := f.GetLongName()
			return &usageError{command: command, option: "--" + long, text: "has no effect on demo"}
		}
		return nil
	})
}

func (p *process) help(cmd *ff.Command) error {
	text := rootHelp
	if cmd.Name == "demo" {
		text = demoHelp
	}
	_, err := fmt.Fprint(p.stdout, text)
	return err
}
