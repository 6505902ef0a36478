package jsonrpc

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadAll(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("x", 200_000) + `"}}`
	for _, tt := range []struct {
		name, body string
		want       string // the message; or
		fault      Fault
		err        error
	}{
		{name: "one line", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, want: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{name: "line breaks of each kind", body: "\r\n{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\n\r\"result\":{\r}}\n\n", want: "  {\"jsonrpc\":\"2.0\",  \"id\":1,  \"result\":{ }}  "},
		{name: "byte order mark", body: "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", want: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{name: "big", body: long, want: long},
		{name: "big on two lines", body: strings.Replace(long, ",", ",\n", 1), want: strings.Replace(long, ",", ", ", 1)},
		{name: "nothing", body: "", err: io.ErrUnexpectedEOF},
		{name: "only white space", body: " \r\n", err: io.ErrUnexpectedEOF},
		{name: "byte order mark alone", body: "\uFEFF", err: io.ErrUnexpectedEOF},
		{name: "cut off", body: `{"jsonrpc":"2.0","id":1,"result":{`, fault: FaultSyntax},
		{name: "two messages", body: `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`, fault: FaultSyntax},
		{name: "text behind a message", body: `{"jsonrpc":"2.0","id":1,"result":{}} x`, fault: FaultSyntax},
		{name: "line break in a string", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\n\"}}", fault: FaultSyntax},
		{name: "page of HTML", body: "<!DOCTYPE html>\n<html>" + strings.Repeat(" ", 100_000), fault: FaultSyntax},
		{name: "batch", body: `[{"jsonrpc":"2.0","id":1,"result":{}}]`, fault: FaultShape},
		{name: "too long", body: long + strings.Repeat(" ", 100_000), fault: FaultTooLong},
	} {
		for how, cut := range map[string]func(io.Reader) io.Reader{
			"whole":        func(r io.Reader) io.Reader { return r },
			"byte by byte": iotest.OneByteReader,
			"with its end": iotest.DataErrReader,
		} {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				m, err := ReadAll(cut(strings.NewReader(tt.body)), &ReaderOptions{MaxLine: len(long) + 10})
				bad, isLine := errors.AsType[*LineError](err)
				switch {
				case tt.fault != 0:
					if !isLine || bad.Fault != tt.fault {
						t.Errorf("error = %v, want fault %d", err, tt.fault)
					}
				case tt.err != nil:
					if err != tt.err {
						t.Errorf("error = %v, want %v", err, tt.err)
					}
				case err != nil:
					t.Errorf("error = %v", err)
				case string(m.AppendEdited(nil, nil)) != tt.want:
					t.Errorf("message = %.200q, want %.200q", m.AppendEdited(nil, nil), tt.want)
				}
			})
		}
	}
}

func TestReadAllStopsAtTheLimit(t *testing.T) {
	for _, n := range []int{-1, 0, 1} {
		const limit = 1 << 20
		body := `{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("x", limit+n-42) + `"}}`
		if len(body) != limit+n {
			t.Fatalf("%d bytes", len(body))
		}
		read := 0
		src := io.MultiReader(strings.NewReader(body), readerFunc(func(p []byte) (int, error) {
			if n > 0 {
				t.Error("what stands behind the limit was read")
			}
			read++
			return 0, io.EOF
		}))
		m, err := ReadAll(src, &ReaderOptions{MaxLine: limit})
		if bad, isLine := errors.AsType[*LineError](err); n > 0 != (isLine && bad.Fault == FaultTooLong) || n <= 0 && m == nil {
			t.Errorf("%+d bytes: %v", n, err)
		}
	}
}

func TestReadAllGivesTheErrorOfItsSource(t *testing.T) {
	broken := errors.New("broken")
	for _, begin := range []string{"", "{", `{"jsonrpc":"2.0","id":1,"result":{}}`, strings.Repeat(" ", 100_000)} {
		_, err := ReadAll(io.MultiReader(strings.NewReader(begin), iotest.ErrReader(broken)), nil)
		if err != broken {
			t.Errorf("after %.10q: %v, want %v", begin, err, broken)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// While an event comes, its underlying reader knows how long it is.
func TestGathered(t *testing.T) {
	var events *EventReader
	var got []int
	parts := []string{"data: {\"jsonrpc\"", ":\"2.0\",\n", "data:\"method\":\"m\"}", "\n\n", ": a comment\n\n", "data:x"}
	events = NewEventReader(readerFunc(func(p []byte) (int, error) {
		got = append(got, events.Gathered())
		if len(parts) == 0 {
			return 0, io.EOF
		}
		n := copy(p, parts[0])
		parts = parts[1:]
		return n, nil
	}), nil)
	for {
		if _, err := events.Read(); err != nil {
			break
		}
	}
	want := []int{0, 10, 17, 31, 0, 0, 1}
	if len(got) != len(want) {
		t.Fatalf("gathered = %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("gathered = %v, want %v", got, want)
			break
		}
	}
}
