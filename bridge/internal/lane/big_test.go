package lane

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// bigLine returns a message that lies in chunks, and its text.
func bigLine(t *testing.T, size int) (*jsonrpc.Reader, *jsonrpc.Message, string) {
	t.Helper()
	text := `{"jsonrpc":"2.0","id":7,"result":{"text":"` + strings.Repeat("0123456789", size/10) + `"}}`
	r := jsonrpc.NewReader(strings.NewReader(text+"\n"+`{"jsonrpc":"2.0","method":"next"}`+"\n"), nil)
	m, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if !m.Big() {
		t.Fatalf("a line of %d bytes is not big", len(text))
	}
	return r, m, text
}

func TestBigLineIsHeldUntilItIsWritten(t *testing.T) {
	forMedia(t, func(t *testing.T, r io.Reader, w io.WriteCloser) {
		l := New(w, Options{Go: start})
		reader, m, text := bigLine(t, 3<<20)
		id := []byte("12345")
		edits := []jsonrpc.Edit{{Off: m.ID.Off, Cut: m.ID.Len(), Insert: id}}
		l.Append(lit(0, "before"))
		l.Append(&mcpwire.Frame{Msg: m, Edits: edits})
		l.Append(lit(0, "after"))
		if got, want := l.Waiting(), len("before\n")+len(text)+4+1+len("after\n"); got != want {
			t.Errorf("Waiting() = %d, want %d", got, want)
		}
		// The caller goes on: its edits and its message are used again.
		copy(id, "xxxxx")
		edits[0] = jsonrpc.Edit{}
		if _, err := reader.Read(); err != nil {
			t.Fatal(err)
		}
		l.Flush()
		all := make(chan string)
		go func() {
			b, _ := io.ReadAll(r)
			all <- string(b)
		}()
		<-l.End()
		l.Close()
		w.Close()
		want := "before\n" + strings.Replace(text, `"id":7`, `"id":12345`, 1) + "\nafter\n"
		if got := <-all; got != want {
			t.Errorf("wrote %d bytes, want %d; start %.60q", len(got), len(want), got)
		}
	})
}

func TestBigLineCanBeTakenBack(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, Options{Go: start})
	_, m, _ := bigLine(t, 1<<20)
	l.Append(&mcpwire.Frame{Exchange: 5, Msg: m})
	l.Append(lit(0, "after"))
	if !l.TakeBack(5) {
		t.Error("TakeBack(5) = false")
	}
	l.Flush()
	<-l.End()
	l.Close()
	if got, want := out.String(), "after\n"; got != want {
		t.Errorf("wrote %.40q, want %q", got, want)
	}
}

// failing fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	n := min(f.left, len(p))
	f.left -= n
	if n < len(p) {
		return n, errors.New("no more")
	}
	return n, nil
}

func TestLostInTheMiddleOfABigLine(t *testing.T) {
	lost := make(chan error, 1)
	l := New(&failing{left: 300_000}, Options{Go: start, Lost: func(err error) { lost <- err }})
	_, m, _ := bigLine(t, 1<<20)
	l.Append(&mcpwire.Frame{Msg: m})
	l.Append(&mcpwire.Frame{Msg: m})
	l.Flush()
	<-lost
	<-l.End()
	l.Close()
	if got := l.Waiting(); got != 0 {
		t.Errorf("Waiting() = %d, want 0", got)
	}
}
