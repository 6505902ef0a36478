package main

import (
	"context"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// extraURI is there after flip.
const extraURI = "desk://extra/note"

// uris are of kinds that an editor carries well, and of kinds that it changes.
var uris = []string{
	"desk://plain/note",
	"mem:note",
	"mem:/path/note",
	"ui://widget/a%2Fb?x=1&y=%26",
}

func (s *server) uris() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.extra {
		return append(slices.Clone(uris), extraURI)
	}
	return uris
}

func listResources(s *server, _ context.Context, _ *request) (object, *jsonrpc.Error) {
	var list []object
	for _, uri := range s.uris() {
		list = append(list, object{"uri": uri, "name": uri, "mimeType": "text/plain"})
	}
	return object{"resources": list}, nil
}

func listTemplates(*server, context.Context, *request) (object, *jsonrpc.Error) {
	return object{"resourceTemplates": []object{{"uriTemplate": "desk://item/{id}", "name": "item"}}}, nil
}

func readResource(s *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	if !slices.Contains(s.uris(), r.URI) && !strings.HasPrefix(r.URI, "desk://item/") {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such resource"}
	}
	s.mu.Lock()
	text := "text of " + r.URI + strings.Repeat(", changed", s.counts[r.URI])
	s.mu.Unlock()
	return object{"contents": []object{{"uri": r.URI, "mimeType": "text/plain", "text": text}}}, nil
}

func listPrompts(s *server, _ context.Context, _ *request) (object, *jsonrpc.Error) {
	list := []object{
		{"name": "greet", "title": "Greet", "description": "a greeting", "arguments": []object{
			{"name": "who", "description": "a person", "required": true}, {"name": "where", "description": "a place of that person", "required": true},
		}},
		{"name": "plain", "description": "without arguments"},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.extra {
		list = append(list, object{"name": "extra", "description": "there after flip"})
	}
	return object{"prompts": list}, nil
}

func getPrompt(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return object{"messages": []object{
		{"role": "user", "content": object{"type": "text", "text": strings.Join([]string{"prompt", r.Name, r.text("who"), r.text("where")}, " ")}},
	}}, nil
}

// complete offers persons and, once it is known who, places.
func complete(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	values, all := []string{}, []string{"ada", "alan", "grace"}
	if r.Argument.Name == "where" {
		all = []string{"desk of " + r.Context.Arguments["who"], "home of " + r.Context.Arguments["who"]}
	}
	for _, name := range all {
		if strings.HasPrefix(name, r.Argument.Value) {
			values = append(values, name)
		}
	}
	return object{"completion": object{"values": values, "total": len(values), "hasMore": false}}, nil
}
