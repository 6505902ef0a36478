package main

import (
	"context"
	"encoding/json"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// ask returns the result of a round in which each of questions is asked, or the
// answers, as text, if they are there.
func ask(r *request, questions object) (object, *jsonrpc.Error) {
	if r.Answers == nil {
		return round(questions, "asked"), nil
	}
	text, err := json.Marshal(r.Answers)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "wrong answers"}
	}
	return content("answered %s", text)
}

func round(questions object, state string) object {
	return object{"resultType": "input_required", "inputRequests": questions, "requestState": state}
}

func question(method string, params object) object {
	return object{"method": method, "params": params}
}

// forms are by the argument kind. The editor asks for the fields in the order of
// their names, in which they are encoded here.
var forms = map[string]object{
	"name": {
		"type": "object", "required": []string{"name"},
		"properties": object{"name": object{"type": "string", "title": "Your name", "minLength": 1}},
	},
	"all": {
		"type": "object", "required": []string{"a_text", "b_mail", "c_age", "d_ok", "e_colour", "f_size", "g_many"},
		"properties": object{
			"a_text":   object{"type": "string", "title": "A text", "maxLength": 20},
			"b_mail":   object{"type": "string", "title": "A mail address", "format": "email"},
			"c_age":    object{"type": "integer", "title": "An age", "minimum": 1, "maximum": 150},
			"d_ok":     object{"type": "boolean", "title": "A yes or no"},
			"e_colour": object{"type": "string", "title": "A colour", "enum": []string{"red", "green"}},
			"f_size": object{"type": "string", "title": "A size", "oneOf": []object{
				{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"},
			}},
			"g_many": object{"type": "array", "title": "Some letters", "items": object{"type": "string", "enum": []string{"a", "b", "c"}}},
		},
	},
	"more": {
		"type": "object", "required": []string{"a_number", "b_page", "c_day", "d_time", "e_shape", "e_sizes"},
		"properties": object{
			"a_number": object{"type": "number", "title": "A number"},
			"b_page":   object{"type": "string", "title": "A page", "format": "uri"},
			"c_day":    object{"type": "string", "title": "A day", "format": "date"},
			"d_time":   object{"type": "string", "title": "A time", "format": "date-time"},
			"e_shape":  object{"type": "string", "title": "A shape", "enum": []string{"ro", "sq"}, "enumNames": []string{"Round", "Square"}},
			"e_sizes": object{"type": "array", "title": "Some sizes", "items": object{"anyOf": []object{
				{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"},
			}}},
			"f_note":   object{"type": "string", "title": "A note", "default": "as it was"},
			"g_remark": object{"type": "string", "title": "A remark"},
		},
	},
	// The editor enforces no pattern.
	"pattern": {
		"type": "object", "required": []string{"code"},
		"properties": object{"code": object{"type": "string", "title": "A code of three digits", "pattern": "^[0-9]{3}$"}},
	},
	"empty": {"type": "object", "properties": object{}},
}

func form(kind string) object {
	return question("elicitation/create", object{"mode": "form", "message": "Fill in the form " + kind, "requestedSchema": forms[kind]})
}

func askForm(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	kind := r.text("kind")
	if forms[kind] == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such form"}
	}
	return ask(r, object{"form": form(kind)})
}

func link(r *request) object {
	return object{"link": question("elicitation/create", object{
		"mode": "url", "message": "Confirm on the site", "url": r.text("url"),
	})}
}

func askLink(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return ask(r, link(r))
}

// askAgain asks for its page twice, as a server does that waits for what a person does
// there.
func askAgain(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	if r.State == "asked" {
		return round(link(r), "asked again"), nil
	}
	return ask(r, link(r))
}

// askAndWait works after it has asked.
func askAndWait(s *server, ctx context.Context, r *request) (object, *jsonrpc.Error) {
	if r.Answers == nil {
		return round(object{"form": form("name")}, "asked"), nil
	}
	return wait(s, ctx, r)
}

func askBoth(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return ask(r, object{"form": form("name"), "roots": question("roots/list", object{})})
}

func askModel(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return ask(r, object{"model": question("sampling/createMessage", object{
		"messages":     []object{{"role": "user", "content": object{"type": "text", "text": "Capital of France?"}}},
		"systemPrompt": "be brief", "maxTokens": 50,
	})})
}

func askRoots(_ *server, _ context.Context, r *request) (object, *jsonrpc.Error) {
	return ask(r, object{"roots": question("roots/list", object{})})
}
