package signin

// The grants of a sign-in.
const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
)
