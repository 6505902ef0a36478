package official

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A Conversation judges the frames of one client and one server in the order in
// which they passed. A frame that is found invalid still counts for what follows.
type Conversation struct {
	rev  *Revision
	open map[call]*request
}

// A call is a request by the direction it went and its id.
type call struct {
	dir wire.Dir
	id  string
}

type request struct {
	method    string
	cancelled bool
}

// NewConversation returns a Conversation in the revision r.
func NewConversation(r *Revision) *Conversation {
	return &Conversation{rev: r, open: map[call]*request{}}
}

// Judge says what is wrong with a line that went in the direction dir.
func (c *Conversation) Judge(dir wire.Dir, line []byte) error {
	frame, err := parse(line)
	if err != nil {
		return err
	}
	if method, ok := frame["method"].(string); ok {
		return c.message(dir, method, frame)
	}
	return c.response(dir, frame)
}

// Unanswered returns the methods of the requests in the direction dir that got no
// answer and were not cancelled.
func (c *Conversation) Unanswered(dir wire.Dir) []string {
	var methods []string
	for key, r := range c.open {
		if key.dir == dir && !r.cancelled {
			methods = append(methods, r.method)
		}
	}
	slices.Sort(methods)
	return methods
}

// Cancel cancels the requests in the direction dir that are open, as the end of an
// exchange over HTTP does.
func (c *Conversation) Cancel(dir wire.Dir) {
	for key, r := range c.open {
		r.cancelled = r.cancelled || key.dir == dir
	}
}

func (c *Conversation) message(dir wire.Dir, method string, frame map[string]any) error {
	id, isRequest := idOf(frame)
	if isRequest {
		key := call{dir, id}
		if c.open[key] != nil {
			return fmt.Errorf("%s: the id is in use", method)
		}
		c.open[key] = &request{method: method}
	}
	if method == "notifications/cancelled" {
		target := member(frame, "params", "requestId")
		if r := c.open[call{dir, fmt.Sprintf("%T %v", target, target)}]; r != nil {
			r.cancelled = true
		}
	}
	definition, ok := c.rev.messages[method]
	if !ok {
		return fmt.Errorf("%s: no such method in the revision", method)
	}
	if isRequest != strings.HasSuffix(definition, "Request") {
		return fmt.Errorf("%s: not a %s, which has no id or needs one", method, definition)
	}
	return c.rev.valid(definition, frame)
}

func (c *Conversation) response(dir wire.Dir, frame map[string]any) error {
	_, isResult := frame["result"]
	_, isError := frame["error"]
	if isResult == isError {
		return errors.New("neither a method, a result nor an error, or both of the latter")
	}
	id, hasID := idOf(frame)
	if !hasID && isError {
		return c.errorResponse(frame)
	}
	key := call{opposite(dir), id}
	r := c.open[key]
	if r == nil {
		return errors.New("answers no open request")
	}
	delete(c.open, key)
	if isError {
		return c.errorResponse(frame)
	}
	if err := c.result(r.method, frame); err != nil {
		return fmt.Errorf("result of %s: %w", r.method, err)
	}
	return nil
}

// result judges by the definition of the whole response, where the revision has
// one for the method, and else by that of its result.
func (c *Conversation) result(method string, frame map[string]any) error {
	request, ok := c.rev.messages[method]
	if !ok {
		return errors.New("no such method in the revision")
	}
	name := strings.TrimSuffix(request, "Request") + "Result"
	if c.rev.has(name + "Response") {
		return c.rev.valid(name+"Response", frame)
	}
	if !c.rev.has(name) {
		name = "EmptyResult"
	}
	if err := c.rev.valid(c.rev.frame("JSONRPCResultResponse", "JSONRPCResponse"), frame); err != nil {
		return err
	}
	return c.rev.valid(name, frame["result"])
}

func (c *Conversation) errorResponse(frame map[string]any) error {
	if err := c.rev.valid(c.rev.frame("JSONRPCErrorResponse", "JSONRPCError"), frame); err != nil {
		return err
	}
	definition, ok := c.rev.errors[fmt.Sprint(member(frame, "error", "code"))]
	if !ok {
		return nil
	}
	if member(c.rev.definitions[definition], "properties", "error") != nil {
		return c.rev.valid(definition, frame)
	}
	return c.rev.valid(definition, frame["error"])
}

func opposite(dir wire.Dir) wire.Dir {
	if dir == wire.ToServer {
		return wire.ToClient
	}
	return wire.ToServer
}
