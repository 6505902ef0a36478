//go:build !linux && !darwin && !windows

package app

import "os"

// isTerminal reports that f is no terminal.
func isTerminal(*os.File) bool { return false }

// terminalWidth reports that f is no terminal: then nothing is coloured, and the
// width is the default.
func terminalWidth(*os.File) (columns int, terminal bool) { return 0, false }
