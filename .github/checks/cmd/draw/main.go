// Command draw picks what a reviewer breaks on purpose to see a test fail.
//
//	go run ./.github/checks/cmd/draw N [NAME…]
//
// It prints N of the names; without names, N of the rows of THREATMODEL.md that are done. The choice
// depends on the content of the commit alone: nobody can pick, and everybody gets the same.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/checks/internal/threat"
	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

func main() {
	drawn, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
	for _, name := range drawn {
		fmt.Println(name)
	}
}

func run(args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("usage: draw N [NAME…]")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return nil, fmt.Errorf("read the count: %q is not a number above 0", args[0])
	}
	w, err := workspace.Open(".")
	if err != nil {
		return nil, err
	}
	tree, err := cleanTree(w)
	if err != nil {
		return nil, err
	}
	names := args[1:]
	if len(names) == 0 {
		if names, err = doneRows(w); err != nil {
			return nil, err
		}
	}
	return draw(tree, n, names)
}

// cleanTree is the id of the commit's tree. With changes that are not committed it would name
// something else than what is there.
func cleanTree(w *workspace.Workspace) (string, error) {
	status, err := w.Git("status", "--porcelain")
	if err != nil {
		return "", err
	}
	if len(status) > 0 {
		return "", fmt.Errorf("draw from this tree: it has changes that are not committed")
	}
	tree, err := w.Git("rev-parse", "HEAD^{tree}")
	return strings.TrimSpace(string(tree)), err
}

func doneRows(w *workspace.Workspace) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(w.Root, "THREATMODEL.md"))
	if err != nil {
		return nil, err
	}
	rows, err := threat.Parse(string(text))
	var names []string
	for _, r := range rows {
		if r.Done() {
			names = append(names, r.ID)
		}
	}
	return names, err
}
