package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// serve serves one client, of whatever revision, with server.
func serve(ctx context.Context, in io.Reader, out, log io.Writer, server *mcp.Server) error {
	return bridge.ServeStdio(ctx, in, out, adapt(server), bridge.ServeOptions{
		Profile: mcpwire.VSCode,
		Limits:  bridge.Limits{Line: mcp.DefaultMaxLineLength},
		Log:     bridge.NewLog(log, slog.LevelInfo),
	})
}

// adapt makes a server of the go-sdk one that the bridge serves: it is all there is to it.
// A new session begins with each call.
func adapt(server *mcp.Server) bridge.Server {
	return func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
		return server.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
	}
}

// newServer returns a server with two tools: one answers, the other asks first.
func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Says what it is told."}, echo)
	mcp.AddTool(s, &mcp.Tool{Name: "greet", Description: "Asks for a name, and greets."}, greet)
	return s
}

type message struct {
	Text string `json:"text" jsonschema:"what is said"`
}

func echo(_ context.Context, _ *mcp.CallToolRequest, m message) (*mcp.CallToolResult, any, error) {
	return says(m.Text), nil, nil
}

// greet is called twice: the second call has the answer.
func greet(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	if a, ok := r.Params.InputResponses["who"].(*mcp.ElicitResult); ok {
		if a.Action != "accept" {
			return says("Nobody is greeted."), nil, nil
		}
		return says(fmt.Sprintf("Hello, %v!", a.Content["name"])), nil, nil
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{
		Message: "Who is to be greeted?",
		RequestedSchema: &jsonschema.Schema{
			Type:       "object",
			Properties: map[string]*jsonschema.Schema{"name": {Type: "string"}},
			Required:   []string{"name"},
		},
	}}}, nil, nil
}

func says(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
