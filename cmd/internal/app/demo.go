package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/cmd/internal/demo"
)

// demoCommand shows a session of a scripted editor with a scripted server.
func (p *process) demoCommand(server []string) *ff.Command {
	const command = "demo"
	o := &demo.Options{}
	fs := ff.NewFlagSet(command)
	addSwitch(fs, "json", &o.JSON)
	return &ff.Command{
		Name: command, Usage: name + " " + command, LongHelp: demoHelp, Flags: fs,
		Exec: func(ctx context.Context, args []string) error {
			if err := checkAlone(command, args, server); err != nil {
				return err
			}
			return p.demo(ctx, o)
		},
	}
}

// demo shows a session on stdout.
func (p *process) demo(ctx context.Context, o *demo.Options) error {
	if f, ok := p.stdout.(*os.File); ok {
		width, terminal := terminalWidth(f)
		o.Width = width
		o.Color = terminal && !isSet(p.env, "NO_COLOR")
	}
	err := demo.Run(ctx, p.stdout, o)
	if err != nil && !errors.Is(err, syscall.EPIPE) { // a pager that was left needs no message
		for line := range strings.Lines(err.Error() + "\n") {
			fmt.Fprintf(p.stderr, "%s: ERROR %s", name, line)
		}
	}
	return err
}
