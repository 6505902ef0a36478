// Command alone runs the go command in one module as if the workspace did not exist, with the
// siblings taken from their directories. So it shows whether the module's own go.mod and go.sum
// suffice, which the workspace hides.
//
//	go run ./.github/checks/cmd/alone jsonrpc test ./...
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

func main() {
	err := run(os.Args[1:])
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "alone:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: alone DIRECTORY COMMAND [ARGUMENT…]")
	}
	w, err := workspace.Open(".")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(w.Modules, func(m workspace.Module) bool { return m.Rel == args[0] })
	if i < 0 {
		return fmt.Errorf("find module %q: go.work does not use it", args[0])
	}
	dir, err := os.MkdirTemp("", "alone")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := w.Alone(w.Modules[i], dir)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", slices.Concat(args[1:2], []string{"-modfile=" + file}, args[2:])...)
	cmd.Dir = w.Modules[i].Dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
