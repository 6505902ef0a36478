package jsonrpc

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

const good = `{"jsonrpc":"2.0","id":99,"method":"ping"}`

// T1: one message a line; a byte order mark, CRLF, blank lines and a last line
// without line feed are fine; what we write is one line feed a message.
//
// req: W02
func TestT1Lines(t *testing.T) {
	input := "\ufeff" + good + "\r\n\n  \t\r\n\ufeff\r\n" + good + "\n\ufeff" + good
	r := NewReader(strings.NewReader(input), nil)
	var out bytes.Buffer
	w := NewWriter(&out)
	for range 3 {
		m, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(m, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("Read at the end: %v, want EOF", err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), strings.Repeat(good+"\n", 3); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// T2: an array is not a message.
//
// req: W02
func TestT2NoBatches(t *testing.T) {
	for _, line := range []string{`[]`, `[` + good + `]`, ` [` + good + `,` + good + `] `} {
		_, err := Parse([]byte(line), nil)
		e, ok := err.(*LineError)
		if !ok || e.Fault != FaultShape || e.ID != nil || e.Response {
			t.Errorf("Parse(%s) = %+v, want a fault of shape without id", line, err)
		}
	}
}

// A badLine is a way to be wrong.
type badLine struct {
	name, line string
	fault      Fault
	id         string
	legal      bool
	response   bool
}

func (tt badLine) run(t *testing.T, o *ReaderOptions) {
	t.Run(tt.name, func(t *testing.T) {
		r := NewReader(strings.NewReader(tt.line+"\n"+good+"\n"), o)
		m, err := r.Read()
		e, ok := err.(*LineError)
		if !ok {
			t.Fatalf("Read() = %v, %v, want a bad line", m, err)
		}
		if e.Fault != tt.fault || string(e.ID) != tt.id || e.LegalID != tt.legal || e.Response != tt.response {
			t.Errorf("Read() = fault %d id %q legal %v response %v, want %d %q %v %v",
				e.Fault, e.ID, e.LegalID, e.Response, tt.fault, tt.id, tt.legal, tt.response)
		}
		if tt.id == "" && e.ID != nil {
			t.Errorf("ID = %q, want nil", e.ID)
		}
		if m, err := r.Read(); err != nil || !m.Equal(m.ID, []byte("99")) {
			t.Errorf("next Read: %v, want the good line", err)
		}
	})
}

// T3: the shape of a message. B14: the raw token of an id that is not legal is
// kept.
func TestT3Shape(t *testing.T) {
	for _, tt := range []badLine{
		{"no version", `{"id":1,"method":"m"}`, FaultShape, "1", true, false},
		{"version is a number", `{"jsonrpc":2.0,"id":1,"method":"m"}`, FaultShape, "1", true, false},
		{"other version", `{"jsonrpc":"1.0","id":1,"method":"m"}`, FaultShape, "1", true, false},
		{"method is a number", `{"jsonrpc":"2.0","id":1,"method":5}`, FaultShape, "1", true, false},
		{"method is null", `{"jsonrpc":"2.0","id":1,"method":null}`, FaultShape, "1", true, false},
		{"params is an array", `{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, FaultShape, "1", true, false},
		{"params is null", `{"jsonrpc":"2.0","id":"a","method":"m","params":null}`, FaultShape, `"a"`, true, false},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"m"}`, FaultShape, "", false, false},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.9,"method":"m"}`, FaultShape, "1.9", false, false},
		{"id has an exponent", `{"jsonrpc":"2.0","id":9.3e18,"method":"m"}`, FaultShape, "9.3e18", false, false},
		{"id is a bool", `{"jsonrpc":"2.0","id":true,"method":"m"}`, FaultShape, "", false, false},
		{"id is an object", `{"jsonrpc":"2.0","id":{"id":1},"method":"m"}`, FaultShape, "", false, false},
		{"id is an array", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, FaultShape, "", false, false},
		{"scalar line", `5`, FaultShape, "", false, false},
		{"empty object", `{}`, FaultShape, "", false, false},
		{"no method, no result", `{"jsonrpc":"2.0","id":1}`, FaultShape, "1", true, false},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, FaultShape, "1", true, false},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":1,"error":{}}`, FaultShape, "1", true, true},
		{"error is a string", `{"jsonrpc":"2.0","id":1,"error":"no"}`, FaultShape, "1", true, true},
		{"response with id null", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, FaultShape, "", false, true},
		{"response without id", `{"jsonrpc":"2.0","error":{"code":1,"message":""}}`, FaultShape, "", false, true},
		{"response with params", `{"jsonrpc":"2.0","id":1,"result":1,"params":{}}`, FaultShape, "1", true, true},
		{"params twice", `{"jsonrpc":"2.0","id":1,"method":"m","params":{},"params":{}}`, FaultDuplicate, "1", true, false},
		{"same id twice", `{"jsonrpc":"2.0","id":1,"method":"m","i\u0064":1}`, FaultDuplicate, "1", true, false},
		{"same text id twice", `{"jsonrpc":"2.0","id":"a","method":"m","id":"a"}`, FaultDuplicate, `"a"`, true, false},
		{"same fraction twice", `{"jsonrpc":"2.0","id":1.5,"method":"m","id":1.5}`, FaultDuplicate, `1.5`, false, false},
		{"two ids", `{"jsonrpc":"2.0","id":1,"method":"m","id":2}`, FaultDuplicate, "", false, false},
		{"two ids of one value", `{"jsonrpc":"2.0","id":"a","method":"m","id":"\u0061"}`, FaultDuplicate, "", false, false},
		{"same id three times", `{"jsonrpc":"2.0","id":1,"id":1,"method":"m","id":1}`, FaultDuplicate, "", false, false},
		{"two ids and the first again", `{"jsonrpc":"2.0","id":1,"id":2,"method":"m","id":1}`, FaultDuplicate, "", false, false},
		{"four ids", `{"jsonrpc":"2.0","id":1,"id":1,"id":1,"method":"m","id":1}`, FaultDuplicate, "", false, false},
		{"same object id twice", `{"jsonrpc":"2.0","id":{},"method":"m","id":{}}`, FaultDuplicate, "", false, false},
	} {
		tt.run(t, nil)
	}
}

// B15, B17, B18: ids are raw tokens.
func TestIDsAreTokens(t *testing.T) {
	for _, id := range []string{`0`, `-1`, `9007199254740993`, `123456789012345678901234567890`, `"abc"`, `"1"`, `""`, `"\u0061"`} {
		m, err := Parse([]byte(`{"jsonrpc":"2.0","id":`+id+`,"method":"m"}`), nil)
		if err != nil || m.Kind != KindRequest || text(m, m.ID) != id {
			t.Errorf("id %s: %v, want a request with that id", id, err)
		}
	}
}

// T4: a bad line gives its id, wherever it stands.
//
// req: W02
func TestT4Recovery(t *testing.T) {
	o := &ReaderOptions{MaxLine: 400, MaxDepth: 6}
	long := strings.Repeat("x", 500)
	deep := strings.Repeat("[", 9) + strings.Repeat("]", 9)
	deeper := strings.Repeat(`{"a":[`, 300) + `"]\"]"` + strings.Repeat("]}", 300)
	for _, tt := range []badLine{
		{"text", `this is not json`, FaultSyntax, "", false, false},
		{"brace", `{`, FaultSyntax, "", false, false},
		{"log text around an object", `note: {"jsonrpc":"2.0","id":1,"method":"m"}`, FaultSyntax, "", false, false},
		{"garbage after the message", `{"jsonrpc":"2.0","id":1,"method":"m"} garbage`, FaultSyntax, "1", true, false},
		{"cut after the id", `{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":`, FaultSyntax, `"a"`, true, false},
		{"cut in the id", `{"jsonrpc":"2.0","id":12`, FaultSyntax, "", false, false},
		{"cut, nested id", `{"jsonrpc":"2.0","method":"m","params":{"id":7}`, FaultSyntax, "", false, false},
		{"id last, bad escape", `{"method":"m","params":{"id":7,"t":"\x"},"jsonrpc":"2.0","id":5}`, FaultSyntax, "5", true, false},
		{"id last, control character", "{\"method\":\"m\",\"params\":{\"t\":\"\x01\"},\"jsonrpc\":\"2.0\",\"id\":5}", FaultSyntax, "5", true, false},
		{"id last, not UTF-8", "{\"method\":\"m\",\"params\":{\"t\":\"\xff\"},\"jsonrpc\":\"2.0\",\"id\":5}", FaultSyntax, "5", true, false},
		{"id last, lone surrogate", `{"method":"m","params":{"t":"\ud800"},"jsonrpc":"2.0","id":"s-5"}`, FaultSyntax, `"s-5"`, true, false},
		{"id last, trailing comma", `{"method":"m","params":{"t":1,},"jsonrpc":"2.0","id":5}`, FaultSyntax, "5", true, false},
		{"id last, stray quote", `{"method":"m","params":{"t":"5" tall","b":"}"},"jsonrpc":"2.0","id":5}`, FaultSyntax, "", false, false},
		{"id last, stray quotes", `{"method":"m","params":{"t":"a "b" c"},"jsonrpc":"2.0","id":5}`, FaultSyntax, "", false, false},
		{"id last, JSON in text", `{"method":"m","params":{"t":"\x {\"id\":7}"},"jsonrpc":"2.0","id":5}`, FaultSyntax, "5", true, false},
		{"id first, fault after", `{"jsonrpc":"2.0","id":3,"method":"m","params":{"t":"\x","id":7}}`, FaultSyntax, "3", true, false},
		{"fraction", `{"method":"m","params":{"t":"\x"},"id":1.9}`, FaultSyntax, "1.9", false, false},
		{"more behind the closing brace", `{"method":"m","params":{"t":"\x"},"id":5} {"id":6}`, FaultSyntax, "", false, false},
		{"array with a fault", `[{"id":5,"method":"\x"}]`, FaultSyntax, "", false, false},
		{"id is an object", `{"method":"m","params":{"t":"\x"},"id":{"id":5}}`, FaultSyntax, "", false, false},
		{"id is null", `{"method":"m","params":{"t":"\x"},"id":null}`, FaultSyntax, "", false, false},
		{"id is not a token", `{"jsonrpc":"2.0","id":1x,"method":"m"}`, FaultSyntax, "", false, false},
		{"id has a leading zero", `{"jsonrpc":"2.0","id":01,"method":"m"}`, FaultSyntax, "", false, false},
		{"id by escape", `{"method":"\x","\u0069d":5}`, FaultSyntax, "5", true, false},
		{"two ids after the fault", `{"method":"\x","id":5,"id":6}`, FaultSyntax, "", false, false},
		{"same id twice before the fault", `{"id":5,"id":5,"method":"\x"}`, FaultSyntax, "5", true, false},
		{"two ids before the fault", `{"id":5,"id":6,"method":"\x"}`, FaultSyntax, "", false, false},
		{"same id around the fault", `{"id":5,"method":"\x","i\u0064": 5}`, FaultSyntax, "5", true, false},
		{"two ids around the fault", `{"id":5,"method":"\x","id":6}`, FaultSyntax, "", false, false},
		{"no token and an id behind the fault", `{"id":null,"method":"\x","id":6}`, FaultSyntax, "", false, false},
		{"same id twice behind the fault", `{"method":"\x","id":5,"id":5}`, FaultSyntax, "5", true, false},
		{"same id twice behind the fault, and another", `{"method":"\x","id":5,"id":5,"id":6}`, FaultSyntax, "", false, false},
		{"second id cut", `{"method":"\x","id":5,"id":5`, FaultSyntax, "", false, false},
		{"second id is not a token", `{"id":5,"id":5x,"method":"m"}`, FaultSyntax, "", false, false},
		{"same id twice in a long line", `{"id":5,"id":5,"method":"` + long + `"}`, FaultTooLong, "5", true, false},
		{"two ids around a long text", `{"id":5,"method":"` + long + `","id":6}`, FaultTooLong, "", false, false},
		{"same id around a long text", `{"id":5,"method":"` + long + `","id":5}`, FaultTooLong, "5", true, false},
		{"names in an array", `["\x","id":5]`, FaultSyntax, "", false, false},
		{"id is an array", `{"method":"\x","id":[5]}`, FaultSyntax, "", false, false},
		{"name in brackets", `{"a":"\x",{"id"}:5}`, FaultSyntax, "", false, false},
		{"number of 4097 digits", `{"method":"\x","id":` + strings.Repeat("1", maxID+1) + `}`, FaultTooLong, "", false, false},
		{"stray quote and cut", `{"a":"b"c\"d","id":5,"e":{`, FaultSyntax, "", false, false},
		{"stray quote", `{"a":"b"c\"d","id":5,"e":{}}`, FaultSyntax, "", false, false},
		{"id first, stray quote", `{"jsonrpc":"2.0","id":5,"method":"a"b","params":{"id":7}}`, FaultSyntax, "5", true, false},
		{"id first, bracket too many", `{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":{}}},"id":7}`, FaultSyntax, "5", true, false},
		{"id last, bracket too many", `{"jsonrpc":"2.0","method":"m","params":{"a":{}}},"id":7}`, FaultSyntax, "", false, false},
		{"notification, brackets too many", `{"jsonrpc":"2.0","method":"m","params":{"a":{"b":1}},"id":7,"c":2}}`, FaultSyntax, "", false, false},
		{"notification, bracket turned", `{"jsonrpc":"2.0","method":"m","params":}"a":1},"id":7}`, FaultSyntax, "", false, false},
		{"params lost its bracket", `{"jsonrpc":"2.0","method":"m","params":1,"id":7,"a":{}},"id":5}`, FaultSyntax, "", false, false},
		{"id last, trailing comma in an array", `{"method":"m","params":{"t":[1,]},"jsonrpc":"2.0","id":5}`, FaultSyntax, "5", true, false},
		{"id last, commas for nothing", `{,"method":"m",,"params":{,},"t":[,1,,2,,],"jsonrpc":"2.0",,"id":5}`, FaultSyntax, "5", true, false},
		{"id last, comma for a value", `{"method":"m","params":{"t":,"u":1},"id":5}`, FaultSyntax, "", false, false},
		{"id last, not a number", `{"result":{"t":NaN,"u":[-Infinity, .5,01,+1,1.]},"jsonrpc":"2.0","id":5}`, FaultSyntax, "5", true, true},
		{"id last, control character between tokens", "{\"method\"\x00:\"m\",\x01\"params\":{\x02\"t\":[\x03]},\"id\"\x04:\x055}", FaultSyntax, "5", true, false},
		{"id last, no value", `{"method":"m","params":{"t":},"id":5}`, FaultSyntax, "", false, false},
		{"id last, name without quotes", `{"method":"m","params":{t:1},"id":5}`, FaultSyntax, "", false, false},
		{"id last, no comma", `{"method":"m","params":{"t":1 "u":2},"id":5}`, FaultSyntax, "", false, false},
		{"id before nonsense", `{"jsonrpc":"2.0","id":1 x,"method":"m"}`, FaultSyntax, "", false, false},
		{"id before a control character", "{\"jsonrpc\":\"2.0\",\"id\":1\x01,\"method\":\"m\"}", FaultSyntax, "", false, false},
		{"second id before nonsense", `{"id":5,"id":5 x,"id":5,"method":"m"}`, FaultSyntax, "", false, false},
		{"second id before a control character", "{\"id\":5,\"id\":5\x01,\"method\":\"m\"}", FaultSyntax, "", false, false},
		{"id between two faults", `{"x":x,"id":7,"method":"m" "params":{}}`, FaultSyntax, "", false, false},
		{"id behind brackets and before a fault", `{"result":{"a":1},"id":7,"x":1 "y":2}`, FaultSyntax, "", false, true},
		{"id behind a bracket for a value", `{"result":{"b":],"id":7}`, FaultSyntax, "", false, true},
		{"id swallowed a name", `{"jsonrpc":"2.0","id":"a,"method":"m"}`, FaultSyntax, "", false, false},
		{"cut behind the id", `{"jsonrpc":"2.0","id":5,"meth`, FaultSyntax, "", false, false},
		{"bad text in a name", `{"\x":1,"\u12":{"\ud800":[]},"id":5}`, FaultSyntax, "5", true, false},
		{"too deep with a bracket that does not fit", `{"params":[[[[[[[}]]]]]],"id":5}`, FaultTooDeep, "", false, false},
		{"turned and cut", `{"a":"x" "id":5,"b":{"c":"y","id":7`, FaultSyntax, "", false, false},
		{"id with a bad escape", `{"method":"m","id":"\x"}`, FaultSyntax, "", false, false},
		{"response, result first", `{"result":{"t":"\x"},"jsonrpc":"2.0","id":"b-4"}`, FaultSyntax, `"b-4"`, true, true},
		{"response, id first", `{"jsonrpc":"2.0","id":"b-4","x":"\x","result":{}}`, FaultSyntax, `"b-4"`, true, true},
		{"too deep, id last", `{"method":"m","params":{"id":7,"t":` + deep + `},"jsonrpc":"2.0","id":5}`, FaultTooDeep, "5", true, false},
		{"too deep and longer than any line may be deep", `{"method":"m","params":{"id":7,"t":` + deeper + `},"id":5}`, FaultTooLong, "5", true, false},
		{"too deep response", `{"result":{"t":` + deep + `},"jsonrpc":"2.0","id":5}`, FaultTooDeep, "5", true, true},
		{"too long, id first", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"` + long + `"}}`, FaultTooLong, "1", true, false},
		{"too long, id last", `{"method":"m","params":{"id":7,"t":"` + long + `"},"jsonrpc":"2.0","id":5}`, FaultTooLong, "5", true, false},
		{"too long and not JSON", `{"method":"m","params":{"t":"\x` + long + `"},"id":5}`, FaultTooLong, "5", true, false},
		{"too long, only text", long, FaultTooLong, "", false, false},
	} {
		tt.run(t, o)
	}
}

// A bad line says whether it names a method: then its id is not the one of a call
// of the receiver.
func TestT4Method(t *testing.T) {
	o := &ReaderOptions{MaxLine: 400, MaxDepth: 6}
	for _, tt := range []struct {
		name, line string
		want       bool
	}{
		{"text", `nonsense`, false},
		{"no method", `{"jsonrpc":"2.0","id":1}`, false},
		{"wrong method", `{"jsonrpc":"2.0","id":1,"method":5}`, true},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, true},
		{"method before the fault", `{"id":1,"method":"m","params":"\x"}`, true},
		{"method behind the fault", `{"id":1,"params":"\x","meth\u006fd":"m"}`, true},
		{"method deeper down", `{"id":1,"result":{"method":"m"},"x":"\x","y":{"method":"m"}}`, false},
		{"method in a text", `{"id":1,"result":"\x \"method\":"}`, false},
		{"other case", `{"id":1,"Method":"m"}`, false},
		{"too deep", `{"id":1,"params":[[[[[[[[]]]]]]]],"method":"m"}`, true},
		{"too long, method last", `{"id":1,"params":"` + strings.Repeat("x", 500) + `","method":"m"}`, true},
	} {
		for _, size := range []int{4, 50, readSize} {
			r := newReader(strings.NewReader(tt.line), o, size, 4)
			_, err := r.Read()
			e, ok := err.(*LineError)
			if !ok || e.Method != tt.want || e.Method && e.Response {
				t.Errorf("%s, buffer %d: %+v, want Method %v", tt.name, size, err, tt.want)
			}
		}
	}
}
