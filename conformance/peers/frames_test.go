package peers

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// What recorded editors send to open a session, and what the bridge makes of it on both
// wires, is valid.
//
// req: W16
func TestRecordedOpeningsAreValid(t *testing.T) {
	kit, bridge := prepared(t)
	for _, name := range []string{"opening", "no-capabilities", "environment"} {
		t.Run(name, func(t *testing.T) {
			recording, err := filepath.Abs(filepath.Join("..", "testdata", name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, rec := range readRecords(t, recording) {
				if rec.Dir == wire.ToServer && !rec.End {
					lines = append(lines, string(rec.Raw()))
				}
			}
			r := playedLines(t, kit, bridge, []string{"recorded", recording}, lines)
			checkFrames(t, r)
			if len(r.Listed) > 0 {
				t.Errorf("frames of the editor or the server are invalid: %v", r.Listed)
			}
		})
	}
}

// opening is how a session begins.
var opening = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
}

// What the bridge answers to an editor that does everything wrong is valid too, and
// nothing of it goes upstream.
//
// req: W16
func TestW16AnswersToMistakesAreValid(t *testing.T) {
	kit, bridge := prepared(t)
	lines := append(slices.Clone(opening),
		`{"jsonrpc":"2.0","id":2,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"loud"}}`,
		`{"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"file:///a"}}`, // not offered
		`{"jsonrpc":"2.0","id":9,"method":"tasks/list"}`,
		`{"jsonrpc":"2.0","id":10,"method":"server/discover"}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`[{"jsonrpc":"2.0","id":11,"method":"ping"}]`,
		`{"id":12`+"\xff"+`}`,
		`{"jsonrpc":"2.0","id":13,"id":14,"method":"ping"}`,
		`no message with an "id"`,
	)
	r := playedLines(t, kit, bridge, []string{"newer"}, lines)
	for _, f := range r.Faults {
		// What has no id that can be answered has no answer that the judge can tell.
		if err := f.Err.Error(); err != "answers no open request" && err != "no answer to ping" {
			t.Errorf("wrong: %v", f)
		}
	}
	if got, want := r.BridgeFrames, len(lines)-1+1; got != want { // one for each line with an id, and server/discover
		t.Errorf("the bridge wrote %d frames, want %d", got, want)
	}
}

// exceptions are the frames toward an editor that are not valid for its revision, each
// for a rule that wants it so. A frame upstream has no exception.
var exceptions = []struct {
	rule, line string // what the editor sends
	fault      string // a part of what the judge says of the answer
	listed     bool   // the line itself is not valid
}{
	{"T74", `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"list"}}`, "not a CallToolResult", false},
	{"T75", `{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"block"}}`, "not a CallToolResult", false},
	{"T75", `{"jsonrpc":"2.0","id":12,"method":"prompts/get","params":{"name":"p"}}`, "not a GetPromptResult", false},
	{"T79", `{"jsonrpc":"2.0","id":13,"method":"tools/list"}`, "not a ListToolsResult", false},
	{"T3", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "not a JSONRPCErrorResponse", true},
	{"T3", `{"jsonrpc":"2.0","id":14,"method":"ping"`, "answers no open request", true},
}

// Exactly the exceptions of the table are invalid, and each of them is.
//
// req: W16
func TestW16Exceptions(t *testing.T) {
	kit, bridge := prepared(t)
	lines := slices.Clone(opening)
	for _, e := range exceptions {
		lines = append(lines, e.line)
	}
	r := playedLines(t, kit, bridge, []string{"newer"}, lines)
	for i, e := range exceptions {
		if i >= len(r.Faults) {
			t.Errorf("%s: the answer to %s is valid", e.rule, e.line)
			continue
		}
		if f := r.Faults[i]; f.Wire != run.Front.Name || !strings.Contains(f.Err.Error(), e.fault) {
			t.Errorf("%s: the answer to %s is wrong in another way: %v", e.rule, e.line, f)
		}
	}
	for _, f := range r.Faults[min(len(exceptions), len(r.Faults)):] {
		t.Errorf("no exception: %v", f)
	}
	var listed []string
	for _, f := range r.Listed {
		if f.Wire == run.Front.Name {
			listed = append(listed, f.Frame)
		}
	}
	for _, e := range exceptions {
		if e.listed && !strings.Contains(strings.Join(listed, "\n"), e.line) {
			t.Errorf("%s: the line %s of the editor is valid", e.rule, e.line)
		}
	}
}

func playedLines(t *testing.T, kit *run.Kit, bridge, server, lines []string) *run.Report {
	t.Helper()
	child, err := repository(t).Build(t.Context(), "conformance/fixture/cmd/fixture", filepath.Join(t.TempDir(), "fixture"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	s := run.Session{Bridge: bridge, Record: t.TempDir(), Err: t.Output()}
	r, err := kit.Play(ctx, s, append([]string{child}, server...), lines)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
