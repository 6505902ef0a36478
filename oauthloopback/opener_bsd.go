//go:build unix && !linux && !darwin

package oauthloopback

func systemOpeners(env []string) []string {
	if set(env, "DISPLAY") || set(env, "WAYLAND_DISPLAY") {
		return []string{"xdg-open"}
	}
	return nil
}
