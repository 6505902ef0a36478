module github.com/trestle-mcp/trestle/mcpwire

go 1.26.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/trestle-mcp/trestle/jsonrpc v0.1.0
	golang.org/x/net v0.62.0
	golang.org/x/time v0.16.0
)

require golang.org/x/text v0.43.0 // indirect
