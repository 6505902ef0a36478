// Command gosdk is a server of revision 2026-07-28, made with the go-sdk, that has the
// bridge inside: clients of older revisions, such as the editors of today, and clients of
// its own are served on the same standard input and output.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, os.Stdin, os.Stdout, os.Stderr, newServer()); err != nil {
		os.Exit(1) // the log has said why
	}
}
