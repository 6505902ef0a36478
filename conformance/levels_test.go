package conformance

import (
	"bytes"
	"io"
	"testing"
)

// However much a bridge tells, its output holds the lines of the protocol and nothing
// else, and each line of its log is tagged.
//
// req: P01
func TestOutputAtEveryLevel(t *testing.T) {
	recording, records := recorded(t, "opening.jsonl")
	bridge, child := built(t)
	for level, told := range map[string]bool{"error": false, "warn": false, "info": true, "debug": true} {
		t.Run(level, func(t *testing.T) {
			editor := prepare(t, bridge, "--log-level", level, "--", child, "recorded", recording)
			var log bytes.Buffer
			editor.cmd.Stderr = io.MultiWriter(&log, t.Output())
			editor.start(t)
			checkDifferences(t, replay(t, editor, records), ruled)
			editor.send(t, []byte(`{"jsonrpc":"2.0","id":"x","method":"no/such"}`))
			editor.answer(t, `"x"`)
			editor.end(t)
			checkLog(t, log.String())
			if told != (log.Len() > 0) {
				t.Errorf("the log is %q, want one: %v", log.String(), told)
			}
		})
	}
}
