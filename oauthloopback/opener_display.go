//go:build unix && !darwin

package oauthloopback

import "strings"

// display says that an environment names a display. Without one there is no browser
// to open.
func display(env []string) bool { return set(env, "DISPLAY") || set(env, "WAYLAND_DISPLAY") }

// set says that an environment has a variable with a value.
func set(env []string, name string) bool {
	found := false
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			found = value != "" // the last one counts
		}
	}
	return found
}
