//go:build unix && !linux && !darwin

package oauthloopback

func systemOpeners(env []string) []string {
	if display(env) {
		return []string{"xdg-open"}
	}
	return nil
}
