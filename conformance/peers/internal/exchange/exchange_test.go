package exchange

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// record makes a record of lines that begin with their direction.
func record(lines string) []wire.Record {
	var all []wire.Record
	for line := range strings.Lines(lines) {
		dir, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if text != "" {
			all = append(all, wire.Record{Dir: wire.Dir(dir), Line: text})
		}
	}
	return all
}

const plain = `
	> {"id":1,"method":"tools/call","params":{"name":"a"}}
	< {"id":7,"method":"elicitation/create","params":{"message":"x","elicitationId":"e"}}
	> {"id":7,"result":{}}
	< {"id":"r","method":"roots/list"}
	> {"id":"r","result":{}}
	< {"method":"notifications/progress","params":{"progress":1}}
	< {"id":1,"result":{"content":[]}}
	> {"id":2,"method":"tools/call","params":{"name":"a"}}
	< {"id":2,"result":{}}
	< {"method":"notifications/tools/list_changed"}
`

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string // in plain
		want           []Difference
	}{
		{"the same", "", "", nil},
		{"ids", `"id":7`, `"id":8`, nil},
		{"names of questions", `"e"`, `"f"`, nil},
		{"a change twice", "< {\"method\":\"notifications/tools/list_changed\"}", "< {\"method\":\"notifications/tools/list_changed\"}\n< {\"method\":\"notifications/tools/list_changed\"}", nil},
		{"kind of an id", `"id":7`, `"id":"b-7"`, []Difference{{"tools/call a", "asks[0].id", `"a number"`, `"a string"`}}},
		{"a question", `"x"`, `"y"`, []Difference{{"tools/call a", "asks[0].params.message", `"x"`, `"y"`}}},
		{"progress", `"progress":1`, `"progress":2`, []Difference{{"tools/call a", "says.notifications/progress[0].progress", "1", "2"}}},
		{"a leak", `{"content":[]}`, `{"content":[],"x":{"y":1}}`, []Difference{{"tools/call a", "answer.result.x", "absent", "object"}}},
		{"an answer again", `"id":2,"result":{}`, `"id":2,"error":{}`, []Difference{
			{"tools/call a 2", "answer.error", "absent", "object"}, {"tools/call a 2", "answer.result", "object", "absent"},
		}},
		{"no change", "< {\"method\":\"notifications/tools/list_changed\"}\n", "", []Difference{{"changes", "", "object", "absent"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := plain
			if tt.old != "" {
				other = strings.ReplaceAll(plain, tt.old, tt.new)
			}
			got, err := Compare(record(plain), record(other))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}
