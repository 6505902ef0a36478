package wire

import (
	"bytes"
	"testing"
)

func TestLineIsKeptExactly(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"plain", `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		{"odd spacing and escapes", "\t{ \"a\" : \"\\u00e9\\/<>&\u2028\" }\r"},
		{"big number", `{"n":123456789012345678901234567890.10}`},
		{"not UTF-8", "{\"a\":\"\xff\xfe\"}"},
		{"empty", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var buf bytes.Buffer
			if err := NewWriter(&buf, 7).Line(ToServer, []byte(tt.line), false); err != nil {
				t.Fatal(err)
			}
			got, err := Read(&buf)
			if err != nil || len(got) != 1 {
				t.Fatalf("Read = %d records, %v, want 1", len(got), err)
			}
			if r := got[0]; string(r.Raw()) != tt.line || r.Dir != ToServer || r.PID != 7 {
				t.Errorf("record = %q %s of %d, want %q > of 7", r.Raw(), r.Dir, r.PID, tt.line)
			}
		})
	}
}

func TestReadSaysWhichRecordIsBad(t *testing.T) {
	_, err := Read(bytes.NewBufferString("{\"dir\":\">\",\"line\":\"x\"}\nnot json\n"))
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("record 2")) {
		t.Errorf("Read = %v, want an error about record 2", err)
	}
}
