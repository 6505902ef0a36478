package peers

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/official"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// What the demo shows of the bridge is valid on both wires. Its editor and its
// server do wrong things on purpose.
//
// req: X06
func TestDemoIsValid(t *testing.T) {
	kit, bridge := prepared(t)
	out, err := exec.CommandContext(t.Context(), bridge[0], "demo", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var front, upstream []wire.Record
	for line := range bytes.Lines(out) {
		var step struct {
			Wires []struct {
				Editor, Server struct{ Sent, Received []string }
			}
		}
		if err := json.Unmarshal(line, &step); err != nil {
			t.Fatal(err)
		}
		for _, x := range step.Wires {
			if !slices.ContainsFunc(x.Editor.Sent, isBroken) { // no judge finds the request that its answer belongs to
				front = appendLines(front, wire.ToServer, x.Editor.Sent)
				front = appendLines(front, wire.ToClient, x.Editor.Received)
			}
			upstream = appendLines(upstream, wire.ToServer, x.Server.Received)
			upstream = appendLines(upstream, wire.ToClient, x.Server.Sent)
		}
	}
	r := new(run.Report)
	for w, records := range map[*run.Wire][]wire.Record{&run.Front: front, &run.Upstream: upstream} {
		rev, err := official.Load(kit.Schemas(), w.Revision)
		if err != nil {
			t.Fatal(err)
		}
		run.Judge(*w, rev, records, r)
	}
	checkFrames(t, r)
}

func isBroken(line string) bool { return !json.Valid([]byte(line)) }

func appendLines(records []wire.Record, dir wire.Dir, lines []string) []wire.Record {
	for _, line := range lines {
		records = append(records, wire.Record{Dir: dir, Line: line})
	}
	return records
}
