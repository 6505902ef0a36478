package jsonrpc

import (
	"strings"
	"testing"
)

// A line may be an array where the reader is told so; nothing of its elements is looked at.
func TestBatches(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       []string // elements; nil is a fault
	}{
		{"messages", `[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"}]`, []string{`{"jsonrpc":"2.0","id":1,"method":"a"}`, `{"jsonrpc":"2.0","method":"b"}`}},
		{"white space", " \t[ 1 , [] ] ", []string{`1`, `[]`}},
		{"empty", `[]`, []string{}},
		{"members twice", `[{"id":1,"id":2}]`, []string{`{"id":1,"id":2}`}},
		{"larger than the buffer", `["` + strings.Repeat("x", 2*readSize) + `",2]`, []string{`"` + strings.Repeat("x", 2*readSize) + `"`, `2`}},
		{"not closed", `[1`, nil},
		{"a string", `"[]"`, nil},
		{"a number", `1`, nil},
		{"an object that is no message", `{"a":[]}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := NewReader(strings.NewReader(tt.line+"\n"), &ReaderOptions{Batches: true}).Read()
			if tt.want == nil {
				if err == nil {
					t.Fatal("no fault")
				}
				return
			}
			if err != nil || m.Kind != KindBatch {
				t.Fatalf("read %v, %v", m, err)
			}
			var got []string
			for w := m.Walk(m.Batch); w.Next(); {
				got = append(got, string(m.AppendSpan(nil, w.Skip())))
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("elements %.200q, want %.200q", got, tt.want)
			}
		})
	}
	if _, err := NewReader(strings.NewReader("[]\n"), nil).Read(); err == nil {
		t.Error("an array is a message without being asked for")
	}
	r := NewReader(strings.NewReader("[1]\n"+`{"jsonrpc":"2.0","id":1,"method":"a"}`+"\n"), &ReaderOptions{Batches: true})
	r.Read()
	if m, err := r.Read(); err != nil || m.Kind != KindRequest || !m.Batch.IsZero() {
		t.Errorf("after a batch: %+v, %v", m, err)
	}
}
