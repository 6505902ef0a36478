package matrix

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// codePage is the code of an error that names pages to open first.
const codePage = -32042

const resourceURI = "memo://one"

// fixed are the results that are the same each time.
func fixed(rev string) map[string]object {
	tool := object{"name": "echo", "inputSchema": object{"type": "object"}}
	if rev >= rev20250326 {
		tool["annotations"] = object{"readOnlyHint": true}
	}
	if rev >= rev20250618 {
		tool["title"], tool["outputSchema"] = "Echo", object{"type": "object"}
	}
	all := map[string]object{
		"tools/list":               {"tools": []object{tool}},
		"prompts/list":             {"prompts": []object{{"name": "greet"}}},
		"prompts/get":              {"messages": []object{{"role": "user", "content": block("greetings")}}},
		"resources/list":           {"resources": []object{{"uri": resourceURI, "name": "one"}}},
		"resources/templates/list": {"resourceTemplates": []object{{"uriTemplate": "memo://{id}", "name": "any"}}},
		"resources/read":           {"contents": []object{{"uri": resourceURI, "text": "memo one"}}},
		"completion/complete":      {"completion": object{"values": []string{"ada"}}},
	}
	if rev < rev20260728 {
		all["ping"] = object{}
	}
	if rev == rev20251125 {
		all["tasks/list"] = object{"tasks": []object{}}
	}
	return all
}

func block(text string) object { return object{"type": "text", "text": text} }

func said(text string) object { return object{"content": []object{block(text)}} }

// The questions of the tool ask, by their kind. The first member is the method.
var questions = map[string]message{
	"form": notification("elicitation/create", object{"message": "Who?", "requestedSchema": object{
		"type": "object", "properties": object{"name": object{"type": "string"}},
	}}),
	"choices": notification("elicitation/create", object{"message": "Which?", "requestedSchema": object{
		"type": "object", "properties": object{"name": object{"type": "array", "items": object{"type": "string", "enum": []string{"a", "b"}}}},
	}}),
	"url":      notification("elicitation/create", object{"mode": "url", "message": "Open this", "url": "https://example.com/page"}),
	"sampling": notification("sampling/createMessage", object{"messages": []object{{"role": "user", "content": block("Capital?")}}, "maxTokens": 5}),
	"roots":    notification("roots/list", nil),
}

// question returns a question as a revision asks it.
func question(rev, kind string) message {
	m := questions[kind]
	if kind == "url" && rev == rev20251125 {
		m.Params = encode(object{"mode": "url", "message": "Open this", "url": "https://example.com/page", "elicitationId": "page-1"})
	}
	return m
}

// capabilityOf is what a client must have for a question.
var capabilityOf = map[string]object{
	"form": {"elicitation": object{"form": object{}}}, "choices": {"elicitation": object{"form": object{}}},
	"url": {"elicitation": object{"url": object{}}}, "sampling": {"sampling": object{}}, "roots": {"roots": object{}},
}

// declared reports whether the client has what a question needs.
func (s *server) declared(kind string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, value := range capabilityOf[kind] {
		for mode := range value.(object) {
			return at(s.client, name, mode) != nil
		}
		return at(s.client, name) != nil
	}
	return false
}

// called calls a tool.
func (s *server) called(ctx context.Context, m message, say func([]byte)) (object, *fault) {
	name, _ := at(m.Params, "name").(string)
	kind, _ := at(m.Params, "arguments", "kind").(string)
	switch name {
	case "echo":
		return said("echo " + kind), nil
	case "client":
		s.mu.Lock()
		defer s.mu.Unlock()
		return said(string(s.client)), nil
	case "heard":
		s.mu.Lock()
		defer s.mu.Unlock()
		return said(string(encode(s.heard))), nil
	case "work":
		s.work(m, say)
		return said("done"), nil
	case "wait":
		say(notification("notifications/progress", object{"progressToken": at(m.Params, "_meta", "progressToken"), "progress": 1}).line())
		<-ctx.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heard = append(s.heard, "the end of wait")
		return said("cancelled"), nil
	case "array":
		one := notification("notifications/message", object{"level": "error", "logger": "array", "data": "one of two"}).line()
		say(fmt.Appendf(nil, "[%s,%s]", one, one))
		return said("an array"), nil
	case "change":
		s.awaitStream(ctx)
		for _, list := range []string{"tools", "prompts", "resources"} {
			s.notify("notifications/"+list+"/list_changed", nil)
		}
		return said("changed"), nil
	case "touch":
		s.notify("notifications/resources/updated", object{"uri": resourceURI})
		return said("touched"), nil
	}
	return s.calledToAsk(ctx, m, name, kind, say)
}

// calledToAsk calls a tool that asks the client for something.
func (s *server) calledToAsk(ctx context.Context, m message, name, kind string, say func([]byte)) (object, *fault) {
	switch name {
	case "ask":
		if s.modern() {
			return s.askInResult(m, kind)
		}
		return said(string(s.askNow(ctx, kind, say))), nil
	case "ask-later":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.later = append(s.later, func() { go s.askOutside(kind) })
		return said("asked"), nil
	case "withdraw":
		q := question(s.rev, kind)
		s.askLater(say, q.Method, rawOrNil(q.Params))
		<-s.takeBack
		s.mu.Lock()
		id := json.RawMessage(encode(fmt.Sprint("s-", s.numbers)))
		s.mu.Unlock()
		say(notification("notifications/cancelled", object{"requestId": id}).line())
		return said("withdrawn"), nil
	case "take back":
		close(s.takeBack)
		return said("taken back"), nil
	case "cancel":
		say(notification("notifications/cancelled", object{"requestId": m.ID}).line())
		return said("not cancelled"), nil
	case "page":
		s.mu.Lock()
		s.paged++
		again := s.paged > 1
		s.mu.Unlock()
		if again {
			return said("after the page"), nil
		}
		return nil, &fault{Code: codePage, Message: "a page is wanted", Data: object{"elicitations": []object{
			{"mode": "url", "elicitationId": "page-2", "message": "Open this", "url": "https://example.com/page"},
		}}}
	}
	return s.calledForContent(name)
}

// calledForContent calls a tool whose result a client may not know.
func (s *server) calledForContent(name string) (object, *fault) {
	switch name {
	case "audio":
		return object{"content": []object{{"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}}}, nil
	case "link":
		return object{"content": []object{{"type": "resource_link", "name": "one", "uri": resourceURI}}}, nil
	case "list":
		return object{"content": []object{block("[1,2]")}, "structuredContent": []int{1, 2}}, nil
	case "hints":
		return object{"content": []object{}, "resultType": "complete", "ttlMs": 1, "cacheScope": "private"}, nil
	}
	return nil, &fault{Code: -32602, Message: "unknown tool"}
}

// askNow asks as the revisions with a handshake do, and returns what came of it.
func (s *server) askNow(ctx context.Context, kind string, say func([]byte)) []byte {
	q := question(s.rev, kind)
	m := s.ask(ctx, say, q.Method, rawOrNil(q.Params))
	if kind == "url" && m.Error == nil {
		s.notify("notifications/elicitation/complete", object{"elicitationId": "page-1"})
	}
	return outcome(m)
}

// askOutside asks when no request may be open, and tells in a log message what came of it.
func (s *server) askOutside(kind string) {
	q := question(s.rev, kind)
	s.mu.Lock()
	aside := s.aside
	s.mu.Unlock()
	m := <-s.askLater(aside, q.Method, rawOrNil(q.Params))
	aside(notification("notifications/message", object{"level": "error", "logger": "outside " + kind, "data": string(outcome(m))}).line())
}

// outcome is the result of an answer, or its error.
func outcome(m message) []byte {
	if m.Error != nil {
		return encode(object{"error": m.Error})
	}
	return m.Result
}

// askInResult asks as 2026-07-28 does, and refuses a client that has not declared this,
// unless it is told to be rude.
func (s *server) askInResult(m message, kind string) (object, *fault) {
	if answer := at(m.Params, "inputResponses", "question"); answer != nil {
		return said(string(encode(answer))), nil
	}
	if at(m.Params, "arguments", "rude") == nil && !s.declared(kind) {
		return nil, &fault{Code: -32021, Message: "missing capability", Data: object{"requiredCapabilities": capabilityOf[kind]}}
	}
	q := question(s.rev, kind)
	return object{"resultType": "input_required", "requestState": "state of " + kind, "inputRequests": object{"question": q}}, nil
}

// work reports progress, and logs.
func (s *server) work(m message, say func([]byte)) {
	s.mu.Lock()
	level := s.level
	s.mu.Unlock()
	if s.modern() {
		level, _ = at(m.Params, "_meta", meta+"logLevel").(string)
	}
	token := at(m.Params, "_meta", "progressToken")
	for i := range 3 {
		progress := object{"progressToken": token, "progress": i + 1, "total": 3}
		if s.rev >= rev20250326 {
			progress["message"] = "going on"
		}
		if token != nil {
			say(notification("notifications/progress", progress).line())
		}
	}
	if slices.Contains([]string{"debug", "info"}, level) {
		say(notification("notifications/message", object{"level": "info", "logger": "work", "data": "worked"}).line())
	}
}

// rawOrNil keeps params that are not there from being written as null.
func rawOrNil(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return raw
}
