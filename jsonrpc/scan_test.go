package jsonrpc

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// accept parses a value inside a notification, so that the grammar of the value
// alone decides.
func accept(value string, o *ReaderOptions) bool {
	_, err := Parse([]byte(`{"jsonrpc":"2.0","method":"m","params":{"v":`+value+`}}`), o)
	return err == nil
}

// The strict column of the acceptance table, and the rest of the grammar.
func TestAcceptance(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"refuses raw newline in string", "\"a\nb\"", false},
		{"refuses NUL in string", "\"a\x00b\"", false},
		{"refuses raw tab in string", "\"a\tb\"", false},
		{"refuses bad escape", `"\x41"`, false},
		{"refuses short unicode escape", `"\u12"`, false},
		{"refuses unicode escape without hex", `"\u12g4"`, false},
		{"refuses byte 0xff", "\"\xff\"", false},
		{"refuses overlong UTF-8", "\"\xc0\xaf\"", false},
		{"refuses surrogate in UTF-8", "\"\xed\xa0\x80\"", false},
		{"refuses cut UTF-8", "\"\xe2\x82\"", false},
		{"refuses rune above U+10FFFF", "\"\xf4\x90\x80\x80\"", false},
		{"refuses lone high surrogate", `"\ud800"`, false},
		{"refuses lone low surrogate", `"\udc00"`, false},
		{"refuses two high surrogates", `"\ud800\ud800"`, false},
		{"refuses high surrogate before text", `"\ud800x"`, false},
		{"refuses high surrogate before escape", `"\ud800\n"`, false},
		{"refuses high surrogate before an escape and hex", `"\ud800\ndc00"`, false},
		{"refuses two low surrogates", `"\udc00\udc00"`, false},
		{"refuses leading zero", `01`, false},
		{"refuses two zeros", `00`, false},
		{"refuses leading zero after minus", `-01`, false},
		{"refuses two zeros after minus", `-00`, false},
		{"refuses point without fraction", `1.`, false},
		{"refuses exponent behind a point", `1.e1`, false},
		{"refuses two points", `1.2.3`, false},
		{"refuses point in the exponent", `1e1.5`, false},
		{"refuses two exponents", `1e1e1`, false},
		{"refuses two signs", `--1`, false},
		{"refuses two signs of the exponent", `1e+-1`, false},
		{"refuses point first", `.5`, false},
		{"refuses exponent without digits", `1e+`, false},
		{"refuses plus sign", `+1`, false},
		{"refuses minus alone", `-`, false},
		{"refuses hex", `0x10`, false},
		{"refuses NaN", `NaN`, false},
		{"refuses Infinity", `Infinity`, false},
		{"refuses capital literal", `True`, false},
		{"refuses cut literal", `tru`, false},
		{"refuses long literal", `truex`, false},
		{"refuses trailing comma in array", `[1,]`, false},
		{"refuses trailing comma in object", `{"a":1,}`, false},
		{"refuses missing comma", `[1 2]`, false},
		{"refuses missing colon", `{"a" 1}`, false},
		{"refuses missing value", `{"a":}`, false},
		{"refuses name without quotes", `{a:1}`, false},
		{"refuses single quotes", `'a'`, false},
		{"refuses crossed brackets", `[{]}`, false},
		{"refuses array closed as object", `[1}`, false},
		{"refuses comment", `/* */1`, false},
		{"refuses form feed between tokens", "\f1", false},
		{"refuses no-break space between tokens", "\u00a01", false},
		{"refuses nothing", ``, false},
		{"empty containers", `[{},[]]`, true},
		{"all escapes", `"\"\\\/\b\f\n\r\t\u0041"`, true},
		{"surrogate pair", `"\ud83d\ude00"`, true},
		{"capital hex", `"\uD83D\uDE00\u00AF"`, true},
		{"all lengths of UTF-8", "\"aé€😀\"", true},
		{"DEL and U+2028", "\"\x7f\u2028\"", true},
		{"zero and minus zero", `[0,-0,0.0,0e0]`, true},
		{"big and odd numbers", `[12345678901234567890123,1.0E+400,-1.5e-7,1E5]`, true},
		{"literals", `[true,false,null]`, true},
		{"white space", " [ 1 ,\t2\r, { \"a\" : 1 } ] ", true},
		{"nested duplicate that is not recorded", `{"a":1,"a":2}`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := accept(tt.value, nil); got != tt.want {
				t.Errorf("accepted %q: %v, want %v", tt.value, got, tt.want)
			}
		})
	}
}

func TestLoneSurrogatesByOption(t *testing.T) {
	o := &ReaderOptions{AllowLoneSurrogates: true}
	for _, v := range []string{`"\ud800"`, `"\udc00x"`, `"\ud800\ud800"`, `"\ud800\n"`, `"\ud83d\ude00"`} {
		if !accept(v, o) {
			t.Errorf("refused %s, want it to pass by option", v)
		}
	}
	for _, v := range []string{"\"\xed\xa0\x80\"", `"\ud80"`, `"\ud800\u12"`} {
		if accept(v, o) {
			t.Errorf("accepted %q, want a fault", v)
		}
	}
}

// nest returns a notification nested to a depth, the envelope included.
func nest(depth int) string {
	k := depth - 2
	return `{"jsonrpc":"2.0","method":"m","params":{"v":` + strings.Repeat("[", k) + strings.Repeat("]", k) + `}}`
}

func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		name         string
		limit, depth int
		want         Fault
	}{
		{"default limit - 1", 0, 63, 0},
		{"default limit", 0, 64, 0},
		{"default limit + 1", 0, 65, FaultTooDeep},
		{"own limit", 5, 5, 0},
		{"own limit + 1", 5, 6, FaultTooDeep},
		{"largest limit", 512, 512, 0},
		{"largest limit + 1", 512, 513, FaultTooDeep},
		{"limit above the largest", 9000, 513, FaultTooDeep},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(nest(tt.depth)), &ReaderOptions{MaxDepth: tt.limit})
			if got := faultOf(err); got != tt.want {
				t.Errorf("fault = %v, want %v", got, tt.want)
			}
		})
	}
}

// faultOf returns the fault of a bad line, or 0.
func faultOf(err error) Fault {
	if e, ok := errors.AsType[*LineError](err); ok {
		return e.Fault
	}
	return 0
}

func text(m *Message, s Span) string { return string(m.AppendSpan(nil, s)) }

func TestSpans(t *testing.T) {
	const line = ` { "result" : [1, {"id":7}] , "x":{"method":"no"}, "i\u0064" : "a\"b" ,"jsonrpc":"2\u002e0" } `
	m, err := Parse([]byte(line), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Kind != KindResponse {
		t.Errorf("kind = %v, want a response", m.Kind)
	}
	if got, want := text(m, m.Result), `[1, {"id":7}]`; got != want {
		t.Errorf("result = %s, want %s", got, want)
	}
	if got, want := text(m, m.ID), `"a\"b"`; got != want {
		t.Errorf("id = %s, want %s", got, want)
	}
	for _, s := range []Span{m.Method, m.Params, m.Error} {
		if !s.IsZero() {
			t.Errorf("absent member has span %v", s)
		}
	}
}

func TestRecordedMembers(t *testing.T) {
	o := &ReaderOptions{Members: []string{"_meta", "name", "arguments", "cursor"}}
	const line = `{"jsonrpc":"2.0","id":1,"method":"m","params":{ "name":"n", "x":{"cursor":1}, "argu\u006dents" : {"name":2} ,"_meta":null}}`
	m, err := Parse([]byte(line), o)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(line, `"params":{`) + len(`"params":{`)
	for i, want := range []struct {
		name, value string
		prev        int
	}{
		{`"_meta"`, `null`, strings.Index(line, ` ,"_meta"`)},
		{`"name"`, `"n"`, first},
		{`"argu\u006dents"`, `{"name":2}`, strings.Index(line, `, "argu`)},
	} {
		got := m.Member(i)
		if text(m, got.Name) != want.name || text(m, got.Value) != want.value || got.Prev != want.prev {
			t.Errorf("Member(%d) = %s %s prev %d, want %v", i, text(m, got.Name), text(m, got.Value), got.Prev, want)
		}
	}
	if got := m.Member(3); !got.IsZero() {
		t.Errorf("Member(3) = %v, want it absent", got)
	}
}

// Names with each kind of escape are the names that they stand for.
func TestEscapedNames(t *testing.T) {
	o := &ReaderOptions{Members: []string{"a/b", "\"\n", "é", "the longest one"}}
	for i, name := range []string{`a\/b`, `\"\n`, `\u00e9`, escaped("the longest one")} {
		for pieces, m := range pieces(t, note(`{"`+name+`":7}`), o) {
			if got := text(m, m.Member(i).Value); got != "7" {
				t.Errorf("%s: member %s is %q", pieces, name, got)
			}
		}
	}
}

func TestDuplicates(t *testing.T) {
	o := &ReaderOptions{Members: []string{"_meta", "name"}}
	for _, tt := range []struct {
		name, line string
		want       Fault
	}{
		{"id", `{"jsonrpc":"2.0","id":1,"id":1,"method":"m"}`, FaultDuplicate},
		{"id by escape", `{"jsonrpc":"2.0","id":1,"i\u0064":2,"method":"m"}`, FaultDuplicate},
		{"method", `{"jsonrpc":"2.0","method":"a","id":1,"method":"b"}`, FaultDuplicate},
		{"jsonrpc", `{"jsonrpc":"2.0","jsonrpc":"2.0","method":"m"}`, FaultDuplicate},
		{"recorded in params", `{"jsonrpc":"2.0","method":"m","params":{"name":1,"n\u0061me":2}}`, FaultDuplicate},
		{"recorded in result", `{"jsonrpc":"2.0","id":1,"result":{"_meta":{},"a":1,"_meta":{}}}`, FaultDuplicate},
		{"recorded, and another one behind it", `{"jsonrpc":"2.0","method":"m","params":{"name":1,"name":2,"_meta":{}}}`, FaultDuplicate},
		{"envelope, and another one behind it", `{"jsonrpc":"2.0","method":"m","method":"m","id":1}`, FaultDuplicate},
		{"not JSON after it", `{"jsonrpc":"2.0","id":1,"id":1,"method":"m"`, FaultSyntax},
		{"recorded name deeper down", `{"jsonrpc":"2.0","method":"m","params":{"a":{"name":1,"name":2}}}`, 0},
		{"recorded name in the envelope", `{"jsonrpc":"2.0","method":"m","name":1,"name":2}`, 0},
		{"other case", `{"jsonrpc":"2.0","method":"m","Method":"x","METHOD":"y"}`, 0},
		{"long s and NUL", `{"jsonrpc":"2.0","method":"m","param` + "ſ" + `":1,"method\u0000":2}`, 0},
		{"not recorded", `{"jsonrpc":"2.0","method":"m","params":{"b":1,"b":2}}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.line), o)
			if got := faultOf(err); got != tt.want {
				t.Errorf("Parse(%s) fault = %v, want %v", tt.line, got, tt.want)
			}
		})
	}
}

// outcome is all that a caller sees of one Read.
type outcome struct {
	line, id, method, params, result, error string
	kind                                    Kind
	members                                 [3]string
	fault                                   Fault
	badID                                   string
	legalID, names, response                bool
}

func outcomeOf(m *Message, err error) outcome {
	if e, ok := errors.AsType[*LineError](err); ok {
		return outcome{fault: e.Fault, badID: string(e.ID), legalID: e.LegalID, names: e.Method, response: e.Response}
	}
	o := outcome{
		line: string(m.AppendEdited(nil, nil)), kind: m.Kind,
		id: text(m, m.ID), method: text(m, m.Method), params: text(m, m.Params),
		result: text(m, m.Result), error: text(m, m.Error),
	}
	for i := range o.members {
		k := m.Member(i)
		o.members[i] = text(m, k.Name) + text(m, k.Value) + text(m, Span{0, k.Prev})
	}
	return o
}

// readAll reads to the end of the input.
func readAll(t testing.TB, r *Reader) []outcome {
	var all []outcome
	for {
		m, err := r.Read()
		if err == io.EOF {
			return all
		}
		if err != nil && faultOf(err) == 0 {
			t.Fatalf("Read: %v", err)
		}
		all = append(all, outcomeOf(m, err))
	}
}

// splitLines are lines with something that may break at the edge of a piece.
var splitLines = []string{
	`{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"name":"é€😀","arguments":{"a":[1.5e-7,true,null]},"_meta":{"x":"\ud83d\ude00\n"}}}`,
	"\ufeff{\"result\":{\"_m\\u0065ta\":{},\"\\u006e\\u0061\\u006d\\u0065\":\"b-1\"},\"jsonrpc\":\"2\\u002e0\",\"i\\u0064\":\"b-1\"}\r",
	`{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"\\\"\/"}}`,
	`{"method":"m","params":{"t":"bad \x escape"},"jsonrpc":"2.0","id":5}`,
	"{\"method\":\"m\",\"params\":{\"t\":\"\xe2\x82\"},\"jsonrpc\":\"2.0\",\"id\":\"six\"}",
	`{"result":{"t":"he said "hi there"},"jsonrpc":"2.0","id":7.5}`,
	`{"result":{"a":tru},"jsonrpc":"2.0","id":7}`,
	`{"jsonrpc":"2.0","id":1x,"method":"m"}`,
	`{"jsonrpc":"2.0","id":1,"method":"m","id":2}`,
	`{"jsonrpc":"2.0","id":"ab","method":"m","i\u0064":"ab"}`,
	`{"jsonrpc":"2.0","method":"m","params":{"a name that is longer than all that are compared, with escapes or without":1,"` + escaped("arguments") + `":2}}`,
	`{"jsonrpc":"2.0","` + escaped("method") + `":"m","` + escaped("params") + `":{}}`,
	`{"method":"\u12","id":5}`,
	`{"method":"\ud800\u","id":5,"t":"\"","x":1}`,
	`{"x":1,"id":"a"x,"method":"m"}`,
	`{"x":1,"id":"a","id":"a"x,"method":"m"}`,
	`{"params":"xxxxxxxxxxxxxxxxxxxx","id":"a"`,
	`{"id":"ab","method":"\x","id":"ab","id":"ab"}`,
	"{\r\"jsonrpc\" \r : \r\r\"2.0\"\r,\"id\":1\r,\"method\":\"m\",\"params\":{\r},\"x\":[\r1\r,\r2\r,true\r]}\r\r",
	"{\r\"id\":1,\"method\":\"\\x\"\r}\r",
	`{"jsonrpc":"2.0","id":1`,
	"{\"result\":{\"t\":NaN,\x01\"u\":[-Infinity,\x02.5,01,tru,[1,],{\"a\":1,},-]},\"id\":5}",
	`{"x":{"\x\"]":"\u12\\\"}","\ud800\ud83d":["\ud83d\u0041\"",1]},"id":5,"method":"\ud83d\ud83d"}`,
	"{\"x\":{\"\xe2\x82\\\"\":\"\xff\xf0\x9f\"},\"id\":5}",
	`{"id":5x,"id":5}`, `{"x":{},"id":5 x,"id":5,"id":5}`, `{"id":5,"m`, `{"id":5,"m":[[[[[[[[]]]]]]]],"id":5}`,
	`[{"jsonrpc":"2.0","id":1,"method":"m"}]`,
	"  \t\r", "\ufeff", "", "12", "\"a\"", `{}`,
}

// escaped writes each byte of a name as an escape.
func escaped(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return b.String()
}

// Where the pieces end does not matter either when a line is as long as the limit,
// or one byte longer or shorter.
func TestSplitInvarianceAtTheLimit(t *testing.T) {
	for _, line := range splitLines {
		for _, limit := range []int{1, 20, len(line) - 2, len(line) - 1, len(line), len(line) + 1} {
			o := &ReaderOptions{Members: []string{"name", "_meta", "arguments"}, MaxLine: max(limit, 1)}
			for _, ending := range []string{"\n", "\r\n"} {
				input := line + ending + good
				want := readAll(t, NewReader(strings.NewReader(input), o))
				for size := 4; size < 60; size += 1 + size/16 {
					r := newReader(strings.NewReader(input), o, size, uint(size%4))
					compare(t, readAll(t, r), want, "%q, limit %d, buffer %d", input, limit, size)
					r = newReader(iotest.OneByteReader(strings.NewReader(input)), o, size, uint(size%4))
					compare(t, readAll(t, r), want, "%q, limit %d, buffer %d, one byte at a time", input, limit, size)
				}
			}
		}
	}
}

// B10: any chunking gives the same outcome.
func TestSplitInvariance(t *testing.T) {
	o := &ReaderOptions{Members: []string{"name", "_meta", "arguments"}}
	input := strings.Join(splitLines, "\n")
	want := readAll(t, NewReader(strings.NewReader(input), o))
	for size := 4; size < 300; size += 1 + size/8 {
		for _, shift := range []uint{0, 1, 3, 6} {
			r := newReader(strings.NewReader(input), o, size, shift)
			compare(t, readAll(t, r), want, "buffer %d, chunks of %d", size, 1<<shift)
			r = newReader(iotest.OneByteReader(strings.NewReader(input)), o, size, shift)
			compare(t, readAll(t, r), want, "one byte at a time, buffer %d, chunks of %d", size, 1<<shift)
		}
	}
	for range 200 {
		r := newReader(&raggedReader{src: input}, o, 4+rand.IntN(64), uint(rand.IntN(7)))
		compare(t, readAll(t, r), want, "random pieces")
	}
}

func compare(t testing.TB, got, want []outcome, format string, args ...any) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got) || i >= len(want):
			t.Fatalf(format+": %d messages, want %d", append(args, len(got), len(want))...)
		case got[i] != want[i]:
			t.Fatalf(format+", line %d:\n got %+v\nwant %+v", append(args, i, got[i], want[i])...)
		}
	}
}

// raggedReader gives pieces of random size.
type raggedReader struct{ src string }

func (r *raggedReader) Read(b []byte) (int, error) {
	if r.src == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), 1+rand.IntN(9))], r.src)
	r.src = r.src[n:]
	return n, nil
}
