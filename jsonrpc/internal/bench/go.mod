module github.com/trestle-mcp/trestle/jsonrpc/internal/bench

go 1.26.0

require (
	github.com/creachadair/jrpc2 v1.3.6
	github.com/go-json-experiment/json v1.27.2
	github.com/trestle-mcp/trestle/jsonrpc v0.1.0
	github.com/valyala/fastjson v1.6.10
	go.lsp.dev/jsonrpc2 v1.0.1
)

require (
	github.com/creachadair/mds v0.31.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
