package app

import (
	"slices"
	"strings"
)

// childEnv returns the environment of a server: env without the secrets of the
// bridge and without what the editor sets for processes of its own.
func childEnv(env []string) []string {
	own := func(variable string) bool {
		key, _, _ := strings.Cut(variable, "=")
		key = strings.ToUpper(key) // Windows ignores the case of names
		return key == "ELECTRON_RUN_AS_NODE" ||
			strings.HasPrefix(key, "MCP_BRIDGE_") || strings.HasPrefix(key, "VSCODE_")
	}
	return slices.DeleteFunc(slices.Clone(env), own)
}
