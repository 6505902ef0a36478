module github.com/trestle-mcp/trestle/oauthloopback

go 1.26.0

require (
	github.com/pkg/browser v0.0.0-20240102092130-5ac0b6a4141c
	go.uber.org/goleak v1.3.0
	golang.org/x/oauth2 v0.38.0
)

require golang.org/x/sys v0.1.0 // indirect
