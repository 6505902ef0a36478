package mcpwire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// A wireFault is the error of a line to the front.
type wireFault struct {
	Error *struct {
		Code    int
		Message string
		Data    map[string]any
	}
}

// besides are the members that an error of the session may have beside its cause.
var besides = []string{"cause", "detail", "status", "retryAfter", "supported", "requested"}

// ownError checks an error that the session has made: a cause of the closed set, with
// its code and its text, and nothing that the rule does not allow (T92).
func ownError(t *testing.T, line string) {
	t.Helper()
	var f wireFault
	if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "F< ")), &f); err != nil || f.Error == nil {
		return // a result, or what goes upstream
	}
	c := Cause("")
	if s, ok := f.Error.Data["cause"].(string); ok {
		c = Cause(s)
	}
	if !slices.Contains(Causes(), c) || f.Error.Code != c.Code() || f.Error.Message != c.Text() {
		t.Errorf("an error of ours is %s; want a cause of the table, with its code and its text", line)
	}
	for name := range f.Error.Data {
		if !slices.Contains(besides, name) {
			t.Errorf("an error of ours has %q beside its cause: %s", name, line)
		}
	}
}

// req: P05
func TestT92(t *testing.T) {
	const secret = "s3cr3t"
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + secret + `","arguments":{"a":"` + secret + `"}}}`
	for _, tt := range []struct {
		cause  Cause
		o      Options
		script []string // inputs; the last one is answered by the error
	}{
		{CauseBusy, Options{Limits: Limits{InFlight: 1}}, []string{"F> " + call, "F> " + strings.Replace(call, "7", "8", 1)}},
		{CauseAlreadyInitialized, Options{}, []string{"F> " + initialize}},
		{CauseInvalidRequest, Options{}, []string{`F> {"jsonrpc":"2.0","id":1,"method":7,"x":"` + secret + `"}`}},
		{CauseMethodNotFound, Options{}, []string{`F> {"jsonrpc":"2.0","id":1,"method":"` + secret + `"}`}},
		{CauseInvalidParams, Options{}, []string{`F> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"` + secret + `":1}}}`}},
		{CauseParseError, Options{}, []string{`F> {"jsonrpc":"2.0","id":1,"x":"` + secret + `"`}},
		{CauseTooDeep, Options{}, []string{`F> {"jsonrpc":"2.0","id":1,"method":"` + secret + `","params":{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}}`}},
		{CauseTimeout, Options{}, []string{"F> " + call, "! fire request"}},
		{CauseUpstreamExited, Options{}, []string{"F> " + call, "! lost upstream_exited"}},
		{CauseUpstreamClosed, Options{}, []string{"F> " + call, "! lost upstream_closed"}},
		{CauseUpstreamStalled, Options{}, []string{"F> " + call, "! lost upstream_stalled"}},
		{CauseInvalidUpstreamMessage, Options{}, []string{"F> " + call, `U> {"jsonrpc":"2.0","id":2,"result":"` + secret + `"}`}},
		{CauseInvalidUpstreamMessage, Options{}, []string{"F> " + call, `U> {"jsonrpc":"2.0","id":2,"error":{"code":"` + secret + `","message":"` + secret + `"}}`}},
		{CauseURLElicitation, Options{}, []string{"F> " + call, `U> {"jsonrpc":"2.0","id":2,"error":{"code":-32042,"message":"` + secret + `","data":"` + secret + `"}}`}},
	} {
		t.Run(string(tt.cause), func(t *testing.T) {
			p := opened(t, tt.o)
			for _, line := range tt.script {
				p.wrote = nil
				op, text, _ := strings.Cut(line, " ")
				p.input(op, text)
			}
			if len(p.wrote) == 0 || !strings.Contains(p.wrote[0], `"data":{"cause":"`+string(tt.cause)+`"}`) || strings.Contains(p.wrote[0], secret) {
				t.Fatalf("wrote %q, want the cause %s and nothing else", p.wrote, tt.cause)
			}
			ownError(t, p.wrote[0])
		})
	}
	t.Run("before the session is ready", func(t *testing.T) {
		p := newPlayer(t, Options{})
		p.input("F>", call)
		p.input("F>", strings.Replace(initialize, `"2025-11-25"`, `7`, 1))
		p.input("F>", initialize)
		p.input("U>", `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2099-01-01"]}}`)
		n := 0
		for _, line := range p.wrote {
			if strings.Contains(line, `"error"`) {
				n++
				ownError(t, line)
			}
		}
		if n != 3 {
			t.Errorf("%d errors, want 3: %q", n, p.wrote)
		}
	})
}

// An error of the upstream that no other rule names passes as it is: method not found
// for every method (T91), and codes of every range.
//
// req: P05
func TestT91(t *testing.T) {
	for name := range forwarded() {
		request := `{"jsonrpc":"2.0","id":7,"method":"` + name + `","params":` + anyParams + `}`
		for _, code := range []string{"-32601", "-32603", "-32700", "-32000", "-32019", "-32020", "-32021", "-1", "0", "1", "9007199254740993"} {
			e := `{"code":` + code + `,"message":"x \u0041","data":{"cause":"busy","n": 1.0},"z":1}`
			errorsPass(t, Options{Profile: VSCode}, request, [][2]string{{e, e}})
		}
	}
}

// Nothing is sent twice by itself: not after an error, a violation, a timeout or the
// loss of the upstream (T52).
func TestT52(t *testing.T) {
	for name := range forwarded() {
		for _, event := range []string{
			`U> {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"x"}}`,
			`U> {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x"}}`,
			`U> {"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"x"}}`,
			`U> {"jsonrpc":"2.0","id":2,"result":7}`,
			`U> {"jsonrpc":"2.0","id":2,"result":07}`,
			`! fire request`, `! lost upstream_exited`,
		} {
			p := opened(t, Options{})
			p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"`+name+`","params":`+anyParams+`}`)
			p.wrote = nil
			op, text, _ := strings.Cut(event, " ")
			p.input(op, text)
			p.now = p.now.Add(time.Hour)
			for _, line := range p.wrote {
				if strings.HasPrefix(line, "U< ") {
					t.Errorf("%s after %s: sent again: %s", name, event, line)
				}
			}
			if len(p.wrote) == 0 || !strings.HasPrefix(p.wrote[0], `F< {"jsonrpc":"2.0","id":7,"error":`) {
				t.Errorf("%s after %s: wrote %q, want one error", name, event, p.wrote)
			}
		}
	}
}
