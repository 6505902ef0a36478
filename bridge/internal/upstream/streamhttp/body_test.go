package streamhttp

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// writes counts how often it is written to.
type writes struct {
	text  []byte
	count int
}

func (w *writes) Write(p []byte) (int, error) {
	w.count++
	w.text = append(w.text, p...)
	return len(p), nil
}

// A small request costs one packet, not one for its head and one for its body.
func TestSmallBodyGoesWithItsHead(t *testing.T) {
	freed := 0
	b := newBody(&mcpwire.Frame{Exchange: 1, Lit: []byte(`{"a":1}`)}, func(size int) { freed += size })
	for range 2 { // it may be sent again
		r, err := http.NewRequest(http.MethodPost, "http://localhost/", b.reader())
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = int64(b.size)
		var w writes
		if err := r.Write(&w); err != nil {
			t.Fatal(err)
		}
		if text := string(w.text); w.count != 1 || !strings.HasSuffix(text, "\r\n\r\n{\"a\":1}") {
			t.Errorf("%d writes of %q, want 1 of the whole request", w.count, text)
		}
	}
	b.release()
	if freed != b.size {
		t.Errorf("%d bytes were given back, want %d", freed, b.size)
	}
	if b.reader() != nil {
		t.Error("a body that was given back can be read")
	}
}
