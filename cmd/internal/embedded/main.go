// The program embedded is a server that has the bridge inside, for tests: what the server
// itself says is said by a command, which it starts.
//
//	embedded -- COMMAND [ARGUMENT…]
package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/mcpwire"
)

func main() {
	if len(os.Args) < 3 || os.Args[1] != "--" {
		os.Stderr.WriteString("usage: embedded -- COMMAND [ARGUMENT…]\n")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := bridge.ServeStdio(ctx, os.Stdin, os.Stdout, spoken(os.Args[2:]), bridge.ServeOptions{
		Profile: mcpwire.VSCode,
		Log:     bridge.NewLog(os.Stderr, slog.LevelInfo),
	})
	if err != nil {
		os.Exit(1)
	}
}

// spoken returns a server for which a command speaks.
func spoken(command []string) bridge.Server {
	return func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Stdout, cmd.Stderr = out, os.Stderr
		toChild, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		go func() { // ends with in, which is closed when this function has returned
			io.Copy(toChild, in)
			toChild.Close()
		}()
		return cmd.Wait()
	}
}
