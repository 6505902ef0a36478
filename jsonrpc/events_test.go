package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// eventLines reads a stream and returns the lines of its messages, and the
// faults with their ids.
func eventLines(t testing.TB, r *EventReader) []string {
	var all []string
	for {
		m, err := r.Read()
		if err == io.EOF {
			return all
		}
		if e, ok := errors.AsType[*LineError](err); ok {
			all = append(all, fmt.Sprintf("fault %d id %s", e.Fault, e.ID))
			continue
		}
		if err != nil {
			t.Fatalf("Read: %v", err)
		}
		all = append(all, string(m.AppendEdited(nil, nil)))
	}
}

const event = `{"jsonrpc":"2.0","method":"m","params":{"t":"a` + "\u2028\u0085" + `b"}}`

// B26, B28, B29 and the rest of the format.
func TestEventStream(t *testing.T) {
	for _, tt := range []struct {
		name, stream string
		want         []string
	}{
		{"LF", "data: " + event + "\n\n", []string{event}},
		{"CR", "data: " + event + "\r\r", []string{event}},
		{"CRLF", "data: " + event + "\r\n\r\n", []string{event}},
		{"mixed", "data: " + event + "\r\n\ndata: " + event + "\n\r\ndata: " + event + "\r\r\n", []string{event, event, event}},
		{"no space", "data:" + event + "\n\n", []string{event}},
		{"two spaces", "data:  " + event + "\n\n", []string{" " + event}},
		{"byte order mark", "\ufeffdata: " + event + "\n\n", []string{event}},
		{"byte order mark and blank line", "\ufeff\n\ndata: " + event + "\n\n", []string{event}},
		{"second byte order mark", "\ufeff\ufeffdata: " + event + "\n\n", nil},
		{"comments", ": hi\n:\ndata: " + event + "\n: data\n\n:\n\n", []string{event}},
		{"other fields", "event: message\nid: 1\nretry: 5\nfoo: bar\nfoobar\ndata: " + event + "\n\n", []string{event}},
		{"long names", "datax: 1\ndat: 1\n" + strings.Repeat("d", 9999) + ": 1\ndata: " + event + "\n\n", []string{event}},
		{"several lines", "data: {\"jsonrpc\":\ndata:\ndata\ndata: \"2.0\",\r\ndata:\"method\":\"m\"}\n\n", []string{`{"jsonrpc":   "2.0", "method":"m"}`}},
		{"line ending in a string", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\ndata: b\"}\n\n", []string{"fault 1 id 1"}},
		{"line ending in a number", "data: {\"jsonrpc\":\"2.0\",\"id\":1\ndata: 2,\"method\":\"m\"}\n\n", []string{"fault 1 id "}},
		{"other type", "event: endpoint\ndata: /messages\n\ndata: " + event + "\n\n", []string{event}},
		{"empty type", "event:\ndata: " + event + "\n\n", []string{event}},
		{"no data", "id: 1\n\nevent: message\n\ndata\n\ndata:\n\ndata: " + event + "\n\n", []string{event}},
		{"cut at the end", "data: " + event + "\n\ndata: " + event + "\n", []string{event}},
		{"bad", "data: {\"method\":\"\\x\",\"id\":7}\n\ndata: [1]\n\ndata: " + event + "\n\n", []string{"fault 1 id 7", "fault 2 id ", event}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := eventLines(t, NewEventReader(strings.NewReader(tt.stream), nil))
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("%q\n got %q\nwant %q", tt.stream, got, tt.want)
			}
			for size := 1; size < 40; size += 3 {
				r := newEventReader(iotest.HalfReader(strings.NewReader(tt.stream)), nil, size, uint(size%5))
				if got := eventLines(t, r); strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
					t.Errorf("buffer %d\n got %q\nwant %q", size, got, tt.want)
				}
			}
		})
	}
}

// What stands between two lines of data does not come out as a line ending.
func TestEventLineEndingsBecomeSpaces(t *testing.T) {
	tokens := []string{"{", `"jsonrpc"`, ":", `"2.0"`, ",", `"method"`, ":", `"a\r\n"`, ",", `"x"`, ":", "[", "1", ",", "null", "]", "}"}
	want := strings.Join(tokens, " ")
	for _, end := range []string{"\n", "\r", "\r\n"} {
		stream := "data:" + strings.Join(tokens, end+"data:") + end + end
		for size := 1; size < 20; size++ {
			r := newEventReader(strings.NewReader(stream), nil, size, uint(size%5))
			if got := eventLines(t, r); len(got) != 1 || got[0] != want {
				t.Errorf("ending %q, buffer %d: %q, want %q", end, size, got, want)
			}
		}
	}
}

func TestEventFields(t *testing.T) {
	r := NewEventReader(strings.NewReader(": a\nid: 1\nretry: 1500\ndata: "+event+"\n\n"+
		":\n\nid: x\x00\nretry: -1\nretry: soon\nretry: 9223372036854775807\nretry: 4294967296\nretry:\ndata: "+event+"\n\nid\ndata: "+event+"\n\n"+
		"id: "+strings.Repeat("i", maxFieldValue+1)+"\ndata: "+event+"\n\nid: last\n\n"), nil)
	for i, want := range []string{"1", "1", "", ""} {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		if got := r.LastID(); got != want {
			t.Errorf("event %d: LastID() = %q, want %q", i, got, want)
		}
		if got := r.Retry(); got != 1500*time.Millisecond {
			t.Errorf("event %d: Retry() = %v", i, got)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("Read: %v, want EOF", err)
	}
	if r.LastID() != "last" || r.Comments() != 2 {
		t.Errorf("at the end: LastID() = %q, Comments() = %d, want last and 2", r.LastID(), r.Comments())
	}
}

// A name or value that does not matter takes no memory.
func TestEventFieldsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	r := NewEventReader(strings.NewReader(long+": 1\n"+long+"\nid: "+long+"\nevent: "+long+"\nretry: "+long+"\n\ndata: "+event+"\n\n"), nil)
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	if cap(r.name) > 64 || cap(r.value) > 2*maxFieldValue {
		t.Errorf("the buffers of fields have %d and %d bytes", cap(r.name), cap(r.value))
	}
}

func TestEventSizes(t *testing.T) {
	const limit = 1 << 20
	for _, n := range []int{readSize - 1, readSize, readSize + 1, 1<<chunkShift + 1, limit - 1, limit, limit + 1, 3 * limit} {
		line := sized(n)
		r := NewEventReader(strings.NewReader("data: "+line+"\n\ndata: "+event+"\n\n"), &ReaderOptions{MaxLine: limit})
		m, err := r.Read()
		switch {
		case n > limit:
			if e, ok := err.(*LineError); !ok || e.Fault != FaultTooLong || string(e.ID) != "5" {
				t.Errorf("%d bytes: %v, want too long with id 5", n, err)
			}
		case err != nil || string(m.AppendEdited(nil, nil)) != line || text(m, m.ID) != "5":
			t.Errorf("%d bytes: %v, or the text came back changed", n, err)
		case m.Big() != (n > readSize):
			t.Errorf("%d bytes: Big() = %v", n, m.Big())
		}
		if m, err := r.Read(); err != nil || m.Kind != KindNotification {
			t.Errorf("%d bytes: next Read: %v", n, err)
		}
	}
}

func TestEventHold(t *testing.T) {
	line := sized(2 * readSize)
	r := NewEventReader(strings.NewReader(strings.Repeat("data: "+line+"\n\n", 3)), nil)
	m, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	m.Hold()
	for range 2 {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(m.AppendEdited(nil, nil)); got != line {
		t.Error("the held message changed")
	}
	m.Release()
}

func TestEventReadError(t *testing.T) {
	broken := errors.New("broken")
	r := NewEventReader(io.MultiReader(strings.NewReader("data: "+event+"\n\ndata: "), iotest.ErrReader(broken)), nil)
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.Read(); err != broken {
			t.Errorf("Read: %v, want %v", err, broken)
		}
	}
}

func TestReadingEventsDoesNotAllocate(t *testing.T) {
	data := strings.Replace(smallCall, ",", ",\r\ndata: ", 3)
	r := NewEventReader(&loopReader{line: "event: message\r\nid: 12\r\ndata: " + data + "\r\n\r\n: hi\r\n\r\n"}, callOptions)
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}

// Lines in events give what lines in a stream give, however they are cut.
func FuzzEvents(f *testing.F) {
	for i, line := range splitLines {
		f.Add([]byte(line), uint8(i*16), uint8(i))
	}
	f.Fuzz(func(t *testing.T, line []byte, size, ending uint8) {
		if bytes.ContainsAny(line, "\r\n") {
			t.Skip("more than one line")
		}
		o := &ReaderOptions{Members: []string{"name", "_meta", "arguments"}, MaxDepth: 6, MaxLine: 100}
		end := [...]string{"\n", "\r", "\r\n"}[ending%3]
		stream := "data:" + end + "data: " + string(line) + end + end
		r := newEventReader(&raggedReader{src: stream}, o, int(size)+1, uint(ending%9))
		m, err := r.Read()
		want, wantErr := Parse(append([]byte(" "), line...), o)
		if bytes.HasPrefix(line, []byte(byteOrderMark)) {
			return // no byte order mark is dropped inside a stream
		}
		if len(bytes.Trim(line, " \t")) == 0 {
			if err != io.EOF {
				t.Errorf("blank data: %v, want EOF", err)
			}
			return
		}
		if err == io.EOF {
			t.Fatalf("%q: no event", stream)
		}
		compare(t, []outcome{outcomeOf(m, err)}, []outcome{outcomeOf(want, wantErr)}, "%q", stream)
	})
}

func BenchmarkEvents(b *testing.B) {
	r := NewEventReader(&loopReader{line: "event: message\ndata: " + smallCall + "\n\n"}, callOptions)
	b.SetBytes(int64(len(smallCall)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Read(); err != nil {
			b.Fatal(err)
		}
	}
}
