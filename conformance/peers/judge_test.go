package peers

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/internal/official"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// The recorded wires hold sessions with two independent servers, deliberate
// faults of the client among them. What the schemas say about them is known, so a
// judge that sees too little or too much is found out.
func TestJudgeRecordedWires(t *testing.T) {
	kit := preparedKit(t)
	for _, tt := range []struct {
		file, revision string
		want           map[string]int // finding, shortened, to how often it comes
	}{
		{"session-2025-go-everything", run.FrontRevision, map[string]int{
			"> no/such: no such method in the revision": 1,
		}},
		{"session-2025-ts-dual", run.FrontRevision, map[string]int{
			"> no/such: no such method in the revision": 1,
		}},
		{"go-everything-2026-stdio", run.UpstreamRevision, map[string]int{
			"> initialize: no such method in the revision":          1,
			"> ping: no such method in the revision":                1,
			"> logging/setLevel: no such method in the revision":    1,
			"> resources/subscribe: no such method in the revision": 1,
			"> no/such: no such method in the revision":             1,
			"> not a ListToolsRequest":                              2, // without _meta, or a part of it
			"< result of tools/list: not a ListToolsResultResponse": 1, // the answer to one of them, in an older shape
		}},
		{"ts-2026-stdio", run.UpstreamRevision, map[string]int{
			"> initialize: no such method in the revision": 1,
			"> ping: no such method in the revision":       1,
			"> no/such: no such method in the revision":    1,
			"> not a ListToolsRequest":                     2,
			"< no answer to subscriptions/listen":          1, // open when the recording ends
		}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			records, err := wire.ReadFile(filepath.Join("testdata", "wire", tt.file+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			rev, err := official.Load(kit.Schemas(), tt.revision)
			if err != nil {
				t.Fatal(err)
			}
			r := new(run.Report)
			run.Judge(run.Wire{Name: "recorded", Revision: tt.revision}, rev, records, r)
			if r.Frames != len(records) || len(r.Faults) > 0 {
				t.Errorf("judged %d frames with %d faults of a bridge, want %d and none", r.Frames, len(r.Faults), len(records))
			}
			got := map[string]int{}
			for _, f := range r.Listed {
				got[shortened(f)]++
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// shortened leaves out where in the schema a finding is.
func shortened(f run.Finding) string {
	first, _, _ := strings.Cut(f.Err.Error(), ": jsonschema validation")
	return fmt.Sprint(f.Dir, " ", first)
}

// What the bridge wrote is judged harder than what its peers wrote.
func TestJudgeFindsWhatTheBridgeOwes(t *testing.T) {
	kit := preparedKit(t)
	const modernList = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` +
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, tt := range []struct {
		name   string
		wire   run.Wire
		record []wire.Record
		fault  string // part of the one fault; empty for none
		listed int
	}{
		{"nothing wrong", run.Front, []wire.Record{
			{Dir: wire.ToServer, Line: list},
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`},
		}, "", 0},
		{"a member of the newer revision", run.Front, []wire.Record{
			{Dir: wire.ToServer, Line: list},
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":1}}`},
		}, "ttlMs", 0},
		{"an invalid result", run.Front, []wire.Record{
			{Dir: wire.ToServer, Line: list},
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{"tools":[{}]}}`},
		}, "not a ListToolsResult", 0},
		{"no answer", run.Front, []wire.Record{{Dir: wire.ToServer, Line: list}}, "no answer to tools/list", 0},
		{"a line without its end", run.Front, []wire.Record{
			{Dir: wire.ToServer, Line: list},
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`, Open: true},
		}, "no line ending", 0},
		{"noise", run.Front, []wire.Record{{Dir: wire.ToClient, Line: "starting…"}}, "not JSON", 0},
		{"an answer to another process", run.Front, []wire.Record{
			{PID: 1, Dir: wire.ToServer, Line: list},
			{PID: 1, Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`},
			{PID: 2, Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`},
		}, "no open request", 0},
		{"a client's fault is listed", run.Front, []wire.Record{
			{Dir: wire.ToServer, Line: `{"jsonrpc":"2.0","id":1,"method":"no/such"}`},
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`},
		}, "", 1},
		{"a request upstream without its metadata", run.Upstream, []wire.Record{
			{Dir: wire.ToServer, Line: list},
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}`},
		}, "not a ListToolsRequest", 0},
		{"a request over HTTP that the bridge gave up on", run.Session{Over: run.OverHTTP}.Upstream(), []wire.Record{
			{PID: 1, Dir: wire.ToServer, Line: modernList},
			{PID: 1, Dir: wire.ToServer, End: true},
		}, "", 0},
		{"a request over HTTP that the server did not answer is listed", run.Session{Over: run.OverHTTP}.Upstream(), []wire.Record{
			{PID: 1, Dir: wire.ToServer, Line: modernList},
			{PID: 1, Dir: wire.ToClient, End: true},
		}, "", 1},
		{"an answer over HTTP to another request is listed", run.Session{Over: run.OverHTTP}.Upstream(), []wire.Record{
			{PID: 1, Dir: wire.ToServer, Line: modernList},
			{PID: 2, Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}`},
			{PID: 1, Dir: wire.ToServer, End: true},
		}, "", 1},
		{"a server's fault is listed", run.Upstream, []wire.Record{
			{Dir: wire.ToClient, Line: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		}, "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rev, err := official.Load(kit.Schemas(), tt.wire.Revision)
			if err != nil {
				t.Fatal(err)
			}
			r := new(run.Report)
			run.Judge(tt.wire, rev, tt.record, r)
			switch {
			case tt.fault == "" && len(r.Faults) > 0:
				t.Errorf("faults %v, want none", r.Faults)
			case tt.fault != "" && (len(r.Faults) != 1 || !strings.Contains(r.Faults[0].String(), tt.fault)):
				t.Errorf("faults %v, want one with %q", r.Faults, tt.fault)
			}
			if len(r.Listed) != tt.listed {
				t.Errorf("listed %v, want %d", r.Listed, tt.listed)
			}
			if r.OK() != (tt.fault == "") {
				t.Errorf("OK = %v", r.OK())
			}
		})
	}
}
