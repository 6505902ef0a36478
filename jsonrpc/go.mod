module github.com/trestle-mcp/trestle/jsonrpc

go 1.26.0
