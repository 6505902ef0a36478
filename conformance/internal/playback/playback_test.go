package playback

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// recording is a session in which each line of the editor is a moment of its own.
var recording = records(`
> {"id":1,"method":"tools/call","params":{"name":"ask"}}
< {"id":"s1","method":"elicitation/create","params":{"elicitationId":"e"}}
> {"id":"s1","result":{"action":"accept"}}
< {"id":"s2","method":"ping"}
> {"id":"s2","result":{}}
< {"id":1,"result":{"n":1}}
< {"method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}
`)

func records(lines string) []wire.Record {
	var all []wire.Record
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		rec := wire.Record{Dir: wire.Dir(line[:1]), Line: strings.TrimSpace(line[2:])}
		rec.At = rec.At.AddDate(len(all), 0, 0)
		all = append(all, rec)
	}
	return all
}

// closer is what the editor writes to.
type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }

func TestPlay(t *testing.T) {
	plan := []Departure{
		{Line: "1 ask: ping", Recorded: InPlace, Got: Absent},
		{Line: "1 ask: notifications/elicitation/complete", Recorded: InPlace, Got: "before 1 ask"},
	}
	const (
		asked = `{"id":"b-1","method":"elicitation/create","params":{"elicitationId":"e-9"}}` + "\n"
		done  = `{"method":"notifications/elicitation/complete","params":{"elicitationId":"e-9"}}` + "\n"
		sent  = `{"id":1,"method":"tools/call","params":{"name":"ask"}}` + "\n" + `{"id":"b-1","result":{"action":"accept"}}` + "\n"
	)
	for _, tt := range []struct {
		name, out string
		more      []Departure // that are seen
		err       string      // part of it
	}{
		{"as planned", asked + done + `{"id":1,"result":{"n":1}}` + "\n", nil, ""},
		{"another value", asked + done + `{"id":1,"result":{"n":2}}` + "\n", []Departure{{Line: "1 ask", Path: "result.n", Recorded: "1", Got: "2"}}, ""},
		{"an error", asked + done + `{"id":1,"error":{"code":-1,"data":{"cause":"x"}}}` + "\n", []Departure{{Line: "1 ask", Path: "error", Recorded: "a result", Got: "-1 x"}}, ""},
		{"another name", asked + strings.Replace(done, "e-9", "e-8", 1) + `{"id":1,"result":{"n":1}}` + "\n",
			[]Departure{{Line: "1 ask: notifications/elicitation/complete", Path: "params.elicitationId", Recorded: `"e"`, Got: `"e-8"`}}, ""},
		{"another order", asked + `{"id":1,"result":{"n":1}}` + "\n" + done, nil, "want 1 ask: notifications/elicitation/complete"},
		{"an answer that does not come", asked + done, nil, "wait for 1 ask"},
		{"another answer", asked + done + `{"id":2,"result":{}}` + "\n", nil, "want 1 ask, got"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in closer
			got, err := Play(&in, bufio.NewReader(strings.NewReader(tt.out)), recording, plan)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("Play = %v, want an error with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append(plan[:len(plan):len(plan)], tt.more...), got); diff != "" {
				t.Errorf("departures (-want +got):\n%s", diff)
			}
			if in.String() != sent {
				t.Errorf("sent\n%swant\n%s", in.String(), sent)
			}
		})
	}
}

func TestPlayWantsALineForEachDeparture(t *testing.T) {
	for _, d := range []Departure{
		{Line: "2 ask", Recorded: InPlace, Got: Absent},
		{Line: "2 ask", Recorded: InPlace, Got: "before 1 ask"},
		{Line: "1 ask", Recorded: InPlace, Got: "before 2 ask"},
	} {
		if _, err := Play(new(closer), bufio.NewReader(strings.NewReader("")), recording, []Departure{d}); err == nil || !strings.Contains(err.Error(), "no line 2 ask") {
			t.Errorf("%v: %v, want that there is no such line", d, err)
		}
	}
}
