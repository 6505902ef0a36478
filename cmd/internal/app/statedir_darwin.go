package app

import "path/filepath"

// stateDir is where the bridge keeps what it has to know the next time; empty if the
// system does not say.
func stateDir(env []string) string {
	home, _ := lookup(env, "HOME")
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, "Library", "Application Support", "trestle")
}
