module github.com/trestle-mcp/trestle/conformance

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/trestle-mcp/trestle/jsonrpc v0.1.0
	github.com/trestle-mcp/trestle/oauthloopback v0.1.0
	golang.org/x/oauth2 v0.38.0
)

require (
	github.com/pkg/browser v0.0.0-20240102092130-5ac0b6a4141c // indirect
	golang.org/x/sys v0.5.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)
