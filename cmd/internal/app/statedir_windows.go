package app

import "path/filepath"

// stateDir is where the bridge keeps what it has to know the next time; empty if the
// system does not say. It does not roam: a key of this machine's keychain locks it.
func stateDir(env []string) string {
	local, _ := lookup(env, "LocalAppData")
	if !filepath.IsAbs(local) {
		return ""
	}
	return filepath.Join(local, "trestle")
}
