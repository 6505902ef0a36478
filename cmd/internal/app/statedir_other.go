//go:build !darwin && !windows

package app

import "path/filepath"

// stateDir is where the bridge keeps what it has to know the next time; empty if the
// system does not say.
func stateDir(env []string) string {
	if state, _ := lookup(env, "XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "trestle")
	}
	home, _ := lookup(env, "HOME")
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".local", "state", "trestle")
}
