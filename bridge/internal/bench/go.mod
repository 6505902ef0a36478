module github.com/trestle-mcp/trestle/bridge/internal/bench

go 1.26.0

require (
	github.com/trestle-mcp/trestle/bridge v0.1.0
	github.com/trestle-mcp/trestle/mcpwire v0.1.0
)
