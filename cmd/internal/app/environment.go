package app

import (
	"os"
	"slices"
	"strings"
)

// ownPrefix begins the names of the variables that are the bridge's own.
const ownPrefix = "MCP_BRIDGE_"

// forgetOwn takes the secrets of the bridge out of the environment of this process, once
// they were read from it into env: what the process starts inherits none, on Windows not
// even where the system starts it.
func forgetOwn(env []string) {
	for _, variable := range env {
		if key, _, _ := strings.Cut(variable, "="); isOwn(key) {
			forget(key)
		}
	}
}

// forget takes a variable out of the environment of this process.
func forget(variable string) { _ = os.Unsetenv(variable) }

// isOwn reports whether a variable is one of the bridge. Windows ignores the case.
func isOwn(key string) bool { return strings.HasPrefix(strings.ToUpper(key), ownPrefix) }

// browserEnv returns the environment of the browser: env without the secrets of the bridge
// and without the variables of --header-env (S03). What leads to the editor stays: its own
// program opens pages where the person sits.
func browserEnv(env []string, headers []headerVariable) []string {
	return slices.DeleteFunc(slices.Clone(env), func(variable string) bool {
		key, _, _ := strings.Cut(variable, "=")
		return isOwn(key) || slices.ContainsFunc(headers, func(h headerVariable) bool { return sameName(h.variable, key) })
	})
}
