// Command tidy brings go.mod and go.sum of every module, go.work and go.work.sum up to date with the
// imports. It is the only way to add a dependency here: go mod tidy and go get know nothing of the
// workspace and look for siblings that are not published yet.
//
//	go run ./.github/checks/cmd/tidy [-diff] [-e]
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

func main() {
	diff := flag.Bool("diff", false, "print what would change, change nothing, exit 1 if anything would")
	lenient := flag.Bool("e", false, "go on past packages that cannot be found, as go mod tidy -e does")
	flag.Parse()
	w, err := workspace.Open(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "tidy:", err)
		os.Exit(2)
	}
	t := &tidier{workspace: w, lenient: *lenient, dry: *diff, out: os.Stdout, err: os.Stderr}
	if !t.run() {
		os.Exit(1)
	}
}
