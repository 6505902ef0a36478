package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A tool is one entry of tools/list, and what a call of it does.
type tool struct {
	name   string
	fields object // beside the name
	call   func(*server, context.Context, *request) (object, *jsonrpc.Error)
}

var (
	safe    = object{"readOnlyHint": true} // the editor asks nobody before a call
	nothing = object{"type": "object"}
)

func properties(p object) object { return object{"type": "object", "properties": p} }

var (
	aText = object{"type": "string"}
	aList = object{"type": "array"} // of anything: a model's service refuses it like this
)

// tools is a function, as the tools call each other's server.
func tools() []tool {
	return []tool{
		{"echo", object{"description": "says it again", "inputSchema": properties(object{"text": aText}), "annotations": safe, "icons": icons}, echo},
		{"save", object{"title": "Save a note", "description": "asks first", "inputSchema": properties(object{"text": aText})}, save},
		{"erase", object{"title": "Erase a note", "description": "asks first too", "inputSchema": properties(object{"text": aText})}, save},
		{"lists", object{"description": "lists without items", "inputSchema": properties(object{"list": aList, "deep": properties(object{"list": aList})}), "annotations": safe}, echo},
		{"form", object{"description": "asks in a form", "inputSchema": properties(object{"kind": aText}), "annotations": safe}, askForm},
		{"link", object{"description": "asks to open a URL", "inputSchema": properties(object{"url": aText}), "annotations": safe}, askLink},
		{"again", object{"description": "asks to open a URL twice", "inputSchema": properties(object{"url": aText}), "annotations": safe}, askAgain},
		{"later", object{"description": "asks, then works", "inputSchema": nothing, "annotations": safe}, askAndWait},
		{"both", object{"description": "asks two things at once", "inputSchema": nothing, "annotations": safe}, askBoth},
		{"model", object{"description": "asks the model", "inputSchema": nothing, "annotations": safe}, askModel},
		{"roots", object{"description": "asks for the roots", "inputSchema": nothing, "annotations": safe}, askRoots},
		{"wait", object{"description": "works until it is released", "inputSchema": nothing, "annotations": safe}, wait},
		{"leave", object{"description": "leaves a process that nothing but a kill ends", "inputSchema": nothing, "annotations": safe}, leave},
		{"release", object{"description": "ends the work", "inputSchema": nothing, "annotations": safe}, release},
		{"log", object{"description": "logs at each level", "inputSchema": nothing, "annotations": safe}, logAll},
		{"flip", object{"description": "shows or hides extra", "inputSchema": nothing, "annotations": safe}, flip},
		{"touch", object{"description": "changes a resource", "inputSchema": properties(object{"uri": aText}), "annotations": safe}, touch},
		{"start", object{"description": "tells how it was started", "inputSchema": nothing, "annotations": safe}, started},
		{"fail", object{"description": "an error of the protocol", "inputSchema": nothing, "annotations": safe}, fail},
		{"crash", object{"description": "ends the process", "inputSchema": nothing, "annotations": safe}, crash},
	}
}

// icons are one that an editor may show and one that only the server's own site may
// be asked for.
var icons = []object{{"src": dataIcon, "mimeType": "image/png"}, {"src": "https://icons.example/echo.png", "mimeType": "image/png"}}

var extra = tool{"extra", object{"description": "there after flip", "inputSchema": nothing, "annotations": safe}, echo}

func (s *server) tools() []tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.extra {
		return append(tools(), extra)
	}
	return tools()
}

func listTools(s *server, _ context.Context, _ *request) (object, *jsonrpc.Error) {
	var list []object
	for _, t := range s.tools() {
		entry := maps.Clone(t.fields)
		entry["name"] = t.name
		list = append(list, entry)
	}
	return object{"tools": list}, nil
}

func callTool(s *server, ctx context.Context, r *request) (object, *jsonrpc.Error) {
	for _, t := range s.tools() {
		if t.name == r.Name {
			return t.call(s, ctx, r)
		}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such tool"}
}

func content(format string, args ...any) (object, *jsonrpc.Error) {
	return object{"content": []object{{"type": "text", "text": fmt.Sprintf(format, args...)}}}, nil
}

func echo(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return content("echo %s", r.text("text"))
}

func save(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return content("saved %s", r.text("text"))
}

// wait tells how far it is, once, and is then busy.
func wait(s *server, ctx context.Context, r *request) (object, *jsonrpc.Error) {
	s.mu.Lock()
	released := s.released
	s.mu.Unlock()
	if r.Meta.Token != nil {
		s.write(object{"method": "notifications/progress", "params": object{
			"progressToken": r.Meta.Token, "progress": 1, "total": 4, "message": "a quarter is done",
		}})
	}
	select {
	case <-released:
	case <-ctx.Done():
	}
	return content("work is done")
}

func release(s *server, _ context.Context, _ *request) (object, *jsonrpc.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.released)
	s.released = make(chan struct{})
	return content("released")
}

// levels are those of log messages, from the lowest.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func logAll(s *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	from := slices.Index(levels, r.Meta.Level)
	if from < 0 {
		return content("no log was wanted")
	}
	for _, level := range levels[from:] {
		s.write(object{"method": "notifications/message", "params": object{"level": level, "logger": "desk", "data": "words at " + level}})
	}
	return content("logged from %s", r.Meta.Level)
}

func flip(s *server, _ context.Context, _ *request) (object, *jsonrpc.Error) {
	s.mu.Lock()
	s.extra = !s.extra
	s.mu.Unlock()
	s.say("notifications/tools/list_changed", object{}, func(f filter) bool { return f.Tools })
	s.say("notifications/prompts/list_changed", object{}, func(f filter) bool { return f.Prompts })
	s.say("notifications/resources/list_changed", object{}, func(f filter) bool { return f.Resources })
	return content("flipped")
}

func touch(s *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	uri := r.text("uri")
	s.mu.Lock()
	s.counts[uri]++
	s.mu.Unlock()
	s.say("notifications/resources/updated", object{"uri": uri}, func(f filter) bool { return slices.Contains(f.URIs, uri) })
	return content("touched")
}

// started tells the names of the variables of the environment, and the directory.
func started(*server, context.Context, *request) (object, *jsonrpc.Error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	var names []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	text, err := json.Marshal(object{"dir": dir, "pid": os.Getpid(), "env": names})
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return content("%s", text)
}

// leave starts a process that does not end with the server or when it is asked to, and
// tells its id. It is a program that ends by itself after a while, for a test that fails.
func leave(*server, context.Context, *request) (object, *jsonrpc.Error) {
	left := exec.Command("sh", "-c", "trap '' TERM; exec sleep 600")
	if err := left.Start(); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return content("%d", left.Process.Pid)
}

func fail(*server, context.Context, *request) (object, *jsonrpc.Error) {
	return nil, &jsonrpc.Error{Code: -32050, Message: "the desk is on fire"}
}

func crash(*server, context.Context, *request) (object, *jsonrpc.Error) {
	fmt.Fprintln(os.Stderr, "crashing as I was told")
	os.Exit(3)
	return nil, nil
}
