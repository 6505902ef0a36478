// The program server is the server of revision 2026-07-28 that the editor's test
// puts behind the bridge, on stdio. Its tools do on demand what a server may do to a
// person who sits in front of an editor: ask, take long, change, crash.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := newServer(os.Stdout).serve(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}
