package app

import "strings"

// lookup returns the value of a variable, and whether it is in env.
func lookup(env []string, key string) (value string, found bool) {
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		if sameName(name, key) {
			return value, true
		}
	}
	return "", false
}

// isSet reports whether env has a variable of that name which is not empty.
func isSet(env []string, key string) bool {
	value, _ := lookup(env, key)
	return value != ""
}
