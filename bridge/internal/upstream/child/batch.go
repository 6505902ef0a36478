package child

import (
	"path/filepath"
	"strings"
)

// shellSigns are what the shell that runs a batch file reads in an argument, whatever
// quotes stand around it.
const shellSigns = "\"%^&|<>\r\n"

// checkBatch refuses a batch file that was not allowed, and one that would not get its
// arguments as they are. The path stands in the same line for the shell.
func checkBatch(path string, args []string, allow bool) error {
	switch {
	case !isBatch(path):
		return nil
	case !allow:
		return &StartError{Reason: Batch}
	}
	for _, a := range append([]string{path}, args...) {
		if strings.ContainsAny(a, shellSigns) {
			return &StartError{Reason: BatchArgument}
		}
	}
	return nil
}

// isBatch reports whether the program is a batch file by its name: Windows hands it to
// a shell, which reads the arguments in its own way. Dots and blanks at the end of a
// name do not count there.
func isBatch(path string) bool {
	ext := filepath.Ext(strings.TrimRight(path, ". "))
	return strings.EqualFold(ext, ".bat") || strings.EqualFold(ext, ".cmd")
}
