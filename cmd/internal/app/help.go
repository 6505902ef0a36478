package app

// rootHelp fits one screen of 80 columns.
const rootHelp = `Connects an editor that speaks MCP 2025-11-25 on stdin and stdout to a server
that speaks MCP 2026-07-28: at a URL, or as a child process (after --).
  mcp-bridge-vscode [options] <url>
  mcp-bridge-vscode [options] -- <command> [args]
  mcp-bridge-vscode check [options] <url>   or -- <command>; says how it works
  mcp-bridge-vscode demo [--json]  show a session with both sides of the wire
Options [default]:
  --log-level LEVEL        error, warn, info or debug [info]
  --discover-timeout TIME  how long the server's first answer may take [60s]
  --max-line-bytes SIZE    longest line that is read [64MiB]
  --upstream-era ERA       auto or modern; older servers do not work yet [auto]
  --discover refuse        the editor's own server/discover is refused [refuse]
  --env-allow NAME         pass this and the basic variables only; repeatable
  --allow-batch-file       the command may be a batch file, on Windows
  --header NAME:VALUE, --header-env NAME=VARIABLE, --header-file FILE
                           headers for the URL; secrets from the last two
  --ca-file FILE           certificates in PEM that are trusted too
  --redirects WHICH        none, or same-origin [same-origin]
  --max-response-bytes SIZE, --connect-timeout TIME, --idle-timeout TIME
                           limits for the URL [64MiB, 30s, none at first]
  --version, --help        print the version, or this text, and exit
A TIME is 90s or 2m, or seconds; a SIZE is 512KiB or 64MiB, or bytes.
Exit code: 0 when the input has ended, 1 after a failure, 2 for wrong use.
`

const checkHelp = `Tries a server as an editor would, and says on stdout what a session with it is
like: revision, features, what had to be mended or left out, times, and the
result. It calls no tool. The report holds no secret, and of a URL the origin.

Usage:
  mcp-bridge-vscode check [options] <url>
  mcp-bridge-vscode check [options] -- <command> [args]

It has the options of mcp-bridge-vscode itself; see mcp-bridge-vscode --help.
Exit code: 0 if the result is ok, 1 if not, 2 for wrong use.
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
