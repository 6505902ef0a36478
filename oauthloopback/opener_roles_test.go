package oauthloopback

// roleVariable makes the test binary an opener: its value says which.
const roleVariable = "TRESTLE_OPENER_ROLE"

func play(string) int { return 0 }
