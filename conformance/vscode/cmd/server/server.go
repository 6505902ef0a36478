package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

const (
	revision     = "2026-07-28"
	subscription = "io.modelcontextprotocol/subscriptionId"
)

// object is a JSON object that is made here.
type object map[string]any

type server struct {
	writing sync.Mutex // guards out
	out     io.Writer

	mu       sync.Mutex                    // guards the fields below
	running  map[string]context.CancelFunc // by raw id
	listen   json.RawMessage               // id of the stream of notifications; none if nil
	filter   filter                        // of that stream
	extra    bool                          // the tool, the prompt and the resource of that name are there
	released chan struct{}                 // closed by the tool release
	counts   map[string]int                // how often each resource was changed
}

type filter struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
}

// A request is what a method is given.
type request struct {
	Name      string
	URI       string
	Arguments map[string]any
	Argument  struct{ Name, Value string }
	Context   struct{ Arguments map[string]string }
	Meta      struct {
		Token json.RawMessage `json:"progressToken"`
		Level string          `json:"io.modelcontextprotocol/logLevel"`
	} `json:"_meta"`
	Answers map[string]json.RawMessage `json:"inputResponses"`
	State   string                     `json:"requestState"`
}

// text returns the argument of that name if it is a string.
func (r *request) text(name string) string {
	s, _ := r.Arguments[name].(string)
	return s
}

func newServer(out io.Writer) *server {
	return &server{
		out: out, running: map[string]context.CancelFunc{},
		released: make(chan struct{}), counts: map[string]int{},
	}
}

// serve answers each request of in in a goroutine of its own, until in ends.
func (s *server) serve(in io.Reader) error {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for r := jsonrpc.NewReader(in, nil); ; {
		m, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read: %w", err)
		}
		method, _ := m.String(m.Method)
		id, params := json.RawMessage(m.AppendSpan(nil, m.ID)), m.AppendSpan(nil, m.Params)
		switch m.Kind {
		case jsonrpc.KindNotification:
			s.notified(method, params)
		case jsonrpc.KindRequest:
			requestCtx := s.begin(ctx, id)
			wg.Go(func() {
				defer s.end(id)
				s.answer(requestCtx, id, method, params)
			})
		}
	}
}

func (s *server) begin(ctx context.Context, id json.RawMessage) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[string(id)] = cancel
	return ctx
}

func (s *server) end(id json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[string(id)]()
	delete(s.running, string(id))
}

func (s *server) notified(method string, params []byte) {
	var p struct{ RequestID json.RawMessage }
	if method != "notifications/cancelled" || json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	ended := s.listen != nil && string(s.listen) == string(p.RequestID)
	if ended {
		s.listen = nil
	}
	if cancel := s.running[string(p.RequestID)]; cancel != nil {
		cancel()
	}
	s.mu.Unlock()
	if ended {
		s.write(object{"id": p.RequestID, "result": object{"resultType": "complete", "_meta": object{subscription: p.RequestID}}})
	}
}

// answer answers a request, unless it was cancelled.
func (s *server) answer(ctx context.Context, id json.RawMessage, method string, params []byte) {
	if method == "subscriptions/listen" {
		s.open(id, params)
		return
	}
	var r request
	if err := json.Unmarshal(params, &r); err != nil {
		s.write(object{"id": id, "error": object{"code": jsonrpc.CodeInvalidParams, "message": "wrong params"}})
		return
	}
	f, ok := methods[method]
	if !ok {
		s.write(object{"id": id, "error": object{"code": jsonrpc.CodeMethodNotFound, "message": "method not found"}})
		return
	}
	result, fault := f(s, ctx, &r)
	switch {
	case ctx.Err() != nil:
	case fault != nil:
		s.write(object{"id": id, "error": object{"code": fault.Code, "message": fault.Message}})
	default:
		s.write(object{"id": id, "result": decorated(method, result)})
	}
}

var methods = map[string]func(*server, context.Context, *request) (object, *jsonrpc.Error){
	"server/discover":          discover,
	"tools/list":               listTools,
	"tools/call":               callTool,
	"prompts/list":             listPrompts,
	"prompts/get":              getPrompt,
	"completion/complete":      complete,
	"resources/list":           listResources,
	"resources/templates/list": listTemplates,
	"resources/read":           readResource,
}

func discover(*server, context.Context, *request) (object, *jsonrpc.Error) {
	return object{
		"supportedVersions": []string{revision},
		"capabilities": object{
			"tools": object{"listChanged": true}, "prompts": object{"listChanged": true},
			"resources": object{"listChanged": true, "subscribe": true}, "logging": object{}, "completions": object{},
		},
		"instructions": "A server for a test of an editor.",
	}, nil
}

// decorated adds what each result of this revision has.
func decorated(method string, result object) object {
	result = maps.Clone(result)
	if _, ok := result["resultType"]; !ok {
		result["resultType"] = "complete"
	}
	switch method {
	case "tools/call", "prompts/get", "completion/complete":
	default:
		result["ttlMs"], result["cacheScope"] = 0, "private"
	}
	result["_meta"] = object{"io.modelcontextprotocol/serverInfo": object{
		"name": "trestle-desk", "title": "Desk", "version": "1.2.3", "icons": []object{{"src": dataIcon, "mimeType": "image/png"}},
	}}
	return result
}

// dataIcon is a PNG of one pixel.
const dataIcon = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// open opens the stream of notifications.
func (s *server) open(id json.RawMessage, params []byte) {
	var p struct{ Notifications filter }
	if err := json.Unmarshal(params, &p); err != nil {
		s.write(object{"id": id, "error": object{"code": jsonrpc.CodeInvalidParams, "message": "wrong params"}})
		return
	}
	s.mu.Lock()
	s.listen, s.filter = slices.Clone(id), p.Notifications
	s.mu.Unlock()
	s.write(object{"method": "notifications/subscriptions/acknowledged", "params": object{
		"_meta": object{subscription: id}, "notifications": p.Notifications,
	}})
}

// say says something on the stream of notifications, if that is open and wanted.
func (s *server) say(method string, params object, wanted func(filter) bool) {
	s.mu.Lock()
	id, ok := s.listen, s.listen != nil && wanted(s.filter)
	s.mu.Unlock()
	if ok {
		params["_meta"] = object{subscription: id}
		s.write(object{"method": method, "params": params})
	}
}

func (s *server) write(message object) {
	message["jsonrpc"] = "2.0"
	line, err := json.Marshal(message)
	if err != nil {
		panic(err) // only values made here
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.out.Write(append(line, '\n')) // the end of the input says that nobody reads
}
