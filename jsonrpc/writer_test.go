package jsonrpc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestWriterErrors(t *testing.T) {
	broken := errors.New("broken")
	m, err := NewReader(strings.NewReader(sized(2*readSize)), nil).Read()
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(w *Writer) error{
		"big":   func(w *Writer) error { return w.Write(m, nil) },
		"flush": func(w *Writer) error { w.WriteLine([]byte("x")); return w.Flush() },
		"full":  func(w *Writer) error { return w.WriteLine(bytes.Repeat([]byte("x"), writeSize)) },
	} {
		w := NewWriter(brokenWriter{broken})
		if err := f(w); err != broken {
			t.Errorf("%s: %v, want %v", name, err, broken)
		}
		if err := w.Flush(); err != broken {
			t.Errorf("%s, again: %v, want %v", name, err, broken)
		}
	}
	w := NewWriter(brokenWriter{})
	w.WriteLine([]byte("x"))
	if err := w.Flush(); err != io.ErrShortWrite {
		t.Errorf("short write: %v, want %v", err, io.ErrShortWrite)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// Lines are gathered; a big one follows what was gathered before it.
func TestWriterOrder(t *testing.T) {
	big := sized(5 * readSize)
	var want strings.Builder
	var out bytes.Buffer
	w := NewWriter(&out)
	r := NewReader(strings.NewReader(good+"\n"+big+"\n"+good+"\n"), nil)
	for _, insert := range []string{"1", "2", "3"} {
		m, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(m, []Edit{{Off: 1, Insert: []byte(`"n":` + insert + `,`)}}); err != nil {
			t.Fatal(err)
		}
		line := string(m.AppendEdited(nil, nil))
		want.WriteString(`{"n":` + insert + `,` + line[1:] + "\n")
	}
	if err := w.WriteLine([]byte("last")); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != want.String()+"last\n" {
		t.Error("what was written is wrong")
	}
}

// A writer keeps neither a large buffer nor the chunks of a big message.
func TestWriterKeepsLittle(t *testing.T) {
	w := NewWriter(io.Discard)
	w.WriteLine(make([]byte, 1<<20))
	if cap(w.buf) > 2*writeSize {
		t.Errorf("a buffer of %d bytes is kept", cap(w.buf))
	}
	m, err := NewReader(strings.NewReader(sized(3<<chunkShift)), nil).Read()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(m, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.big[:cap(w.big)] {
		if s != nil {
			t.Fatal("a chunk is kept")
		}
	}
}
