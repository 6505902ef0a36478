// Package app is the command line of the bridge: it reads options and subcommands,
// runs what they ask for, and tells the exit code.
//
// Everything the process has comes in as a parameter, so tests run the code that
// the binary runs.
package app

import (
	"context"
	"errors"
	"io"

	"github.com/peterbourgon/ff/v4"
)

// name is the name of the binary and the tag of every line on stderr.
const name = "mcp-bridge-vscode"

// A process is what the operating system gives a command.
type process struct {
	env            []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// Run does what args ask for and returns when it is done. It has told the person
// on stderr what went wrong before it returns an error; [ExitCode] gives the code
// to end the process with.
//
// The end of stdin, or of ctx, ends a session in order.
func Run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) error {
	p := &process{env: env, stdin: stdin, stdout: stdout, stderr: stderr}
	err := p.run(ctx, args)
	if use, ok := errors.AsType[*usageError](err); ok {
		use.writeTo(stderr)
	}
	return err
}

// run parses args and runs the command that they select. What follows the first
// "--" is the command line of a server: it is cut off before anything looks for
// options and subcommands.
func (p *process) run(ctx context.Context, args []string) error {
	own, server := splitArgs(args)
	root, sub := p.commands(server)
	err := root.Parse(own)
	switch {
	case errors.Is(err, ff.ErrHelp):
		return p.help(root.GetSelected())
	case err != nil:
		return parseError(err, own, root, sub)
	}
	return root.Run(ctx)
}
