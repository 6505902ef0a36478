package oauthloopback

import (
	"os"
	"strings"
)

// systemOpeners are the programs that know the user's browser. Without a display
// there is none to open.
func systemOpeners(env []string) []string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	return openersOf(err == nil && underWSL(string(release)), env)
}

// underWSL knows the kernel of the Windows Subsystem for Linux.
func underWSL(release string) bool { return strings.Contains(strings.ToLower(release), "microsoft") }

func openersOf(wsl bool, env []string) []string {
	switch {
	case wsl:
		return []string{"wslview", "xdg-open"}
	case set(env, "DISPLAY"), set(env, "WAYLAND_DISPLAY"):
		return []string{"xdg-open"}
	}
	return nil
}
