package conformance

import (
	"cmp"
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
	Recorded, Got string // a JSON value, object, array of what, or absent
	Rule          string // of the translation
}

// What an editor sees through the bridge in front of a server of 2026-07-28, where
// a server of its own revision stood in the recording: the same but for this.
var ruled = []difference{
	// An array says what its items are.
	{"tools/list p2", "result.tools[arr_no_items].inputSchema.properties.a.items", absent, "object", "T80"},
	{"tools/list p2", "result.tools[d2020].inputSchema.properties.b.items", absent, "object", "T80"},
}

// An editor opens a session and lists everything. It sends some lines without
// waiting for the answers to those before: the level of the log before it says that
// it is initialized, two lists in one write.
//
// req: W09, W12
func TestRecordedOpening(t *testing.T) {
	recording, records := recorded(t, "opening.jsonl")
	bridge, child := built(t)
	editor := start(t, bridge, "--", child, "recorded", recording)
	checkDifferences(t, replay(t, editor, records), ruled)
	editor.end(t)
}

// Where the server has nothing, the editor sends no request after the first, and
// the server of the other revision has to get none.
func TestRecordedSessionWithoutCapabilities(t *testing.T) {
	recording, records := recorded(t, "no-capabilities.jsonl")
	bridge, child := built(t)
	upstream := filepath.Join(t.TempDir(), "upstream.jsonl")
	editor := start(t, bridge, "--", tap(t), upstream, child, "recorded", recording)
	checkDifferences(t, replay(t, editor, records), nil)
	editor.end(t)

	var got []string
	for _, rec := range readRecording(t, upstream) {
		if rec.Dir == wire.ToServer && !rec.End {
			_, method := asked(t, rec.Raw())
			got = append(got, method)
		}
	}
	if want := []string{"server/discover"}; !slices.Equal(got, want) {
		t.Errorf("the server got %q, want %q", got, want)
	}
}

// checkDifferences compares what a session has shown with what the rules say.
func checkDifferences(t *testing.T, got, want []difference) {
	t.Helper()
	want = slices.Clone(want)
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
