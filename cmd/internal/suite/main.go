// Command suite is the bridge for the official conformance suite, whose authorization
// servers are on this machine and without TLS. It is not for people: that it signs in at
// such servers is the one difference to mcp-bridge-vscode.
package main

import (
	"context"
	"os"

	"github.com/trestle-mcp/trestle/cmd/internal/app"
)

func main() {
	ctx, stop := app.Lifetime(context.Background())
	err := app.RunLoopbackHTTP(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(app.ExitCode(err))
}
