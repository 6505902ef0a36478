package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// sized returns a notification of n bytes with an id last, if it is to be a
// request.
func sized(n int) string {
	const head, tail = `{"method":"m","params":{"t":"`, `"},"jsonrpc":"2.0","id":5}`
	return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
}

// B6: lengths around the buffer, the chunks and the limit.
func TestLineLengths(t *testing.T) {
	const limit = 1 << 20
	for _, n := range []int{
		readSize - 2, readSize - 1, readSize, readSize + 1, 65537,
		1<<chunkShift - 1, 1 << chunkShift, 1<<chunkShift + 1, limit - 1, limit, limit + 1, limit + 2, 3 * limit,
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			line := sized(n)
			r := NewReader(strings.NewReader("\ufeff"+line+ending+good+ending), &ReaderOptions{MaxLine: limit})
			m, err := r.Read()
			switch {
			case n > limit:
				e, ok := err.(*LineError)
				if !ok || e.Fault != FaultTooLong || string(e.ID) != "5" {
					t.Errorf("%d bytes%q: %v, want too long with id 5", n, ending, err)
				}
			case err != nil:
				t.Errorf("%d bytes%q: %v", n, ending, err)
			case m.Big() && chunkBytes(m) != n:
				t.Errorf("%d bytes%q: the chunks hold %d bytes", n, ending, chunkBytes(m))
			case m.Len() != n || string(m.AppendEdited(nil, nil)) != line || text(m, m.ID) != "5":
				t.Errorf("%d bytes%q: the line came back changed", n, ending)
			}
			if m, err := r.Read(); err != nil || text(m, m.ID) != "99" {
				t.Errorf("%d bytes%q: next Read: %v", n, ending, err)
			}
			if _, err := r.Read(); err != io.EOF {
				t.Errorf("%d bytes%q: end: %v, want EOF", n, ending, err)
			}
		}
	}
}

func chunkBytes(m *Message) (n int) {
	for _, c := range m.big.chunks {
		n += len(c)
	}
	return n
}

func TestSmallLimit(t *testing.T) {
	for _, n := range []int{len(good) - 1, len(good), len(good) + 1} {
		for _, ending := range []string{"", "\n", "\r\n", "\r"} {
			_, err := NewReader(strings.NewReader(good+ending), &ReaderOptions{MaxLine: n}).Read()
			want := Fault(0)
			if len(good) > n {
				want = FaultTooLong
			}
			if got := faultOf(err); got != want {
				t.Errorf("%d bytes%q with limit %d: fault %d, want %d", len(good), ending, n, got, want)
			}
			if _, err := Parse([]byte(good+ending), &ReaderOptions{MaxLine: n}); faultOf(err) != want {
				t.Errorf("Parse of %d bytes%q with limit %d: fault %d, want %d", len(good), ending, n, faultOf(err), want)
			}
		}
	}
}

// req: W02
func TestIDRecoveryOfLongLines(t *testing.T) {
	body := strings.Repeat(`{"id":7,"t":"\"id\":8}"},`, 20000)
	list := `[` + body[:len(body)-1] + `]`
	for _, tt := range []struct {
		name, line, id string
		response       bool
	}{
		{"id first", `{"jsonrpc":"2.0","id":"a","method":"m","params":{"l":` + list + `}}`, `"a"`, false},
		{"id last", `{"method":"m","params":{"l":` + list + `},"jsonrpc":"2.0","id":"a"}`, `"a"`, false},
		{"id in the middle", `{"method":"m","params":{"l":` + list + `},"id":1.5,"x":` + list + `}`, `1.5`, false},
		{"response", `{"result":{"l":` + list + `},"jsonrpc":"2.0","id":4}`, `4`, true},
		{"fault first", `{"method":"m","params":{"t":"\x","l":` + list + `},"jsonrpc":"2.0","id":"a"}`, `"a"`, false},
		{"fault last", `{"method":"m","params":{"l":` + list + `,"t":"\x"},"jsonrpc":"2.0","id":"a"}`, `"a"`, false},
		{"stray quote", `{"method":"m","params":{"t":"5" tall","l":` + list + `},"jsonrpc":"2.0","id":"a"}`, ``, false},
		{"cut", `{"method":"m","params":{"l":` + list, ``, false},
		{"id of 4096 bytes", `{"method":"m","params":{"l":` + list + `},"id":"` + strings.Repeat("i", maxID-2) + `"}`, `"` + strings.Repeat("i", maxID-2) + `"`, false},
		{"id of 4097 bytes", `{"method":"m","params":{"l":` + list + `},"id":"` + strings.Repeat("i", maxID-1) + `"}`, ``, false},
	} {
		for _, limit := range []int{100, readSize, 3 * readSize} {
			_, err := NewEventReader(strings.NewReader("data: "+tt.line+"\n\n"), &ReaderOptions{MaxLine: limit}).Read()
			if e, ok := err.(*LineError); !ok || e.Fault != FaultTooLong || string(e.ID) != tt.id || e.Response != tt.response {
				t.Errorf("%s in an event, limit %d: %+v, want too long, id %.20s, response %v", tt.name, limit, err, tt.id, tt.response)
			}
			r := NewReader(iotest.HalfReader(strings.NewReader(tt.line+"\n"+good)), &ReaderOptions{MaxLine: limit})
			_, err = r.Read()
			e, ok := err.(*LineError)
			if !ok || e.Fault != FaultTooLong || string(e.ID) != tt.id || e.Response != tt.response {
				t.Errorf("%s, limit %d: %+v, want too long, id %.20s, response %v", tt.name, limit, err, tt.id, tt.response)
			}
			if m, err := r.Read(); err != nil || text(m, m.ID) != "99" {
				t.Errorf("%s, limit %d: next Read: %v", tt.name, limit, err)
			}
		}
	}
}

// A line of the greatest length passes whatever the reads are, its line ending not
// counted.
func TestLimitByteByByte(t *testing.T) {
	const size = 100
	for n := size + scanSize - 3; n < size+scanSize+3; n++ {
		for _, ending := range []string{"\n", "\r\n", "\r"} {
			for limit := n - 1; limit <= n+1; limit++ {
				src := iotest.OneByteReader(strings.NewReader(sized(n) + ending))
				m, err := newReader(src, &ReaderOptions{MaxLine: limit}, size, 5).Read()
				want := Fault(0)
				if n > limit {
					want = FaultTooLong
				}
				if faultOf(err) != want || err == nil && m.Len() != n {
					t.Errorf("%d bytes%q with limit %d: %v, want fault %d", n, ending, limit, err, want)
				}
			}
		}
	}
}

// What was read of a line before the source failed is given back.
func TestReadErrorGivesChunksBack(t *testing.T) {
	r := NewReader(io.MultiReader(strings.NewReader(sized(3 << chunkShift)[:2<<chunkShift]), iotest.ErrReader(io.ErrUnexpectedEOF)), nil)
	if _, err := r.Read(); err != io.ErrUnexpectedEOF || kept(r.pool) < 2 {
		t.Errorf("Read: %v, and %d chunks came back", err, kept(r.pool))
	}
}

// An id of the greatest length is found wherever the pieces end, a longer one never.
func TestLongIDAtEveryEdge(t *testing.T) {
	for _, n := range []int{maxID, maxID + 1} {
		id := strings.Repeat("1", n)
		line := `{"method":"m","id":` + id + `,"params":{"t":"` + strings.Repeat("x", 9999) + `"}}`
		want := id
		if n > maxID {
			want = ""
		}
		for size := 4; size < 2*maxID; size += 1 + size/5 {
			for name, src := range map[string]io.Reader{
				"plain":        strings.NewReader(line),
				"half":         iotest.HalfReader(strings.NewReader(line)),
				"byte by byte": iotest.OneByteReader(strings.NewReader(line)),
			} {
				_, err := newReader(src, &ReaderOptions{MaxLine: 100}, size, 5).Read()
				if e, ok := err.(*LineError); !ok || e.Fault != FaultTooLong || string(e.ID) != want {
					t.Errorf("%s, buffer %d: %.100v, want too long with an id of %d digits", name, size, err, len(want))
				}
			}
		}
	}
}

// A bad line keeps no chunks while the rest of it is skipped.
func TestBadLineIsGivenUpAtOnce(t *testing.T) {
	rest := strings.Repeat("x", 20<<chunkShift)
	r := NewReader(strings.NewReader(`{"id":1,"method":"\x`+rest+"\"}\n"+good), nil)
	if _, err := r.Read(); faultOf(err) != FaultSyntax || kept(r.pool) > 1 {
		t.Errorf("Read: %v, and %d chunks were used, want 1", err, kept(r.pool))
	}
	e := NewEventReader(strings.NewReader(`data: {"id":1,"method":"\x`+rest+"\"}\n\n"), nil)
	if _, err := e.Read(); faultOf(err) != FaultSyntax || kept(e.text.pool) > 1 {
		t.Errorf("Read of an event: %v, and %d chunks were used, want 1", err, kept(e.text.pool))
	}
}

// A big line with a fault is given up where the fault is, and keeps its fault.
func TestBigBadLine(t *testing.T) {
	long := strings.Repeat("x", 3*readSize)
	for _, tt := range []struct {
		name, line string
		want       Fault
		id         string
	}{
		{"syntax", `{"method":"m","params":{"t":"\x` + long + `"},"jsonrpc":"2.0","id":5}`, FaultSyntax, "5"},
		{"cut", `{"id":5,"method":"m","params":{"t":"` + long, FaultSyntax, "5"},
		{"shape", `{"method":"m","params":"` + long + `","jsonrpc":"2.0","id":5}`, FaultShape, "5"},
		{"duplicate", `{"method":"m","method":"` + long + `","jsonrpc":"2.0","id":5}`, FaultDuplicate, "5"},
		{"too deep", `{"method":"` + long + `","params":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `,"id":5}`, FaultTooDeep, "5"},
	} {
		r := NewReader(strings.NewReader(tt.line+"\n"+good), nil)
		_, err := r.Read()
		e, ok := err.(*LineError)
		if !ok || e.Fault != tt.want || string(e.ID) != tt.id {
			t.Errorf("%s: %+v, want fault %d, id %s", tt.name, err, tt.want, tt.id)
		}
		if m, err := r.Read(); err != nil || text(m, m.ID) != "99" {
			t.Errorf("%s: next Read: %v", tt.name, err)
		}
	}
}

// A peer that takes a carriage return for a line ending must not see a message
// inside a message.
func TestCarriageReturnsBecomeSpaces(t *testing.T) {
	smuggled := good[1 : len(good)-1]
	for _, tt := range []struct{ name, line, want string }{
		{"between all tokens", "\r{\r\"a\"\r:\r[\r1\r,\rtrue\r,\r\"x\"\r,\r{\r}\r,\r[\r]\r]\r,\"jsonrpc\":\"2.0\",\"method\":\"m\"\r}\r ",
			` { "a" : [ 1 , true , "x" , { } , [ ] ] ,"jsonrpc":"2.0","method":"m" }  `},
		{"with other white space", "{ \r \"jsonrpc\"\t\r:\r\t\"2.0\", \r\"method\":\"m\"}", "{   \"jsonrpc\"\t : \t\"2.0\",  \"method\":\"m\"}"},
		{"in a long line", sized(70000)[:69999] + "\r,\r\"z\":[1,\r2]\r}", sized(70000)[:69999] + ` , "z":[1, 2] }`},
		{"escape in a string", note(`{"t":"\r\n\u000d"}`), note(`{"t":"\r\n\u000d"}`)},
		{"message between two", "{\"method\":\"m\",\"x\":\r{" + smuggled + "}\r,\"jsonrpc\":\"2.0\"}", `{"method":"m","x": {` + smuggled + `} ,"jsonrpc":"2.0"}`},
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			for _, size := range []int{4, 5, 6, 7, 8, 9, 11, 13, 17, 32, 64, readSize} {
				r := newReader(strings.NewReader(tt.line+ending+good), nil, size, uint(size%9))
				m, err := r.Read()
				if err != nil {
					t.Fatalf("%s, buffer %d: %v", tt.name, size, err)
				}
				var out bytes.Buffer
				w := NewWriter(&out)
				w.Write(m, nil)
				w.Flush()
				if want := tt.want + "\n"; out.String() != want {
					t.Errorf("%s, buffer %d: wrote %.200q, want %.200q", tt.name, size, &out, want)
				}
				if m, err := r.Read(); err != nil || text(m, m.ID) != "99" {
					t.Errorf("%s, buffer %d: next Read: %v", tt.name, size, err)
				}
			}
		}
	}
}

// The line that Parse is given stays as it is, carriage returns included.
func TestParseDoesNotWrite(t *testing.T) {
	const text = "{\r\"jsonrpc\":\"2.0\",\r\"method\":\"m\"\r}\r\n"
	line := []byte(text)
	m, err := Parse(line, nil)
	if err != nil {
		t.Fatal(err)
	}
	if string(line) != text || string(m.AppendEdited(nil, nil)) != text[:len(text)-2] {
		t.Errorf("the line became %q, the message is %q", line, m.AppendEdited(nil, nil))
	}
}

// The largest limit is none.
func TestNoLimit(t *testing.T) {
	for _, n := range []int{100, 3 * readSize} {
		r := NewReader(strings.NewReader(sized(n)), &ReaderOptions{MaxLine: math.MaxInt})
		if m, err := r.Read(); err != nil || m.Len() != n {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestBlankLines(t *testing.T) {
	input := strings.Repeat("\n", 100000) + strings.Repeat(" ", 3*readSize) + "\r\n" + good + strings.Repeat("\n \r\n", 1000)
	r := NewReader(strings.NewReader(input), &ReaderOptions{MaxLine: 2 * readSize})
	if m, err := r.Read(); err != nil || text(m, m.ID) != "99" {
		t.Fatalf("Read: %v", err)
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("Read: %v, want EOF", err)
	}
}

func TestBuffered(t *testing.T) {
	for _, tt := range []struct {
		name, rest string
		want       bool
	}{
		{"nothing", "", false},
		{"part of a line", good[:9], false},
		{"a line", good + "\n", true},
		{"blank lines", "\r\n \n\ufeff\n", false},
		{"a line after blank lines", "\r\n\n" + good + "\n", true},
		{"a bad line", "x\n", true},
	} {
		r := NewReader(io.MultiReader(strings.NewReader(good+"\n"+tt.rest), strings.NewReader("\n"+good+"\n")), nil)
		m, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Buffered(); got != tt.want || r.Buffered() != tt.want {
			t.Errorf("%s: Buffered() = %v, want %v", tt.name, got, tt.want)
		}
		if got := string(m.AppendEdited(nil, nil)); got != good {
			t.Errorf("%s: the message changed to %s", tt.name, got)
		}
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	for name, input := range map[string]string{
		"at a line":        good + "\n",
		"in a line":        good + "\n" + good[:9],
		"in a big line":    good + "\n" + sized(2 * readSize)[:readSize+9],
		"in a skipped one": good + "\n" + strings.Repeat("x", 2*readSize),
	} {
		r := NewReader(io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken)), nil)
		if _, err := r.Read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for range 2 {
			if _, err := r.Read(); err != broken {
				t.Errorf("%s: %v, want %v", name, err, broken)
			}
		}
	}
	r := NewReader(&pausingReader{src: good + "\n"}, nil)
	if _, err := r.Read(); err != nil {
		t.Errorf("reader that gives nothing now and then: %v", err)
	}
	r = NewReader(emptyReader{}, nil)
	if _, err := r.Read(); err != io.ErrNoProgress {
		t.Errorf("reader without progress: %v, want %v", err, io.ErrNoProgress)
	}
}

// pausingReader gives no byte and one byte in turns.
type pausingReader struct {
	src string
	on  bool
}

func (r *pausingReader) Read(b []byte) (int, error) {
	if r.on = !r.on; r.on {
		return 0, nil
	}
	n := copy(b[:1], r.src)
	r.src = r.src[n:]
	return n, nil
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

// A held message outlives the next Read; its chunks are used again after the
// last Release.
func TestHold(t *testing.T) {
	a, b := sized(3*readSize), sized(4*readSize)
	input := a + "\n" + b + "\n" + a + "\n" + a + "\n"
	r := NewReader(strings.NewReader(input), nil)
	m, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	m.Hold()
	m.Hold()
	next, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	m.Release()
	if got := string(m.AppendEdited(nil, nil)); got != a || text(m, m.ID) != "5" {
		t.Error("the held message changed")
	}
	if got := string(next.AppendEdited(nil, nil)); got != b {
		t.Error("the next message is wrong")
	}
	seen := map[*byte]bool{}
	for _, c := range append(m.big.chunks, next.big.chunks...) {
		seen[&c[:1][0]] = true
	}
	m.Release()
	third, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if !seen[&third.big.chunks[0][0]] {
		t.Error("no chunk was used again")
	}
	mustPanic(t, "Release of what nobody holds", m.Release)
	mustPanic(t, "Hold of a message that is gone", next.Hold)
	small, err := Parse([]byte(good), nil)
	if err != nil {
		t.Fatal(err)
	}
	mustPanic(t, "Hold of a small message", small.Hold)
	mustPanic(t, "Release of a small message", small.Release)
}

// Messages are held, read and released by several goroutines while the next ones are
// read.
func TestHoldByManyGoroutines(t *testing.T) {
	const lines = 40
	var input strings.Builder
	for n := range lines {
		input.WriteString(sized(2*readSize+n) + "\n")
	}
	r := NewReader(strings.NewReader(input.String()), nil)
	var wg sync.WaitGroup
	for n := range lines {
		m, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			m.Hold()
			wg.Go(func() {
				defer m.Release()
				if got := string(m.AppendEdited(nil, nil)); got != sized(2*readSize+n) {
					t.Errorf("message %d changed", n)
				}
			})
		}
	}
	wg.Wait()
}

func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", name)
		}
	}()
	f()
}

func TestParseEndings(t *testing.T) {
	for _, line := range []string{good, good + "\n", good + "\r\n", "\ufeff" + good, good + " "} {
		m, err := Parse([]byte(line), nil)
		if err != nil || text(m, m.ID) != "99" {
			t.Errorf("Parse(%q): %v", line, err)
		}
	}
	for _, line := range []string{"", "\n", "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"m\"}", good + "\n" + good} {
		if _, err := Parse([]byte(line), nil); faultOf(err) != FaultSyntax {
			t.Errorf("Parse(%q): %v, want a fault of syntax", line, err)
		}
	}
}

func TestParseTooLong(t *testing.T) {
	for _, line := range []string{good, good[:9] + "\n" + good[9:]} {
		if _, err := Parse([]byte(line), &ReaderOptions{MaxLine: 20}); faultOf(err) != FaultTooLong {
			t.Errorf("Parse(%q): %v, want too long", line, err)
		}
	}
}

func TestBadOptions(t *testing.T) {
	mustPanic(t, "too many names", func() { NewReader(nil, &ReaderOptions{Members: make([]string, MaxMembers+1)}) })
	mustPanic(t, "an empty name", func() { NewReader(nil, &ReaderOptions{Members: []string{""}}) })
}

func TestMostMembers(t *testing.T) {
	var names []string
	var params strings.Builder
	for i := range MaxMembers {
		names = append(names, fmt.Sprintf("name%d", i))
		fmt.Fprintf(&params, `,"name%d":%d`, i, i)
	}
	m, err := Parse([]byte(note("{"+params.String()[1:]+"}")), &ReaderOptions{Members: names})
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		if got, _ := m.Int(m.Member(i).Value); got != int64(i) {
			t.Errorf("Member(%d) = %d", i, got)
		}
	}
}
