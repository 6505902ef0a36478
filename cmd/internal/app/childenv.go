package app

import (
	"slices"
	"strings"
)

// childEnv returns the environment of a server: env without what is private. If allow
// is not nil, only the basic variables of the system and those of allow are left, and
// of them none whose value is a function of a shell.
func childEnv(env, allow []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(variable string) bool {
		key, value, _ := strings.Cut(variable, "=")
		switch {
		case private(key):
			return true
		case allow == nil:
			return false
		}
		return !named(key, basic) && !named(key, allow) || strings.HasPrefix(value, "()")
	})
}

// private reports whether a variable is a secret of the bridge, or one by which the
// editor steers processes of its own.
func private(key string) bool {
	if isOwn(key) {
		return true
	}
	key = strings.ToUpper(key) // Windows ignores the case of names
	return key == "ELECTRON_RUN_AS_NODE" || strings.HasPrefix(key, "VSCODE_")
}

func named(key string, list []string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return sameName(key, name) })
}
