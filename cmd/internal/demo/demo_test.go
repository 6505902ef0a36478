package demo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// run runs the demo in a bubble, which no goroutine may outlive.
func run(t *testing.T, o *Options) (out string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		err = Run(t.Context(), &b, o)
		out = b.String()
	})
	return out, err
}

// req: X06
func TestRun(t *testing.T) {
	out, err := run(t, &Options{})
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, out)
	}
	for _, want := range []string{"(T10)", "(T21)", "(W11)", "(T110)", "(T124)", " 24 steps, 28 exchanges, 45 rules shown: "} {
		if !strings.Contains(out, want) {
			t.Errorf("output has no %q", want)
		}
	}
}

// A frame that is not the expected one is shown, and ends the demo with an error.
func TestRunDiffers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(s []step)
		want  string
	}{
		{"to the server", func(s []step) { s[0].exchanges[0].toServer = []string{`{"x":1}`} }, "step 1: to the server: another frame\nwant {\"x\":1}\ngot  {"},
		{"from the server", func(s []step) { s[0].exchanges[0].fromServer = []string{`{"x":1}`} }, "step 1: from the server: another frame\nwant {\"x\":1}\ngot  {"},
		{"to the editor", func(s []step) { s[0].exchanges[0].toEditor = []string{`{"x":1}`} }, "step 1: to the editor: another frame\nwant {\"x\":1}\ngot  {"},
		{"in a later exchange", func(s []step) { s[5].exchanges[1].toServer = []string{`{"x":1}`} }, "step 6: to the server: another frame\nwant {\"x\":1}\ngot  {"},
		{"a frame too many", func(s []step) { s[20].exchanges[0].toEditor = nil }, "to the editor: a"}, // at once, or where the next one is awaited
	} {
		t.Run(tt.name, func(t *testing.T) {
			spoiled := slices.Clone(script)
			for i := range spoiled {
				spoiled[i].exchanges = slices.Clone(spoiled[i].exchanges)
			}
			tt.spoil(spoiled)
			out, err := run(t, &Options{script: spoiled})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Run = %v, want an error with %q", err, tt.want)
			}
			if strings.Contains(out, "exchanges") {
				t.Errorf("output has a summary:\n%s", out)
			}
		})
	}
}

// The lines of JSON hold the frames of the script, byte for byte.
func TestRunJSON(t *testing.T) {
	out, err := run(t, &Options{JSON: true})
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, out)
	}
	records := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
	if got, want := len(records), len(script)+1; got != want {
		t.Fatalf("%d lines, want %d", got, want)
	}
	for i, s := range script {
		var got stepRecord
		if err := json.Unmarshal([]byte(records[i]), &got); err != nil {
			t.Fatal(err)
		}
		same := func(r exchangeRecord, f frames) bool {
			return slices.Equal(r.Editor.Sent, f.fromEditor) && slices.Equal(r.Editor.Received, f.toEditor) &&
				slices.Equal(r.Server.Received, f.toServer) && slices.Equal(r.Server.Sent, f.fromServer)
		}
		if got.Step != i+1 || got.Ends != s.endsInput || !slices.EqualFunc(got.Wires, s.exchanges, same) {
			t.Errorf("line %d = %s, want the frames of step %d", i+1, records[i], i+1)
		}
	}
	var sum summaryRecord
	if err := json.Unmarshal([]byte(records[len(script)]), &sum); err != nil {
		t.Fatal(err)
	}
	if want := (summaryRecord{len(script), countExchanges(script), countRules(script)}); sum != want {
		t.Errorf("summary = %+v, want %+v", sum, want)
	}
}

func TestShortener(t *testing.T) {
	s := newShortener()
	for _, tt := range []struct{ name, frame, want string }{
		{"first", `{"io.modelcontextprotocol/a":{"x":[1,"}"]},"b":1}`, `{"io.mcp/a":{"x":[1,"}"]},"b":1}`},
		{"again", `{"io.modelcontextprotocol/a":{"x":[1,"}"]},"b":1}`, `{…,"b":1}`},
		{"another value", `{"io.modelcontextprotocol/a":2}`, `{"io.mcp/a":2}`},
		{"side by side", `{"io.modelcontextprotocol/a":2,"io.modelcontextprotocol/a":{"x":[1,"}"]}}`, `{…}`},
		{"last", `{"b":1,"io.modelcontextprotocol/a":2}`, `{"b":1,…}`},
		{"other names", `{"io.example/a":1}`, `{"io.example/a":1}`},
	} {
		if got := s.shorten(tt.frame); got != tt.want {
			t.Errorf("%s: shorten(%s) = %s, want %s", tt.name, tt.frame, got, tt.want)
		}
	}
}
