package oauthloopback

func systemOpeners([]string) []string { return []string{"open"} }
