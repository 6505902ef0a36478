package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// role makes the test binary the program itself.
const role = "TRESTLE_EXAMPLE"

// patience bounds waits for a process; nothing takes that long.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(role) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

// program returns the program, not yet started.
func program(t *testing.T) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), role+"=1")
	cmd.Stderr = t.Output()
	return cmd
}

// A line is a message, as far as these tests look at it.
type line struct {
	ID     json.RawMessage
	Method string
	Result map[string]json.RawMessage
	Error  *struct{ Code int }
}

func parsed(t *testing.T, text []byte) line {
	t.Helper()
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l
}

// What Visual Studio Code has sent in a recorded session, and what it would send next.
func TestEditorOfToday(t *testing.T) {
	cmd := program(t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	answers := map[string]line{}
	ask := func(text string) line {
		io.WriteString(in, text+"\n")
		for parsed(t, []byte(text)).ID != nil {
			got, err := out.ReadBytes('\n')
			if err != nil {
				t.Fatalf("%s has no answer: %v", text, err)
			}
			l := parsed(t, got)
			if l.Method == "" && string(l.ID) == string(parsed(t, []byte(text)).ID) || l.Method == "elicitation/create" {
				return l
			}
		}
		return line{}
	}
	for _, text := range recorded(t, "../../../conformance/testdata/opening.jsonl") {
		l := ask(text)
		answers[string(l.ID)] = l
		for _, newer := range []string{"resultType", "ttlMs", "cacheScope"} {
			if l.Result[newer] != nil {
				t.Errorf("%s has %s in its answer", text, newer)
			}
		}
	}
	for id, want := range map[string]struct{ member, holds string }{
		"1": {"protocolVersion", `"2025-11-25"`},
		"4": {"tools", `"name":"greet"`},
		"6": {"content", `"text":"hi"`},
	} {
		if got := string(answers[id].Result[want.member]); !strings.Contains(got, want.holds) {
			t.Errorf("answer to %s: %s is %s, want %s in it", id, want.member, got, want.holds)
		}
	}
	form := ask(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"greet","arguments":{}}}`)
	if form.Method != "elicitation/create" {
		t.Fatalf("the editor got %+v, want a form", form)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":`+string(form.ID)+`,"result":{"action":"accept","content":{"name":"Ada"}}}`+"\n")
	got, _ := out.ReadBytes('\n')
	if l := parsed(t, got); string(l.ID) != "7" || !strings.Contains(string(l.Result["content"]), "Hello, Ada!") {
		t.Errorf("greet gave %s", got)
	}
	in.Close()
	if rest, err := io.ReadAll(out); len(rest) > 0 || err != nil {
		t.Errorf("at the end came %q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program has ended by %v", err)
	}
}

// recorded returns what the client has sent in a recorded session.
func recorded(t *testing.T, name string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(text)) {
		var r struct{ Dir, Line string }
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatal(err)
		}
		if r.Dir == ">" && r.Line != "" {
			lines = append(lines, r.Line)
		}
	}
	return lines
}

// client returns a client of the go-sdk, which fills in forms with a name.
func client(o mcp.ClientOptions) *mcp.Client {
	o.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
	}
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &o)
}

// A client of the go-sdk of either revision is served by the same program.
func TestClientsOfTheSDK(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			ctx := t.Context()
			session, err := client(mcp.ClientOptions{}).Connect(ctx, &mcp.CommandTransport{Command: program(t), TerminateDuration: patience},
				&mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("the session is of %s, want %s", got, version)
			}
			tools, err := session.ListTools(ctx, nil)
			if err != nil || len(tools.Tools) != 2 {
				t.Errorf("ListTools = %v, %v, want two tools", tools, err)
			}
			for _, tt := range []struct {
				tool      string
				arguments any
				want      string
			}{
				{"echo", map[string]any{"text": "hi"}, "hi"},
				{"greet", map[string]any{}, "Hello, Ada!"},
			} {
				r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
				if err != nil || len(r.Content) != 1 || r.Content[0].(*mcp.TextContent).Text != tt.want {
					t.Errorf("%s = %+v, %v, want %s", tt.tool, r, err, tt.want)
				}
			}
			if err := session.Close(); err != nil {
				t.Errorf("Close = %v", err)
			}
		})
	}
}

// A tool that comes later is heard of, on either path.
func TestListChanged(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			server := newServer()
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- serve(t.Context(), in, out, t.Output(), server) }()
			changed := make(chan struct{}, 10)
			c := client(mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
			session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := session.ListTools(t.Context(), nil); err != nil { // the stream of notifications is open, too
				t.Fatal(err)
			}
			mcp.AddTool(server, &mcp.Tool{Name: "later"}, echo)
			select {
			case <-changed:
			case <-time.After(patience):
				t.Error("nothing was heard of the new tool")
			}
			session.Close()
			if err := <-done; err != nil {
				t.Errorf("serve = %v", err)
			}
		})
	}
}

// At the end of the input a call that waits holds nobody up for longer than the grace.
func TestEndDuringACall(t *testing.T) {
	for name, opening := range map[string]string{
		"older": `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		"newer": `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer()
			begun, ended := make(chan struct{}), make(chan struct{})
			mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
				close(begun)
				<-ctx.Done()
				close(ended)
				return nil, nil, ctx.Err()
			})
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			done := make(chan error, 1)
			go func() {
				done <- serve(t.Context(), in, out, t.Output(), server)
				out.Close()
			}()
			lines := bufio.NewReader(fromServer)
			io.WriteString(toServer, opening+"\n")
			if got, err := lines.ReadString('\n'); err != nil || !strings.Contains(got, `"result"`) {
				t.Fatalf("the opening gave %s, %v", got, err)
			}
			io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{},`+
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n")
			<-begun
			toServer.Close()
			go io.Copy(io.Discard, lines)
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("serve = %v", err)
				}
			case <-time.After(patience):
				t.Error("serve does not return")
			}
			<-ended
		})
	}
}
