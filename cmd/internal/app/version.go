package app

import (
	"fmt"
	"runtime/debug"
)

// version prints the version that the Go toolchain has stamped into the binary.
func (p *process) version() error {
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	_, err := fmt.Fprintln(p.stdout, name, v)
	return err
}
