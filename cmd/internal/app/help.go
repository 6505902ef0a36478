package app

// rootHelp fits one screen of 80 columns.
const rootHelp = `Connects an editor that speaks MCP 2025-11-25 on stdin and stdout to a server
that speaks MCP 2026-07-28 and runs as a child process.

Usage:
  mcp-bridge-vscode [options] -- <command> [args]
  mcp-bridge-vscode demo [--json]  show a session with both sides of the wire

What follows -- is the command line of the server, never an option.

Options [default]:
  --log-level LEVEL        error, warn, info or debug [info]
  --discover-timeout TIME  how long the server's first answer may take [60s]
  --max-line-bytes SIZE    longest message that is read, of either side [64MiB]
  --env-allow NAME         pass this and the basic variables only; repeatable
  --allow-batch-file       the command may be a batch file, on Windows
  --upstream-era ERA       auto or modern; older servers do not work yet [auto]
  --discover refuse        the editor's own server/discover is refused [refuse]
  --version                print the version and exit
  --help                   print this text and exit

A TIME is written as 90s or 2m; a bare number is seconds. A SIZE is written as
512KiB or 64MiB; a bare number is bytes. Logs go to stderr.
Exit code: 0 when the input has ended, 1 after a failure, 2 for wrong use.
`

const demoHelp = `Runs a session of an editor and a server through the bridge, in this process,
and shows what stands on the wire on both sides of the bridge.

Usage:
  mcp-bridge-vscode demo [--json]

Options:
  --json  print each step as one line of JSON
  --help  print this text and exit

The width is that of the terminal, but from 80 to 120 columns; in a pipe or a
file it is 100. Colour is used on a terminal only, and never if NO_COLOR is set.
Exit code: 0 if every frame is the expected one, 1 if not, 2 for wrong use.
`
