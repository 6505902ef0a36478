package jsonrpc

import (
	"flag"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// The tests named Count do what a tool counts the instructions of:
// internal/bench runs them under one. Without these flags they do next to
// nothing.
var (
	countMessages = flag.Int("messages", 0, "how many messages TestCountScan and TestCountForward take")
	countLine     = flag.String("line", smallCall, "the line that TestCountScan takes")
	countKind     = flag.String("kind", "", "kind of the input of TestCountHostile")
	countSize     = flag.Int("size", 1000, "bytes of the input of TestCountHostile")
)

func TestCountScan(t *testing.T) {
	line := []byte(*countLine)
	s := callOptions.newScanner()
	m := &Message{flat: line, n: len(line), members: make([]Member, len(callOptions.Members))}
	for range *countMessages {
		s.begin(m)
		s.feed(line)
		if f := s.verdict(false); f != 0 {
			t.Fatal(f)
		}
	}
}

func TestCountForward(t *testing.T) {
	f := newForward(smallCall + "\n")
	for range *countMessages {
		if err := f.one(); err != nil {
			t.Fatal(err)
		}
	}
}

// hostile makes inputs that are to cost no more than their size.
func hostile(kind string, size int) string {
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, max(size-len(head)-len(tail), 0)/len(part)) + tail
	}
	const head = `{"jsonrpc":"2.0","id":1,"method":"m","params":{`
	switch kind {
	case "brackets":
		return fill("", "[", "")
	case "ints":
		return fill(`{"jsonrpc":"2.0","id":1,"result":[`, "1,", "1]}")
	case "open string":
		return fill(`{"jsonrpc":"2.0","id":1,"method":"`, "x", "")
	case "text":
		return fill("", "x", "")
	case "members":
		return fill(head, `"arguments_":1,`, `"a":1}}`)
	case "escaped names":
		return fill(head, `"`+strings.Repeat(`\u0061`, 300)+`":1,`, `"a":1}}`)
	case "escaped name":
		return fill(head+`"`, `\u0061`, `":1}}`)
	case "characters":
		return fill(head+`"t":"`, `é\n`, `"}}`)
	case "depth", "walk":
		return fill(head+`"t":[`, strings.Repeat("[", 60)+strings.Repeat("]", 60)+",", `1]}}`)
	case "bad lines":
		return fill("", "{\"id\":\"\\x\"}\n", "")
	case "blank lines":
		return fill("", "\n", good)
	case "lines of data":
		return fill(`data: {"jsonrpc":"2.0","id":1,"result":[`, "\ndata: 1,", "\ndata:1]}\n\n")
	case "fields":
		return fill("", "data:\r\nid: 1\nfield\r: comment\n\n", "")
	}
	return ""
}

// hostileKinds are the kinds that hostile knows.
var hostileKinds = []string{
	"brackets", "ints", "open string", "text", "members", "escaped names", "escaped name",
	"characters", "depth", "bad lines", "blank lines", "walk", "lines of data", "fields",
}

// reading returns the function that reads a kind of input.
func reading(kind string, src io.Reader) func() (*Message, error) {
	switch kind {
	case "lines of data", "fields":
		return NewEventReader(src, callOptions).Read
	}
	return NewReader(src, callOptions).Read
}

func TestCountHostile(t *testing.T) {
	kinds := hostileKinds
	if *countKind != "" {
		kinds = []string{strings.TrimSuffix(*countKind, ", byte by byte")}
	}
	for _, kind := range kinds {
		var src io.Reader = strings.NewReader(hostile(kind, *countSize))
		if kind != *countKind && *countKind != "" {
			src = iotest.OneByteReader(src)
		}
		read := reading(kind, src)
		for {
			m, err := read()
			if err == io.EOF {
				break
			}
			if err != nil && faultOf(err) == 0 {
				t.Fatal(err)
			}
			if m != nil && kind == "walk" {
				w := m.Walk(m.Params)
				enterAll(&w)
			}
		}
	}
}

// enterAll visits every value.
func enterAll(w *Walk) {
	for w.Next() {
		if c := w.First(); c == '{' || c == '[' {
			w.Enter()
			enterAll(w)
			w.Leave()
		}
	}
}
