// The program driver is the client that the official conformance suite starts: it
// starts a bridge, and plays an editor to it.
//
//	driver BRIDGE [ARG…] URL
//
// The suite adds the URL of the scenario's server, and names the scenario in
// MCP_CONFORMANCE_SCENARIO. The bridge has a home directory and a port for redirects of
// its own. The exit code is 0 and the last line "driver: done" if the session went as the
// scenario wants it, or a call failed that may; else the exit code is 1.
//
//	driver URL
//
// is the browser of that bridge: it opens the URL, and the exit code is 0 if a page came.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/drive"
)

// longest is less than the suite allows, since it waits for who holds its pipes.
const longest = 25 * time.Second

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: driver BRIDGE [ARG…] URL, or driver URL")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if len(os.Args) == 2 {
		finish(drive.Visit(ctx, os.Args[1]))
	}
	finish(run(ctx, os.Args[1:]))
}

// finish ends the process.
func finish(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "driver: done")
	os.Exit(0)
}

func run(ctx context.Context, bridge []string) error {
	home, err := os.MkdirTemp("", "driver-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	env := os.Environ()
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"} {
		env = append(env, variable+"="+home)
	}
	signIn := drive.SignIn{}
	if signIn.Browser, err = os.Executable(); err != nil {
		return err
	}
	if signIn.Port, err = drive.FreePort(); err != nil {
		return err
	}
	return drive.Run{
		Scenario: os.Getenv("MCP_CONFORMANCE_SCENARIO"),
		Context:  os.Getenv("MCP_CONFORMANCE_CONTEXT"),
		Bridge:   bridge,
		Env:      env,
		SignIn:   signIn,
		Err:      os.Stderr,
	}.Do(ctx)
}
