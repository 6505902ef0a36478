package jsonrpc

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func addLines(f *testing.F) {
	for _, line := range splitLines {
		f.Add([]byte(line))
	}
	f.Add([]byte(smallCall))
	f.Add([]byte(note(`{"name":"\ud83d\ude00","_meta":{"a":[1,{"b":null}]},"x":-0.5e+7}`)))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"\u0000","data":[]}}`))
}

// The scan agrees with a slow reference that anybody can check, and what both
// accept is JSON to encoding/json.
func FuzzScan(f *testing.F) {
	addLines(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			t.Skip("more than one line")
		}
		for _, lone := range []bool{false, true} {
			o := &ReaderOptions{Members: []string{"_meta", "name"}, MaxDepth: 8, AllowLoneSurrogates: lone}
			want := refer(string(trimBOM(line)), o)
			m, err := Parse(line, o)
			if got := faultOf(err); got != want.fault {
				t.Fatalf("Parse(%q) fault %d, want %d", line, got, want.fault)
			}
			if err == nil {
				agree(t, m, want)
			}
		}
	})
}

func agree(t *testing.T, m *Message, want refLine) {
	if m.Kind != want.kind {
		t.Errorf("%q: kind %d, want %d", m.flat, m.Kind, want.kind)
	}
	for name, s := range map[string]Span{
		"id": m.ID, "method": m.Method, "params": m.Params, "result": m.Result, "error": m.Error,
		"_meta": m.Member(0).Value, "name": m.Member(1).Value,
	} {
		if got := text(m, s); got != want.values[name] {
			t.Errorf("%q: %s is %s, want %s", m.flat, name, got, want.values[name])
		}
	}
	if !json.Valid(m.flat) {
		t.Errorf("%q is accepted and is not JSON", m.flat)
	}
}

type rawMember struct{ name, value string }

// membersOf lists the members of a JSON object, whose names may stand twice.
func membersOf(b []byte) ([]rawMember, bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	var all []rawMember
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		all = append(all, rawMember{name.(string), string(value)})
	}
	return all, true
}

// Any chunking gives the same outcome.
func FuzzSplit(f *testing.F) {
	for i, line := range splitLines {
		f.Add([]byte(line+"\n"+good), uint8(i*16+4), uint8(i), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, input []byte, size, shift uint8, lone bool) {
		o := &ReaderOptions{Members: []string{"name", "_meta", "arguments"}, MaxDepth: 6, MaxLine: 200, AllowLoneSurrogates: lone}
		want := readAll(t, NewReader(bytes.NewReader(input), o))
		r := newReader(&raggedReader{src: string(input)}, o, max(int(size), 4), uint(shift%9))
		compare(t, readAll(t, r), want, "buffer %d", size)
	})
}

// The cursor sees what encoding/json sees, and reads nothing twice.
func FuzzWalk(f *testing.F) {
	addLines(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		o := &ReaderOptions{MaxDepth: 512}
		m, err := Parse(line, o)
		if err != nil {
			return
		}
		w := m.Walk(Span{bytes.IndexByte(m.flat, '{'), m.n})
		want, _ := membersOf(m.flat)
		i, prev := 0, w.Prev()
		for w.Next() {
			if w.Prev() < prev || w.Start() < w.Prev() {
				t.Fatalf("Prev %d, Start %d after %d", w.Prev(), w.Start(), prev)
			}
			name, ok := m.String(w.Name())
			if ok && name != want[i].name {
				t.Errorf("member %d has name %q, want %q", i, name, want[i].name)
			}
			if c := w.First(); c == '{' || c == '[' {
				w.Enter()
				for w.Next() {
				}
				prev = w.Leave().End
			} else {
				prev = w.Skip().End
			}
			if got := text(m, Span{w.Start(), prev}); got != want[i].value {
				t.Errorf("member %d is %s, want %s", i, got, want[i].value)
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%d members, want %d", i, len(want))
		}
	})
}

// A control character breaks a line anywhere in params, and the id of the
// envelope is found all the same, never another one.
func FuzzRecoverID(f *testing.F) {
	f.Add(`{"a":"b","id":7}`, uint8(3), true)
	f.Add(`["\\",{"id":1}]`, uint8(9), false)
	f.Add(`{"a":"\"id\":8","\u0069d":[]}`, uint8(5), true)
	f.Fuzz(func(t *testing.T, params string, at uint8, last bool) {
		n := int(at)
		if !json.Valid([]byte(params)) || n >= len(params) || n > 0 && params[n-1] == '\\' {
			t.Skip("not the value of params, or the escape would eat the control character")
		}
		params = params[:n] + "\x01" + params[n:]
		line := `{"jsonrpc":"2.0","id":"right","method":"m","params":` + params + `}`
		if last {
			line = `{"jsonrpc":"2.0","method":"m","params":` + params + `,"id":"right"}`
		}
		_, err := Parse([]byte(line), nil)
		e, ok := err.(*LineError)
		if !ok {
			t.Fatalf("%q is accepted", line)
		}
		if string(e.ID) != `"right"` || !e.LegalID || e.Response {
			t.Errorf("%q: id %q, want the one of the envelope", line, e.ID)
		}
	})
}

// What is read and written is what was there, edits and carriage returns apart.
func FuzzWrite(f *testing.F) {
	for i, line := range splitLines {
		f.Add([]byte(line), i, i/2, []byte(" "))
	}
	f.Fuzz(func(t *testing.T, line []byte, off, cut int, insert []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			t.Skip("more than one line")
		}
		r := newReader(bytes.NewReader(line), &ReaderOptions{MaxDepth: 512, AllowLoneSurrogates: true}, 16, 4)
		m, err := r.Read()
		if err != nil {
			return
		}
		want := bytes.ReplaceAll(trimCR(trimBOM(line)), []byte("\r"), []byte(" "))
		var out bytes.Buffer
		w := NewWriter(&out)
		w.Write(m, nil)
		off = int(uint(off) % uint(len(want)+1))
		cut = int(uint(cut) % uint(len(want)-off+1))
		w.Write(m, []Edit{{off, cut, insert}})
		w.Flush()
		edited := string(want[:off]) + string(insert) + string(want[off+cut:])
		if got := out.String(); got != string(want)+"\n"+edited+"\n" {
			t.Errorf("wrote %q, want %q and %q", got, want, edited)
		}
	})
}

// Quoted text is good JSON with the same value.
func FuzzQuote(f *testing.F) {
	f.Add("a\"\\\x00\x1b\u2028é😀\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		quoted := AppendQuote(nil, s)
		if !accept(string(quoted), nil) || json.Unmarshal(quoted, &got) != nil {
			t.Fatalf("AppendQuote(%q) = %s, which is not JSON", s, quoted)
		}
		if utf8.ValidString(s) && got != s {
			t.Errorf("AppendQuote(%q) reads as %q", s, got)
		}
	})
}
