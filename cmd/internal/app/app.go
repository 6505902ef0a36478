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

	// loopbackHTTP lets authorization servers on this machine be reached over http. Nothing
	// that is shipped sets it (P11).
	loopbackHTTP bool
}

// Run does what args ask for and returns when it is done. It has told the person
// on stderr what went wrong before it returns an error; [ExitCode] gives the code
// to end the process with. env is that of this process, out of which the secrets are
// taken.
//
// The end of stdin, or of ctx, ends a session in order.
func Run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) error {
	return newProcess(env, stdin, stdout, stderr).run(ctx, args)
}

// RunLoopbackHTTP is [Run] for tests with authorization servers on this machine that speak
// http, as those of the official suite do. No binary that is shipped calls it (P11).
func RunLoopbackHTTP(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) error {
	p := newProcess(env, stdin, stdout, stderr)
	p.loopbackHTTP = true
	return p.run(ctx, args)
}

func newProcess(env []string, stdin io.Reader, stdout, stderr io.Writer) *process {
	forgetOwn(env)
	return &process{env: env, stdin: stdin, stdout: stdout, stderr: &lines{w: stderr}}
}

// run parses args and runs the command that they select. What follows the first
// "--" is the command line of a server: it is cut off before anything looks for
// options and subcommands.
func (p *process) run(ctx context.Context, args []string) error {
	own, server := splitArgs(args)
	root := p.commands(server)
	err := root.Parse(own)
	selected := root.GetSelected()
	assigned := checkAssigned(own, root)
	switch {
	case assigned != nil:
		err = assigned
	case errors.Is(err, ff.ErrHelp):
		return p.say(selected.LongHelp)
	case err != nil:
		err = parseError(err, own, root)
	default:
		err = runSelected(ctx, root)
	}
	if use, ok := errors.AsType[*usageError](err); ok {
		use.writeTo(p.stderr, selected.Usage)
	}
	return err
}

// say writes what was asked for.
func (p *process) say(text string) error {
	_, err := io.WriteString(p.stdout, text)
	return err
}

func runSelected(ctx context.Context, root *ff.Command) error {
	if err := checkInFront(root); err != nil {
		return err
	}
	return root.Run(ctx)
}
