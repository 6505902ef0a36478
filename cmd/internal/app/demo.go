package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/trestle-mcp/trestle/cmd/internal/demo"
)

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

// isSet reports whether env has a variable of that name which is not empty.
func isSet(env []string, key string) bool {
	return slices.ContainsFunc(env, func(variable string) bool {
		value, ok := strings.CutPrefix(variable, key+"=")
		return ok && value != ""
	})
}
