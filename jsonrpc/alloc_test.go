package jsonrpc

import (
	"context"
	"io"
	"testing"
)

// smallCall is a request of the usual size.
const smallCall = `{"jsonrpc":"2.0","id":1234,"method":"tools/call","params":{"name":"search_files","arguments":{"path":"/srv/project/src/lib/x","pattern":"*.go","recursive":true,"limit":100,"note":"a \"quoted\" word","exclude":["vendor","node_modules"]},"_meta":{"progressToken":1234,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`

// loopReader gives the same lines for ever.
type loopReader struct {
	line string
	at   int
}

func (r *loopReader) Read(b []byte) (int, error) {
	n := copy(b, r.line[r.at:])
	r.at = (r.at + n) % len(r.line)
	return n, nil
}

var callOptions = &ReaderOptions{Members: []string{"_meta", "name", "arguments", "cursor", "uri"}}

var (
	newID   = []byte("77")
	newMeta = []byte(`"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",`)
)

// forward reads a message, puts something into its _meta, gives it another id
// and writes it.
type forward struct {
	r     *Reader
	w     *Writer
	edits []Edit
}

func newForward(line string) *forward {
	return &forward{NewReader(&loopReader{line: line}, callOptions), NewWriter(io.Discard), nil}
}

func (f *forward) one() error {
	m, err := f.r.Read()
	if err != nil {
		return err
	}
	meta := m.Member(0).Value
	f.edits = append(f.edits[:0],
		Edit{m.ID.Off, m.ID.Len(), newID},
		Edit{meta.Off + 1, 0, newMeta})
	return f.w.Write(m, f.edits)
}

func TestForwardingDoesNotAllocate(t *testing.T) {
	for name, line := range map[string]string{
		"request":  smallCall,
		"response": `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"h\u00e9llo"}],"\u005fmeta":{"a":1}}}`,
	} {
		f := newForward(line + "\n\n")
		if n := testing.AllocsPerRun(2000, func() {
			if err := f.one(); err != nil {
				t.Fatal(err)
			}
			f.r.Buffered()
		}); n != 0 {
			t.Errorf("%s: %v allocations a message, want 0", name, n)
		}
	}
}

func TestReadingValuesDoesNotAllocate(t *testing.T) {
	m, err := Parse([]byte(smallCall), callOptions)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, 1024)
	count := 0
	if n := testing.AllocsPerRun(1000, func() {
		w := m.Walk(m.Params)
		for w.Next() {
			if w.NameIs("arguments") {
				w.Enter()
				for w.Next() {
					count++
				}
				w.Leave()
			}
		}
		id, _ := m.Int(m.ID)
		count += int(id)
		buf, _ = m.AppendString(buf[:0], m.Method)
		if !m.Is(m.Method, "tools/call") || !m.Equal(m.ID, []byte("1234")) {
			t.Fatal("wrong values")
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// A call makes the copy of its result, and nothing else on either side.
func TestCallAllocations(t *testing.T) {
	p, q := Pipe()
	result := []byte(`{"ok":true}`)
	a := NewConn(p, p, nil)
	b := NewConn(q, q, &ConnOptions{OnRequest: func(context.Context, string, []byte) ([]byte, error) { return result, nil }})
	go a.Run(t.Context())
	go b.Run(t.Context())
	params := []byte(`{"name":"x"}`)
	if n := testing.AllocsPerRun(2000, func() {
		if _, err := a.Call(t.Context(), "tools/call", params); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("%v allocations a call on both sides, want 1", n)
	}
}

func BenchmarkForward(b *testing.B) {
	f := newForward(smallCall + "\n")
	b.SetBytes(int64(len(smallCall)))
	b.ReportAllocs()
	for b.Loop() {
		if err := f.one(); err != nil {
			b.Fatal(err)
		}
	}
}
