package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/official"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// judge wants each frame on both wires to have the shape of its revision, and no member of
// 2026-07-28 where the front is older.
func judge(t *testing.T, kit *run.Kit, p *pair, record string) {
	t.Helper()
	upstream, err := wire.ReadFile(record)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if len(p.records) == 0 || len(upstream) == 0 {
		t.Errorf("%d frames in front and %d behind, want some", len(p.records), len(upstream))
	}
	judgeWire(t, kit, "front", p.agreed, wire.ToClient, p.records, p.odd, !ours(p))
	judgeWire(t, kit, "upstream", p.rev, wire.ToServer, upstream, nil, !ours(p))
}

// judgeWire judges the frames of one wire. What the bridge has written may be invalid where
// an odd id says so; it asks a server of which nothing is known; and a form of a peer, and what is
// answered to it, passes: one of them asks as a newer revision does.
func judgeWire(t *testing.T, kit *run.Kit, name, rev string, bridge wire.Dir, records []wire.Record, odd map[string]bool, peer bool) {
	t.Helper()
	var c *official.Conversation
	if kit != nil {
		// The first revision has no schema there; the second has all of it.
		schema, err := official.Load(kit.Schemas(), max(rev, rev20250326))
		if err != nil {
			t.Fatal(err)
		}
		c = official.NewConversation(schema)
	}
	for _, rec := range records {
		line := rec.Raw()
		if rec.End || bytes.HasPrefix(line, []byte("[")) || bytes.HasPrefix(line, []byte("/")) || len(line) == 0 {
			continue // no frame: the end, an array, or the path of a transport
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			if rec.Dir == bridge {
				t.Errorf("%s %s %v\n    %.600s", name, rec.Dir, err, line)
			}
			continue
		}
		if leaks := official.Leaks(line); rev != rev20260728 && rec.Dir == bridge && len(leaks) > 0 && m.Method != "server/discover" {
			t.Errorf("%s: members of %s: %q\n    %.600s", name, rev20260728, leaks, line)
		}
		if c == nil {
			continue
		}
		err := c.Judge(rec.Dir, line)
		excused := odd[string(m.ID)] || name == "upstream" && m.Method == "server/discover"
		if err == nil || rec.Dir != bridge || excused || peer && strings.Contains(err.Error(), "Elicit") {
			continue
		}
		t.Errorf("%s %s %s\n    %.600s", name, rec.Dir, strings.Join(strings.Fields(err.Error()), " "), line)
	}
}
