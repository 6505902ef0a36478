package conformance

import (
	"bytes"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// An editor that closes the input right behind its last request gets that answer,
// 50 times of 50.
func TestT21LastRequestIsAnswered(t *testing.T) {
	recording, records := recorded(t, "opening.jsonl")
	if records[0].Dir != wire.ToServer {
		t.Fatal("the recording does not begin with the editor")
	}
	bridge, child := built(t)
	for range 50 {
		editor := start(t, bridge, "--", child, "recorded", recording)
		editor.send(t, records[0].Raw())
		editor.answer(t, "1")
		editor.send(t, []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"bye"}}}`))
		if err := editor.in.Close(); err != nil {
			t.Fatal(err)
		}
		if got := editor.answer(t, "2"); !bytes.Contains(got, []byte("echo:bye")) {
			t.Errorf("answer %s, want echo:bye", got)
		}
		editor.gone(t)
	}
}
