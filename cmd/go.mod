module github.com/trestle-mcp/trestle/cmd

go 1.26.0

toolchain go1.26.8

require (
	github.com/peterbourgon/ff/v4 v4.0.0-alpha.4
	github.com/rogpeppe/go-internal v1.16.0
	github.com/trestle-mcp/trestle/bridge v0.1.0
	github.com/trestle-mcp/trestle/mcpwire v0.1.0
	github.com/trestle-mcp/trestle/oauthloopback v0.1.0
	github.com/trestle-mcp/trestle/tokenvault v0.1.0
)

require (
	github.com/danieljoos/wincred v1.2.3 // indirect
	github.com/godbus/dbus/v5 v5.2.4 // indirect
	github.com/gofrs/flock v0.13.2 // indirect
	github.com/pkg/browser v0.0.0-20240102092130-5ac0b6a4141c // indirect
	github.com/trestle-mcp/trestle/jsonrpc v0.1.0 // indirect
	github.com/zalando/go-keyring v0.2.8 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/oauth2 v0.38.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/time v0.16.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
