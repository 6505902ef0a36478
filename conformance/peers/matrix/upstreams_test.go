package matrix

import (
	"maps"
	"path/filepath"
	"strings"
)

// An upstream is a column of the matrix: a server, and how the bridge reaches it.
type upstream struct {
	name     string
	scripted string // revision of one of ours; empty for a peer that nobody here wrote
	http     bool

	// command returns the command of a peer; where it is at a URL, with its port.
	command func(p programs, dir, port string) []string
	dual    bool     // it speaks 2026-07-28 and the older revisions
	options []string // of the bridge

	tools   map[string]use // by feature
	updates string         // the resource that the tool of subscribe says to have changed
}

// A use is a tool that shows a feature.
type use struct {
	tool      string // empty if the server does it without one
	arguments object
	want      string // in the text of the result
}

// speaks returns the revision that the server speaks with a front.
func (u upstream) speaks(front string) string {
	switch {
	case u.scripted != "":
		return u.scripted
	case u.dual:
		return rev20260728
	}
	return min(front, rev20251125)
}

var scriptedTools = map[string]use{
	"call":     {"echo", object{"kind": "hi"}, "echo hi"},
	"progress": {"work", nil, "done"},
	"log":      {"work", nil, "done"},
	"cancel":   {"wait", nil, ""},
	"form":     {"ask", object{"kind": "form"}, "Ada Lovelace"},
	"choices":  {"ask", object{"kind": "choices"}, `"name":["a"]`},
	"url":      {"ask", object{"kind": "url"}, "accept"},
	"sampling": {"ask", object{"kind": "sampling"}, "Paris"},
	"roots":    {"ask", object{"kind": "roots"}, "workspace"},
	"changed":  {"change", nil, "changed"},
	"updated":  {"touch", nil, "touched"},
}

var goTools = map[string]use{
	"call":     {"test_simple_text", object{}, "simple"},
	"progress": {"test_tool_with_progress", object{}, ""},
	"log":      {"test_tool_with_logging", object{}, ""},
	"form":     {"test_input_required_result_elicitation", object{}, ""},
	"sampling": {"test_input_required_result_sampling", object{}, "Paris"},
	"roots":    {"test_input_required_result_list_roots", object{}, "workspace"},
	"changed":  {"test_trigger_tool_change", object{}, ""},
	"updated":  {},
}

var tsTools = map[string]use{
	"call":     {"echo", object{"text": "hi"}, "hi"},
	"progress": {"work", object{"steps": 3}, "done"},
	"log":      {"work", object{"steps": 3}, "done"},
	"cancel":   {"work", object{"steps": 100000, "delayMs": 5}, ""},
	"form":     {"ask_name", object{}, "hello Ada"},
	"url":      {"open_link", object{}, "accept"},
	"sampling": {"ask_model", object{}, "Paris"},
	"roots":    {"ask_roots", object{}, "workspace"},
	"changed":  {"flip", object{}, ""},
	"updated":  {"touch", object{}, "touched"},
}

var everythingTools = map[string]use{
	"call":     {"echo", object{"message": "hi"}, "hi"},
	"progress": {"trigger-long-running-operation", object{"duration": 0.3, "steps": 3}, ""},
	"cancel":   {"trigger-long-running-operation", object{"duration": 1000, "steps": 10000}, ""},
	"form":     {"trigger-elicitation-request", object{}, ""},
	"url":      {"trigger-url-elicitation", object{"url": "https://example.com/page"}, ""},
	"sampling": {"trigger-sampling-request", object{"prompt": "p", "maxTokens": 5}, "Paris"},
	"roots":    {"get-roots-list", object{}, "workspace"},
	"updated":  {"toggle-subscriber-updates", object{}, ""},
}

// upstreams are the columns.
func upstreams() []upstream {
	var all []upstream
	for _, rev := range revisions {
		ours := upstream{name: "child " + rev, scripted: rev, tools: scriptedTools, updates: resourceURI}
		ours.command = func(p programs, dir, port string) []string { return []string{p.own, serveWord, rev} }
		at := ours
		at.name, at.http, at.command = "http "+rev, true, nil
		all = append(all, ours, at)
	}
	for _, over := range []string{"child", "http"} {
		all = append(all,
			upstream{name: over + " go-sdk", dual: true, http: over == "http", tools: goTools, updates: "test://watched-resource", command: goServer},
			upstream{name: over + " typescript-sdk", dual: true, http: over == "http", tools: tsTools, updates: "memo://one", command: tsServer})
	}
	for _, dual := range all[len(all)-4:] {
		if !dual.http { // at a URL they serve older clients without sessions, and so without questions
			dual.name, dual.dual, dual.options = dual.name+" as an older server", false, []string{"--upstream-era", "legacy"}
			dual.tools = maps.Clone(dual.tools)
			if strings.Contains(dual.name, "typescript") {
				delete(dual.tools, "updated") // of which its SDK has nothing for older clients
			}
			all = append(all, dual)
		}
	}
	return append(all,
		upstream{name: "server-everything", tools: everythingTools, updates: "demo://resource/dynamic/text/1", command: npm("server-everything", "stdio")},
		upstream{name: "server-filesystem", tools: map[string]use{"call": {"list_allowed_directories", object{}, "Allowed"}}, command: npm("server-filesystem", "")},
		upstream{name: "server-memory", tools: map[string]use{"call": {"read_graph", object{}, "entities"}}, command: npm("server-memory", "")})
}

func goServer(p programs, dir, port string) []string {
	if port == "" {
		return []string{p.kit.GoServer()}
	}
	return []string{p.kit.GoServer(), "-http=127.0.0.1:" + port}
}

func tsServer(p programs, dir, port string) []string {
	command := []string{p.kit.Node(), p.kit.Path("server-2026.mjs"), "--dual"}
	if port == "" {
		return command
	}
	return append(command, "--http", port)
}

// npm returns the command of a server in a package, whose last argument is the directory of
// the test if it is empty here.
func npm(name, argument string) func(p programs, dir, port string) []string {
	return func(p programs, dir, port string) []string {
		last := argument
		if last == "" {
			last = dir
		}
		return []string{p.kit.Node(), p.kit.Path(filepath.Join("node_modules", "@modelcontextprotocol", name, "dist", "index.js")), last}
	}
}
