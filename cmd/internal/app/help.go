package app

// rootHelp fits one screen of 80 columns, as the others do.
const rootHelp = `Connects an editor that speaks MCP 2025-11-25 or older on stdin and stdout to a
server of any revision: at a URL, or as a child process (after --).
  mcp-bridge-vscode [options] <url>
  mcp-bridge-vscode [options] -- <command> [args]
  mcp-bridge-vscode check [options] <url>   or -- <command>; says how it works
  mcp-bridge-vscode status, logout or demo  have a --help of their own
Options [default]:
  --log-level LEVEL        error, warn, info or debug [info]
  --discover-timeout TIME  how long the server's first answer may take [60s]
  --max-line-bytes SIZE    longest line that is read [64MiB]
  --upstream-era ERA       of the server: auto, modern or legacy [auto]
  --discover refuse        the editor's own server/discover is refused [refuse]
  --env-allow NAME         pass this and the basic variables only; repeatable
  --allow-batch-file       the command may be a batch file, on Windows
  --header NAME:VALUE, --header-env NAME=VARIABLE, --header-file FILE
                           headers for the URL; secrets from the last two
  --ca-file FILE           certificates in PEM that are trusted too
  --redirects WHICH        none, or same-origin [same-origin]
  --max-response-bytes SIZE, --connect-timeout TIME, --idle-timeout TIME
                           limits for the URL [64MiB, 30s, none at first]
  --help-sign-in           print the options of a sign-in at a URL, and exit
  --version, --help        print the version, or this text, and exit
A TIME is 90s or 2m, or seconds; a SIZE is 512KiB or 64MiB, or bytes.
Exit code: 0 when the input has ended, 1 after a failure, 2 for wrong use.
`

const checkHelp = `Tries a server as an editor would, and says on stdout what a session with it is
like: revision, features, what had to be mended or left out, times, and the
result. It calls no tool. A server that wants a sign-in gets one, and the editor
needs none then. The report holds no secret, and of a URL the origin.

Usage:
  mcp-bridge-vscode check [options] <url>
  mcp-bridge-vscode check [options] -- <command> [args]

It has the options of mcp-bridge-vscode itself; see mcp-bridge-vscode --help
and --help-sign-in.
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

const helpSignIn = `A server at a URL may ask for a sign-in. Then the browser opens, and what comes
of it is kept: the next session needs none. With a header Authorization there is
no sign-in, and these options are refused.
Options [default]:
  --account LABEL            one of several accounts at a server
  --scope SCOPE              ask for this too; repeatable
  --no-browser               open nothing; the URL to open is on stderr
  --redirect-port PORT       where the browser comes back to [41894]
  --sign-in-timeout TIME     how long a sign-in may take, 10s to 1h [300s]
  --client-id ID             a client of yours, registered with the redirect URI
                             http://127.0.0.1:41894/callback; a secret of it is
                             in MCP_BRIDGE_CLIENT_SECRET
  --client-issuer URL        the authorization server to use, and the only one
                             that gets the secret
  --client-metadata-url URL  a document that is the client
  --resource URL, --no-resource-parameter
                             what a token is for; the second leaves that out
  --auth-private-host HOST   a host in a private network that may be asked
  --token-store STORE        auto, keychain, file or memory [auto]
  --token-dir DIR            where sign-ins are kept
  --token-key-file FILE      64 hex digits, the key of the store file; they may
                             also be in MCP_BRIDGE_TOKEN_KEY
`

const statusHelp = `Shows which sign-ins are kept, and where. It makes nothing, and holds no secret.

Usage:
  mcp-bridge-vscode status [--json] [options]

Options:
  --json                 print lines of JSON
  --account LABEL        only this account
  --token-store STORE    auto, keychain or file; auto shows all that are there
  --token-dir DIR, --token-key-file FILE
                         as for the bridge; see mcp-bridge-vscode --help-sign-in
  --log-level LEVEL      as for the bridge
  --help                 print this text and exit

Exit code: 0, or 1 if a store could not be read, 2 for wrong use.
`

const logoutHelp = `Deletes the sign-in at a server, or everything that the bridge keeps. No server
is asked. A session that is open keeps its token until that expires.

Usage:
  mcp-bridge-vscode logout [options] <url>
  mcp-bridge-vscode logout --all [options]

Options:
  --all                  everything, also what the bridge is known as at servers
  --account LABEL        the sign-in of this account
  --token-store STORE    auto, keychain or file; auto is all that are there
  --token-dir DIR, --token-key-file FILE
                         as for the bridge; see mcp-bridge-vscode --help-sign-in
  --log-level LEVEL      as for the bridge
  --help                 print this text and exit

Exit code: 0 also if there was nothing to delete, 1 if a store could not be
opened, 2 for wrong use.
`
