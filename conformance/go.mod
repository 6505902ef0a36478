module github.com/trestle-mcp/trestle/conformance

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/trestle-mcp/trestle/jsonrpc v0.1.0
)

require golang.org/x/text v0.14.0 // indirect
