package app

import "slices"

// splitArgs cuts args at the first "--". The server's part is nil if there is no
// "--", and empty if nothing follows it.
func splitArgs(args []string) (own, server []string) {
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil
	}
	return args[:i], append([]string{}, args[i+1:]...)
}
