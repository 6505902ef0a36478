// Package drive plays an editor of revision 2025-11-25 to a bridge, as the scenarios of
// the official conformance suite for clients want it.
package drive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// An editor has one request open at a time, and answers what it is asked meanwhile.
type editor struct {
	visit  func(address string) error // opens a page for the person
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	lastID int
}

// A frame is a message of either side.
type frame struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *refusal        `json:"error,omitempty"`
}

// A refusal is the error of a response.
type refusal struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Error is the code and the text, and the cause where the error is the bridge's own.
func (r *refusal) Error() string {
	var data struct{ Cause string }
	if json.Unmarshal(r.Data, &data) != nil || data.Cause == "" {
		return fmt.Sprintf("%d %s", r.Code, r.Message)
	}
	return fmt.Sprintf("%d %s (%s)", r.Code, r.Message, data.Cause)
}

// object is a JSON object.
type object = map[string]any

// start starts a bridge in an environment.
func start(ctx context.Context, bridge, env []string, errs io.Writer) (*editor, error) {
	e := &editor{
		visit: func(address string) error {
			fmt.Fprintln(errs, "driver: a page is opened")
			return Visit(ctx, address)
		},
		cmd: exec.CommandContext(ctx, bridge[0], bridge[1:]...),
	}
	e.cmd.Env, e.cmd.Stderr = env, errs
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewReader(out)
	return e, e.cmd.Start()
}

// close ends the input of the bridge, and waits for its end.
func (e *editor) close() error {
	e.in.Close() // the bridge may be gone
	io.Copy(io.Discard, e.out)
	return e.cmd.Wait()
}

func (e *editor) open() error {
	err := e.request("initialize", object{
		"protocolVersion": "2025-11-25",
		"clientInfo":      object{"name": "Visual Studio Code", "version": "1.120.0"},
		"capabilities": object{
			"roots": object{"listChanged": true}, "sampling": object{}, "elicitation": object{"form": object{}, "url": object{}},
		},
	}, nil)
	if err != nil {
		return err
	}
	return e.send(frame{Method: "notifications/initialized"})
}

// request sends a request, and decodes its result into result, which may be nil.
func (e *editor) request(method string, params, result any) error {
	e.lastID++
	id := fmt.Sprint(e.lastID)
	if err := e.send(frame{ID: json.RawMessage(id), Method: method, Params: params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		var raw json.RawMessage
		f := frame{Params: &raw, Result: result}
		if err := e.receive(&f); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case f.Method != "" && f.ID != nil:
			if err := e.answer(f, raw); err != nil {
				return fmt.Errorf("%s: %w", f.Method, err)
			}
		case f.Method != "":
		case string(f.ID) != id:
			return fmt.Errorf("%s: the answer has the id %s, not %s", method, f.ID, id)
		case f.Error != nil:
			return fmt.Errorf("%s: %w", method, f.Error)
		default:
			return nil
		}
	}
}

func (e *editor) send(f frame) error {
	f.Version = "2.0"
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	_, err = e.in.Write(append(line, '\n'))
	return err
}

func (e *editor) receive(f *frame) error {
	line, err := e.out.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return errors.New("the bridge has ended its output")
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(line, f)
}

// answer answers a question of the bridge. A page that it asks to be opened is opened.
func (e *editor) answer(f frame, params json.RawMessage) error {
	if f.Method == "elicitation/create" {
		var page struct{ Mode, URL string }
		json.Unmarshal(params, &page) // a form has neither
		if page.Mode == "url" {
			if err := e.visit(page.URL); err != nil {
				return err
			}
			return e.send(frame{ID: f.ID, Result: object{"action": "accept"}})
		}
	}
	return e.send(frame{ID: f.ID, Result: said(f.Method, params)})
}

// said is what the person and the editor say to a question.
func said(method string, params json.RawMessage) any {
	switch method {
	case "elicitation/create":
		return object{"action": "accept", "content": filled(params)}
	case "sampling/createMessage":
		return object{"role": "assistant", "model": "none", "content": object{"type": "text", "text": "ok"}}
	case "roots/list":
		return object{"roots": []any{}}
	}
	return object{}
}

// filled fills in a form: what has a default gets it, and what is yes or no gets yes.
func filled(params json.RawMessage) object {
	var form struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Type    string
				Default any
			}
		}
	}
	json.Unmarshal(params, &form) // one without fields is filled in without any
	content := object{}
	for name, field := range form.RequestedSchema.Properties {
		switch {
		case field.Default != nil:
			content[name] = field.Default
		case field.Type == "boolean":
			content[name] = true
		case field.Type == "string":
			content[name] = "x"
		}
	}
	return content
}
