// Command fuzz runs every fuzz target of the workspace, one after the other, each for a number of
// inputs. A count and not a time: a slow machine then tries as much as a fast one. An input that is new
// is made smaller with few tries only, since that is not counted and could take longer than all the rest.
//
//	go run ./.github/checks/cmd/fuzz 100000x
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 || !strings.HasSuffix(args[0], "x") {
		return errors.New("usage: fuzz COUNTx")
	}
	w, err := workspace.Open(".")
	if err != nil {
		return err
	}
	out, err := workspace.Go(w.Root, nil, "test", "-list", "^Fuzz", "work")
	if err != nil {
		return err
	}
	all := targets(string(out))
	if len(all) == 0 {
		return errors.New("find targets: there are none")
	}
	var failed []error
	for _, t := range all {
		fmt.Println(t.pkg, t.name)
		cmd := exec.Command("go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+args[0], "-fuzzminimizetime=10x", t.pkg)
		cmd.Dir, cmd.Stdout, cmd.Stderr = w.Root, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			failed = append(failed, fmt.Errorf("%s %s: %w", t.pkg, t.name, err))
		}
	}
	return errors.Join(failed...)
}

type target struct{ pkg, name string }

// targets reads what go test -list prints: the names of a package, then a line that names the package.
func targets(list string) []target {
	var out []target
	var names []string
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) > 1 && fields[0] == "ok":
			for _, n := range names {
				out = append(out, target{fields[1], n})
			}
			names = nil
		}
	}
	return out
}
