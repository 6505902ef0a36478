//go:build !darwin && !windows

package app

// hasDisplay reports whether there is a display that a dialog can be on.
func hasDisplay(env []string) bool { return isSet(env, "DISPLAY") || isSet(env, "WAYLAND_DISPLAY") }
