//go:build !linux && !darwin

package app

import "os"

// terminalWidth reports that f is no terminal: then nothing is coloured, and the
// width is the default.
func terminalWidth(*os.File) (columns int, terminal bool) { return 0, false }
