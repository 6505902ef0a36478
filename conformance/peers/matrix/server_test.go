package matrix

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"sync"
)

// A server speaks one revision, to one client. Its tools are in tools_test.go.
type server struct {
	rev      string
	takeBack chan struct{} // closed when the question of the tool withdraw is to be taken back

	mu       sync.Mutex                    // guards the fields below
	aside    func([]byte)                  // writes what belongs to no request
	client   json.RawMessage               // the capabilities of the client
	level    string                        // of log messages
	asked    map[string]chan message       // own requests that are open, by raw id
	running  map[string]context.CancelFunc // the client's requests, by raw id
	streams  map[string]func([]byte)       // of notifications, by raw id: of 2026-07-28
	numbers  int                           // of own requests
	heard    []string                      // notifications of the client, and answers to what was asked of it outside
	later    []func()                      // what is done after the next list of prompts: no call is open then
	paged    int                           // calls of the tool page
	listened bool                          // there was a stream of notifications
	opened   chan struct{}                 // closed when there is a stream of notifications
	subbed   map[string]bool               // resources that the client is subscribed to
}

func newServer(rev string) *server {
	return &server{
		rev: rev, aside: func([]byte) {}, asked: map[string]chan message{}, running: map[string]context.CancelFunc{},
		streams: map[string]func([]byte){}, subbed: map[string]bool{}, opened: make(chan struct{}), takeBack: make(chan struct{}),
	}
}

func (s *server) modern() bool { return s.rev == rev20260728 }

// serve serves lines until in ends.
func (s *server) serve(in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	write := func(line []byte) {
		mu.Lock()
		defer mu.Unlock()
		out.Write(append(line, '\n')) // a client that is gone needs no answer
	}
	s.aside = write
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return nil
		}
		if err := s.take(ctx, line, write); err != nil {
			return err
		}
	}
}

// take takes a line over stdio. Requests run beside each other.
func (s *server) take(ctx context.Context, line []byte, say func([]byte)) error {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("a line that is no message: %w", err)
	}
	if m.Method == "" || m.ID == nil {
		s.told(m)
		return nil
	}
	ctx = s.begin(ctx, m)
	go s.run(ctx, m, say)
	return nil
}

// begin makes a request one that can be cancelled, before the next line is read.
func (s *server) begin(ctx context.Context, m message) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[string(m.ID)] = cancel
	return ctx
}

// run answers a request. One that was cancelled has no answer.
func (s *server) run(ctx context.Context, m message, say func([]byte)) {
	result, failed := s.answer(ctx, m, say)
	s.mu.Lock()
	cancel := s.running[string(m.ID)]
	delete(s.running, string(m.ID))
	s.mu.Unlock()
	if ctx.Err() == nil {
		answer := message{ID: m.ID, Error: failed}
		if failed == nil {
			answer.Result = encode(s.decorate(m.Method, result))
		}
		say(answer.line())
	}
	if m.Method == "prompts/list" {
		s.mu.Lock()
		later := s.later
		s.later = nil
		s.mu.Unlock()
		for _, do := range later {
			do()
		}
	}
	if failed != nil && failed.Code == codePage && !s.modern() { // the person has been there
		s.notify("notifications/elicitation/complete", object{"elicitationId": "page-2"})
	}
	cancel()
}

// told takes a notification, or an answer.
func (s *server) told(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m.Method == "":
		if c := s.asked[string(m.ID)]; c != nil {
			delete(s.asked, string(m.ID))
			c <- m
		}
		return
	case m.Method == "notifications/cancelled":
		if cancel := s.running[string(encode(at(m.Params, "requestId")))]; cancel != nil {
			cancel()
		}
	}
	s.heard = append(s.heard, m.Method)
}

// ask asks the client, and waits for its answer.
func (s *server) ask(ctx context.Context, say func([]byte), method string, params any) message {
	return <-s.askLater(say, method, params)
}

// askLater asks the client.
func (s *server) askLater(say func([]byte), method string, params any) chan message {
	s.mu.Lock()
	s.numbers++
	m := notification(method, params)
	m.ID = encode(fmt.Sprint("s-", s.numbers))
	answer := make(chan message, 1)
	s.asked[string(m.ID)] = answer
	s.mu.Unlock()
	say(m.line())
	return answer
}

// answer returns the result of a request, or the error that it ends with.
func (s *server) answer(ctx context.Context, m message, say func([]byte)) (object, *fault) {
	if failed := s.admit(m); failed != nil {
		return nil, failed
	}
	switch m.Method {
	case "initialize":
		s.mu.Lock()
		s.client = encode(at(m.Params, "capabilities"))
		s.mu.Unlock()
		return object{"protocolVersion": s.rev, "capabilities": s.capabilities(), "serverInfo": s.info()}, nil
	case "server/discover":
		return object{"supportedVersions": []string{s.rev}, "capabilities": s.capabilities()}, nil
	case "subscriptions/listen":
		s.listen(ctx, m, say)
		return object{"_meta": object{meta + "subscriptionId": m.ID}}, nil
	case "tools/call":
		return s.called(ctx, m, say)
	case "logging/setLevel":
		s.mu.Lock()
		s.level, _ = at(m.Params, "level").(string)
		s.mu.Unlock()
		return object{}, nil
	case "resources/subscribe", "resources/unsubscribe":
		s.mu.Lock()
		s.subbed[at(m.Params, "uri").(string)] = m.Method == "resources/subscribe"
		s.mu.Unlock()
		return object{}, nil
	}
	if result, ok := fixed(s.rev)[m.Method]; ok {
		return result, nil
	}
	return nil, &fault{Code: -32601, Message: "Method not found"}
}

// admit refuses what the revision has not.
func (s *server) admit(m message) *fault {
	if !s.modern() {
		if m.Method == "server/discover" || m.Method == "subscriptions/listen" {
			return &fault{Code: -32601, Message: "Method not found"}
		}
		return nil
	}
	switch m.Method {
	case "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return &fault{Code: -32601, Message: "Method not found"}
	}
	if at(m.Params, "_meta", meta+"protocolVersion") != s.rev || at(m.Params, "_meta", meta+"clientCapabilities") == nil {
		return &fault{Code: -32602, Message: "no _meta of the revision"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = encode(at(m.Params, "_meta", meta+"clientCapabilities"))
	return nil
}

// listen acknowledges a stream of notifications and keeps it open.
func (s *server) listen(ctx context.Context, m message, say func([]byte)) {
	s.mu.Lock()
	s.streams[string(m.ID)] = say
	if !s.listened {
		s.listened = true
		close(s.opened)
	}
	say(notification("notifications/subscriptions/acknowledged", object{
		"_meta": object{meta + "subscriptionId": m.ID}, "notifications": at(m.Params, "notifications"),
	}).line())
	s.mu.Unlock()
	<-ctx.Done()
	s.mu.Lock()
	delete(s.streams, string(m.ID))
	s.mu.Unlock()
}

// awaitStream waits until there is a stream of notifications, where the revision has one.
func (s *server) awaitStream(ctx context.Context) {
	if s.modern() {
		select {
		case <-s.opened:
		case <-ctx.Done():
		}
	}
}

// notify says that something has changed.
func (s *server) notify(method string, params object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.modern() && params == nil:
		s.aside(notification(method, nil).line())
		return
	case !s.modern():
		s.aside(notification(method, params).line())
		return
	}
	for id, say := range s.streams {
		tagged := object{"_meta": object{meta + "subscriptionId": json.RawMessage(id)}}
		maps.Copy(tagged, params)
		say(notification(method, tagged).line())
	}
}

// decorate adds what a result has in 2026-07-28 only.
func (s *server) decorate(method string, result object) object {
	if !s.modern() {
		return result
	}
	if result["resultType"] == nil {
		result["resultType"] = "complete"
	}
	own, _ := result["_meta"].(object)
	if own == nil {
		own = object{}
	}
	own[meta+"serverInfo"] = s.info()
	result["_meta"] = own
	switch method {
	case "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read":
		result["ttlMs"], result["cacheScope"] = 60000, "private"
	}
	return result
}

func (s *server) info() object { return object{"name": "scripted", "version": "1"} }

func (s *server) capabilities() object {
	all := object{
		"tools": object{"listChanged": true}, "prompts": object{"listChanged": true}, "logging": object{},
		"resources": object{"listChanged": true, "subscribe": true},
	}
	if s.rev >= rev20250326 {
		all["completions"] = object{}
	}
	if s.rev == rev20251125 {
		all["tasks"] = object{"list": object{}, "cancel": object{}}
	}
	return all
}
