package conformance

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A difference is one between a recorded answer and the one through the bridge.
type difference struct {
	Request       string // method, and the cursor of a later page
	Path          string
	Recorded, Got string // a JSON value, object, array, or absent
	Rule          string // of the translation
}

// What an editor sees through the bridge in front of a server of 2026-07-28, where
// a server of its own revision stood in the recording: the same but for this.
var ruled = []difference{
	// The bridge declares no more than it serves.
	{"initialize", "result.capabilities.completions", "object", absent, "T32"},
	{"initialize", "result.capabilities.logging", "object", absent, "T32"},
	{"initialize", "result.capabilities.prompts.listChanged", "true", absent, "T32"},
	{"initialize", "result.capabilities.resources.listChanged", "true", absent, "T32"},
	{"initialize", "result.capabilities.resources.subscribe", "true", absent, "T32"},
	{"initialize", "result.capabilities.tools.listChanged", "true", absent, "T32"},

	// What is not declared is not served.
	{"logging/setLevel", "error", absent, "object", "T33"},
	{"logging/setLevel", "error.code", absent, "-32601", "T33"},
	{"logging/setLevel", "error.data", absent, "object", "T92"},
	{"logging/setLevel", "error.data.cause", absent, `"method_not_found"`, "T92"},
	{"logging/setLevel", "error.message", absent, anyText, "T92"},
	{"logging/setLevel", "result", "object", absent, "T33"},

	// An array says what its items are.
	{"tools/list p2", "result.tools[7 arr_no_items].inputSchema.properties.a.items", absent, "object", "T80"},
	{"tools/list p2", "result.tools[9 d2020].inputSchema.properties.b.items", absent, "object", "T80"},
}

// The editor's own lines, byte for byte, each sent once the answers that stand
// before it in the recording have come.
//
// req: W09, W12
func TestRecordedOpening(t *testing.T) {
	recording, err := filepath.Abs(filepath.Join("testdata", "opening.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	records := readRecording(t, recording)
	bridge, child := built(t)
	editor := start(t, bridge, "--", child, "recorded", recording)
	names := map[string]string{} // id to what was asked
	var got []difference
	for _, rec := range records {
		if rec.Dir == wire.ToServer {
			if id, name := asked(t, rec.Raw()); id != "" {
				names[id] = name
			}
			editor.send(t, rec.Raw())
			continue
		}
		id, _ := asked(t, rec.Raw())
		for _, d := range differences(t, rec.Raw(), editor.answer(t, id)) {
			d.Request = names[id]
			got = append(got, d)
		}
	}
	editor.end(t)

	want := slices.Clone(ruled)
	for i := range want {
		want[i].Rule = ""
	}
	slices.SortFunc(got, byPlace)
	slices.SortFunc(want, byPlace)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("differences to the recording (-with a rule +seen):\n%s", diff)
	}
}

func byPlace(a, b difference) int {
	return cmp.Or(cmp.Compare(a.Request, b.Request), cmp.Compare(a.Path, b.Path))
}

func readRecording(t *testing.T, name string) []wire.Record {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := wire.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// asked returns the raw id of a line, and what it asks for.
func asked(t *testing.T, line []byte) (id, name string) {
	t.Helper()
	var f struct {
		ID     json.RawMessage
		Method string
		Params struct{ Cursor string }
	}
	if err := json.Unmarshal(line, &f); err != nil {
		t.Fatalf("line %s: %v", line, err)
	}
	name = f.Method
	if f.Params.Cursor != "" {
		name += " " + f.Params.Cursor
	}
	return string(f.ID), name
}
