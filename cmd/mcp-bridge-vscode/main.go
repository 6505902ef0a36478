// Command mcp-bridge-vscode connects an editor that speaks MCP 2025-11-25 to a
// server that speaks MCP 2026-07-28. Its --help says how.
package main

import (
	"context"
	"os"

	"github.com/trestle-mcp/trestle/cmd/internal/app"
)

func main() {
	ctx, stop := app.Lifetime(context.Background())
	err := app.Run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(app.ExitCode(err))
}
