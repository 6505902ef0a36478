package drive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A Run is one run of a scenario.
type Run struct {
	Scenario string
	Context  string   // JSON that the scenario hands over; may be empty
	Bridge   []string // the command, the URL of the scenario's server included
	Env      []string // of the bridge
	SignIn   SignIn
	Err      io.Writer
}

// Do carries out what the scenario wants of a client. An error that the scenario may be
// about is written to r.Err, and Do goes on: whether it had to be is for the suite to say.
func (r Run) Do(ctx context.Context) error {
	bridge, env, err := r.prepared()
	if err != nil {
		return err
	}
	e, err := start(ctx, bridge, env, r.Err)
	if err != nil {
		return fmt.Errorf("start the bridge: %w", err)
	}
	err = e.open()
	if err == nil {
		err = r.play(e)
	}
	if closeErr := e.close(); err == nil && closeErr != nil {
		err = fmt.Errorf("end the bridge: %w", closeErr)
	}
	return err
}

// A tool is one of a list. Its schema is kept as it came.
type tool struct {
	Name        string
	InputSchema json.RawMessage
}

func (r Run) play(e *editor) error {
	if r.Scenario == "request-metadata" {
		return nil // its server has nothing more than server/discover
	}
	var list struct{ Tools []tool }
	if err := e.request("tools/list", nil, &list); err != nil {
		return err
	}
	switch {
	case r.Scenario == "tools_call":
		return call(e, "add_numbers", object{"a": 5, "b": 3})
	case r.Scenario == "elicitation-sep1034-client-defaults":
		return call(e, "test_client_elicitation_defaults", object{})
	case r.Scenario == "sse-retry":
		return call(e, "test_reconnection", object{})
	case r.Scenario == "sep-2322-client-request-state":
		for _, name := range []string{"echo_state", "no_state", "unrelated", "no_result_type"} {
			r.attempt(call(e, "test_mrtr_"+name, object{}))
		}
	case r.Scenario == "http-standard-headers":
		r.useFirst(e, list.Tools)
	case r.Scenario == "http-custom-headers":
		return r.callAsTold(e)
	case r.Scenario == "http-invalid-tool-headers":
		for _, t := range list.Tools {
			r.attempt(call(e, t.Name, object{"region": "us-west1"}))
		}
	case r.Scenario == "json-schema-2020-12-preservation":
		return echoSchema(e, list.Tools)
	case strings.HasPrefix(r.Scenario, "auth/"):
		return call(e, "test-tool", object{})
	}
	return nil
}

func (r Run) attempt(err error) {
	if err != nil {
		fmt.Fprintln(r.Err, "driver:", err)
	}
}

func call(e *editor, name string, arguments any) error {
	return e.request("tools/call", object{"name": name, "arguments": arguments}, nil)
}

// useFirst uses the first tool, resource and prompt.
func (r Run) useFirst(e *editor, tools []tool) {
	if len(tools) > 0 {
		r.attempt(call(e, tools[0].Name, object{}))
	}
	var list struct {
		Resources []struct{ URI string }
		Prompts   []struct{ Name string }
	}
	r.attempt(e.request("resources/list", nil, &list))
	if len(list.Resources) > 0 {
		r.attempt(e.request("resources/read", object{"uri": list.Resources[0].URI}, nil))
	}
	r.attempt(e.request("prompts/list", nil, &list))
	if len(list.Prompts) > 0 {
		r.attempt(e.request("prompts/get", object{"name": list.Prompts[0].Name, "arguments": object{}}, nil))
	}
}

// callAsTold makes the calls that the scenario hands over, with their arguments as they
// are written there.
func (r Run) callAsTold(e *editor) error {
	var told struct {
		ToolCalls []struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(r.Context), &told); err != nil {
		return fmt.Errorf("read the context of the scenario: %w", err)
	}
	for _, c := range told.ToolCalls {
		r.attempt(call(e, c.Name, c.Arguments))
	}
	return nil
}

// echoSchema hands the schema of a tool back to the server.
func echoSchema(e *editor, tools []tool) error {
	for _, t := range tools {
		if t.Name == "json_schema_2020_12_tool" {
			return call(e, "json_schema_echo", object{"schema": t.InputSchema})
		}
	}
	return fmt.Errorf("the list has no tool with a schema to echo")
}
