package conformance

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// marker stands in every value that must not come out of a bridge but where it
// belongs: in what it passes on, and in lines of the server's own log.
const marker = "m4rk3r"

// A bridge that tells as much as it can tells nothing of what passes through it, nor
// of what it and its server were started with.
//
// req: P03, P04
func TestMarkersComeOutNowhere(t *testing.T) {
	recording, _ := recorded(t, "opening.jsonl")
	bridge, child := built(t)
	for _, tt := range []struct {
		name    string
		options []string
		server  []string
		lines   []string // after initialize
		log     string   // a part of the log that shows that it happened
		code    int      // of the exit
	}{
		{
			"success", nil, []string{child, "recorded", recording, "--key", marker},
			[]string{
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"m4rk3r"},"_meta":{"progressToken":"m4rk3r"}}}`,
				`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"m4rk3r","arguments":{"m4rk3r":"m4rk3r"}}}`,
				`{"jsonrpc":"2.0","id":4,"method":"m4rk3r/m4rk3r","params":{"m4rk3r":1}}`,
				`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"m4rk3r"}}`,
				`{"jsonrpc":"2.0","id":6,"m4rk3r`,
			},
			"outcome=ok", 0,
		},
		{"no such server", nil, []string{"m4rk3r-server", "--key", marker}, nil, "its command was not found", 1},
		{"a server at a URL", nil, []string{"https://m4rk3r/?m4rk3r"}, nil, "its command is a URL", 1},
		{"server that exits", nil, []string{child, "m4rk3r"}, nil, "status=2", 1},
		{"server without an answer", []string{"--discover-timeout", "50ms"}, []string{child, "silent", marker}, nil, "cannot initialize", 0},
		{"too large a line", []string{"--max-line-bytes", "4KiB"}, []string{child, "sized", marker},
			[]string{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + strings.Repeat(marker, 1000) + `"}}`}, "cause=too_large", 0},
		{"too large an answer", []string{"--max-line-bytes", "4KiB"}, []string{child, "sized", marker},
			[]string{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"text","arguments":{"bytes":10000,"m4rk3r":"m4rk3r"}}}`}, "outcome=response_too_large", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			command := append([]string{bridge, "--log-level", "debug"}, tt.options...)
			editor := prepare(t, append(append(command, "--"), tt.server...)...)
			editor.cmd.Env = append(editor.cmd.Env, "MCP_BRIDGE_CLIENT_SECRET=m4rk3r", "MCP_BRIDGE_TOKEN_KEY=m4rk3r", "M4RK3R=m4rk3r")
			var log bytes.Buffer
			editor.cmd.Stderr = io.MultiWriter(&log, t.Output())
			editor.start(t)
			for _, line := range append([]string{markedInitialize}, tt.lines...) {
				editor.send(t, []byte(line))
				editor.checkMade(t)
			}
			if tt.code == 0 { // else the bridge ends by itself
				editor.in.Close()
			}
			if rest, _ := io.ReadAll(editor.out); len(rest) > 0 {
				t.Errorf("more output: %s", rest)
			}
			editor.in.Close()
			editor.cmd.Wait() // the code says it
			if got := editor.cmd.ProcessState.ExitCode(); got != tt.code {
				t.Errorf("exit code %d, want %d", got, tt.code)
			}
			if !strings.Contains(log.String(), tt.log) {
				t.Errorf("the log does not hold %q", tt.log)
			}
			checkLog(t, log.String())
		})
	}
}

const markedInitialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"m4rk3r","version":"m4rk3r"}}}`

// checkLog wants each line of standard error to be tagged, and to hold no marker unless
// the server wrote it.
func checkLog(t *testing.T, log string) {
	t.Helper()
	for line := range strings.Lines(log) {
		text, ok := strings.CutPrefix(line, "mcp-bridge-vscode: ")
		if !ok || strings.Contains(strings.ToLower(text), marker) && !strings.HasPrefix(text, "[server] ") {
			t.Errorf("stderr: %q", line)
		}
	}
}

// checkMade reads an answer. If the bridge has made it, it holds no marker.
func (e *editor) checkMade(t *testing.T) {
	t.Helper()
	line, err := e.line(t)
	if err != nil {
		t.Errorf("answer %q: %v", line, err)
		return
	}
	var f struct {
		Error struct{ Data struct{ Cause string } }
	}
	if err := json.Unmarshal(line, &f); err != nil {
		t.Errorf("answer %q: %v", line, err)
	}
	if f.Error.Data.Cause != "" && bytes.Contains(bytes.ToLower(line), []byte(marker)) {
		t.Errorf("an error of the bridge: %s", line)
	}
}
