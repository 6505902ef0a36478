// The program tap runs a command and records what passes between the command and
// its client, one JSON object a line.
//
//	tap FILE COMMAND [ARG…]
//
// The record is added to FILE. Signals and the end of the input are passed on,
// and the exit code is the one of the command.
package main

import (
	"fmt"
	"os"
	"os/signal"

	"github.com/trestle-mcp/trestle/conformance/internal/tap"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: tap FILE COMMAND [ARG…]")
		os.Exit(2)
	}
	code, err := run(os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

func run(file, command string, args []string) (int, error) {
	record, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, fmt.Errorf("tap: %w", err)
	}
	defer record.Close()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passedOn...)
	streams := tap.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	return tap.Run(command, args, streams, wire.NewWriter(record, os.Getpid()), signals)
}
