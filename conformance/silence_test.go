package conformance

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A server that never answers costs the editor a bounded wait, and a person reads
// why in one line. The bridge stays until the editor ends it.
//
// req: P18, U06
func TestRecordedSessionWithoutAnswer(t *testing.T) {
	_, records := recorded(t, "no-answer.jsonl")
	bridge, child := built(t)
	observer := observe(t)
	const timeout = 100 * time.Millisecond
	editor := prepare(t, bridge, "--discover-timeout", timeout.String(), "--", child, "--observer", observer.address(), "silent")
	var log bytes.Buffer
	editor.cmd.Stderr = io.MultiWriter(&log, t.Output())
	editor.start(t)
	observer.started(t)
	begin := time.Now()
	if differences := replay(t, editor, records); len(differences) > 0 {
		t.Errorf("differences %v, want none: nothing was answered", differences)
	}
	got := string(editor.answer(t, "1"))
	if took := time.Since(begin); took < timeout {
		t.Errorf("answered after %v, want the server to have had %v", took, timeout)
	}
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}`
	if got != want {
		t.Errorf("answer\n%s\nwant\n%s", got, want)
	}
	if last := records[len(records)-1]; last.Dir != wire.ToServer || !last.End {
		t.Error("the recording does not end with the editor's input")
	}
	editor.end(t)
	observer.gone(t)
	if lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n"); len(lines) != 1 || !strings.HasPrefix(lines[0], "mcp-bridge-vscode: ERROR ") {
		t.Errorf("stderr %q, want one line with an error", lines)
	}
}

// An editor that gives up right after its first request leaves nothing behind.
//
// req: P02
func TestRecordedSessionGivenUp(t *testing.T) {
	_, records := recorded(t, "no-answer.jsonl")
	bridge, child := built(t)
	observer := observe(t)
	editor := start(t, bridge, "--", child, "--observer", observer.address(), "silent")
	observer.started(t)
	replay(t, editor, records)
	editor.end(t)
	observer.gone(t)
}
