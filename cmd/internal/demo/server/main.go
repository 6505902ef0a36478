// The program server is the server of the demo, alone on stdio, for clients that start
// a server by its command.
package main

import (
	"fmt"
	"os"

	"github.com/trestle-mcp/trestle/cmd/internal/demo"
)

func main() {
	if err := demo.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}
