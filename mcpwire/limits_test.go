package mcpwire

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestLimitsDefaults(t *testing.T) {
	want := Limits{
		InFlight: 256, Held: 134217728, Discover: time.Minute, Probe: 10 * time.Second, List: 2 * time.Minute, Read: 2 * time.Minute, Call: time.Hour, Drain: 250 * time.Millisecond, Pages: 1000, Cursor: 65536,
		Rounds: 10, Inputs: 16, RequestState: 65536, Input: time.Hour, Initialized: 30 * time.Second, Inquiries: 8, Roots: time.Minute, InputRate: 10, InputBurst: 20,
		PauseMin: 250 * time.Millisecond, PauseMax: 5 * time.Second,
		ProgressRate: 40, ProgressBurst: 10, LogRate: 50, LogBurst: 100, Notification: 1048576, Completions: 100, ListedURIs: 10000, ListedBytes: 4194304,
		Listen: 30 * time.Second, ListenDrain: 250 * time.Millisecond, Relisten: 500 * time.Millisecond, RelistenMax: 30 * time.Second, ListenAlive: 10 * time.Second, RetryAfter: 5 * time.Minute, URIs: 1000, URIBytes: 4194304,
		ToolPages: 50, IndexedTools: 10000, IndexedBytes: 4194304, Headers: 65536,
		ExtraMeta: 16384, FormBytes: 262144, FormSchemas: 1000, Pattern: 1024, SchemaDepth: 64, Subschemas: 10000,
	}
	for _, l := range []Limits{{}, all(-1), {InFlight: 257, Completions: 101}} {
		if got := l.withDefaults(); got != want {
			t.Errorf("%+v with defaults is\n%+v, want\n%+v", l, got, want)
		}
	}
	if own := all(1); own.withDefaults() != own {
		t.Errorf("%+v with defaults is %+v", own, own.withDefaults())
	}
}

// standard are the limits of a session without limits of its own.
var standard = Limits{}.withDefaults()

// all returns Limits with n in every field.
func all(n int64) (l Limits) {
	v := reflect.ValueOf(&l).Elem()
	for _, field := range v.Fields() {
		field.SetInt(n)
	}
	return l
}

// The page of the module has a row for each limit, with its default and its unit.
func TestDocumentedLimits(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	l := reflect.ValueOf(Limits{}.withDefaults())
	for i := range l.NumField() {
		name, v := l.Type().Field(i).Name, l.Field(i).Interface()
		row := "| " + fmt.Sprint(v) + " |"
		switch v := v.(type) {
		case time.Duration:
			row = fmt.Sprintf("| %g s |", v.Seconds())
		case int:
			if v >= 1<<20 && v%(1<<20) == 0 {
				row = fmt.Sprintf("| %d MiB |", v>>20)
			} else if v >= 1<<10 && v%(1<<10) == 0 {
				row = fmt.Sprintf("| %d KiB |", v>>10)
			}
		}
		if row = "| `" + name + "` " + row; !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks a row that begins with %q", row)
		}
	}
}

// An answer that needs too many edits fails, instead of taking many times its own
// size in memory; cuts side by side are one.
func TestEditLimit(t *testing.T) {
	p := opened(t, Options{})
	list := func(elements string) {
		p.t.Helper()
		id := p.session.core.last + 1
		p.input("F>", listTools)
		p.wrote = nil
		p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s]}}`, id, elements))
	}
	list(strings.Repeat("null,", 3*maxEdits) + "null")
	p.want(`F< {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}`)
	list(strings.Repeat(`0,{"name":""},`, maxEdits/2) + "0")
	p.want(`F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The answer of the server is too large.","data":{"cause":"response_too_large"}}}`)
	list(strings.Repeat(`{"name":"","inputSchema":{"type":"object"}},`, 1000) + "0")
	if len(p.wrote) != 1 || strings.Contains(p.wrote[0], "error") {
		t.Errorf("a list after that one fails: %.100s", p.wrote)
	}
}

// Once there are too many edits, nothing more is written down.
func TestEditLimitStopsTheWork(t *testing.T) {
	p := opened(t, Options{})
	p.input("F>", listTools)
	p.hold = true
	p.input("U>", `{"jsonrpc":"2.0","id":2,"result":{"tools":[`+strings.Repeat(`{"name":""},`, 2*maxEdits)+`0]}}`)
	h := p.held[0]
	h.Run()
	if got, most := len(h.answer.buf), maxEdits*len(`,"inputSchema":`+emptySchema); got > most {
		t.Errorf("the inserts take %d bytes, want at most %d", got, most)
	}
}

// What a large message leaves behind is given back with the next small one.
func TestMemoryKept(t *testing.T) {
	p := opened(t, Options{})
	p.input("F>", `{"jsonrpc":"2.0","id":"`+strings.Repeat("x", 1<<20)+`","method":"resources/read","params":{"uri":"`+strings.Repeat("x", 1<<20)+`"}}`)
	p.input("U>", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}`)
	p.input("F>", readMemo)
	c := p.session.core
	if got := cap(c.id) + cap(c.name); got > 4*maxKept {
		t.Errorf("core keeps %d bytes", got)
	}
	for i := range c.table.slots {
		if s := &c.table.slots[i]; cap(s.front)+cap(s.uri)+cap(s.frontURI)+cap(s.request.line) > 4*maxKept || cap(s.shape.answer.buf) > maxKeptShape {
			t.Errorf("slot %d keeps %d, %d and %d bytes", i, cap(s.front), cap(s.uri), cap(s.shape.answer.buf))
		}
	}
}

// A line over the limit fails the request that it names, on either side.
func TestLineTooLong(t *testing.T) {
	p := opened(t, Options{})
	p.maxLine = 1000
	long := strings.Repeat("x", 1000)
	p.play(`
		F> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"` + long + `"}}
		F< {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"The message is too large.","data":{"cause":"too_large"}}}
		F> {"jsonrpc":"2.0","method":"tools/call","params":{"name":"` + long + `"},"id":"last"}
		F< {"jsonrpc":"2.0","id":"last","error":{"code":-32600,"message":"The message is too large.","data":{"cause":"too_large"}}}
		F> ` + callTool + `
		U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
		U> {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"` + long + `"}]}}
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The answer of the server is too large.","data":{"cause":"response_too_large"}}}`)
}
