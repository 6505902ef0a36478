package run

import (
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

func TestJudgeEnds(t *testing.T) {
	asked := wire.Record{PID: 1, Dir: wire.ToServer, Line: `{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover"}`}
	opened := wire.Record{PID: 1, Dir: wire.ToServer, Line: `{"jsonrpc":"2.0","id":0,"method":"initialize"}`}
	for _, tt := range []struct {
		name    string
		records []wire.Record
		faults  int
	}{
		{"ended", []wire.Record{opened, {PID: 1, Dir: wire.ToClient, End: true}}, 0},
		{"only its input ended", []wire.Record{opened, {PID: 1, Dir: wire.ToServer, End: true}}, 1},
		{"killed after a question", []wire.Record{asked}, 0},
		{"another one killed", []wire.Record{asked, {PID: 2, Dir: wire.ToServer, Line: opened.Line}}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := new(Report)
			judgeEnds(Front, tt.records, r)
			if len(r.Faults) != tt.faults {
				t.Errorf("faults %v, want %d", r.Faults, tt.faults)
			}
		})
	}
}

func TestJudgeExchanges(t *testing.T) {
	asked := wire.Record{PID: 1, Dir: wire.ToServer, Line: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}
	told := wire.Record{PID: 2, Dir: wire.ToServer, Line: `{"jsonrpc":"2.0","method":"notifications/cancelled"}`}
	for _, tt := range []struct {
		name    string
		records []wire.Record
		faults  int
	}{
		{"ended by the server", []wire.Record{asked, {PID: 1, Dir: wire.ToClient, End: true}}, 0},
		{"ended by the client", []wire.Record{asked, {PID: 1, Dir: wire.ToServer, End: true}}, 0},
		{"left open", []wire.Record{asked}, 1},
		{"one of two left open", []wire.Record{asked, {PID: 1, Dir: wire.ToClient, End: true}, {PID: 2, Dir: wire.ToServer, Line: asked.Line}}, 1},
		{"of no request", []wire.Record{told, {PID: 2, Dir: wire.ToClient, End: true}}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := new(Report)
			judgeExchanges(Session{Over: OverHTTP}.Upstream(), tt.records, r)
			if len(r.Faults) != tt.faults {
				t.Errorf("faults %v, want %d", r.Faults, tt.faults)
			}
		})
	}
}
