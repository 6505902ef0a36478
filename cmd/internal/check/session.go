package check

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A session is that of the client.
type session struct {
	w    io.Writer
	in   *bufio.Reader
	last int
	took []string // how long each request took
	fail *failure
}

// A failure is the error of a request: with a cause it is one of the bridge, else one of
// the server, of which only the code counts.
type failure struct {
	code   int
	cause  mcpwire.Cause
	status int // of HTTP, and zero if that is not why
}

// readFailure reads an error. A server can have put anything into one of its own, so text
// counts only if it is a cause that the bridge knows.
func readFailure(text json.RawMessage) *failure {
	var e struct {
		Code int
		Data json.RawMessage
	}
	var data struct {
		Cause  mcpwire.Cause
		Status int
	}
	// What cannot be read stays zero.
	json.Unmarshal(text, &e)
	json.Unmarshal(e.Data, &data)
	if !slices.Contains(mcpwire.Causes(), data.Cause) {
		return &failure{code: e.Code}
	}
	return &failure{e.Code, data.Cause, data.Status}
}

func newSession(w io.Writer, r io.Reader) *session { return &session{w: w, in: bufio.NewReader(r)} }

// call sends a request and returns its result, or nil; then fail says why.
func (s *session) call(method, params string) json.RawMessage {
	s.last++
	begun := time.Now()
	s.fail = nil
	if _, err := fmt.Fprintf(s.w, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.last, method, params); err != nil {
		s.fail = &failure{}
		return nil
	}
	for {
		line, err := s.in.ReadBytes('\n')
		if err != nil {
			s.fail = &failure{}
			return nil
		}
		var m map[string]json.RawMessage // a struct would take "ID" for "id"
		if json.Unmarshal(line, &m) != nil || string(m["id"]) != fmt.Sprint(s.last) {
			continue // a notification
		}
		s.took = append(s.took, fmt.Sprintf("%s %v", method, time.Since(begun).Round(time.Millisecond)))
		if e := m["error"]; e != nil {
			s.fail = readFailure(e)
		}
		return m["result"]
	}
}

const initialize = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcp-bridge-vscode check","version":"1"}}`

// look asks the server for everything that a client asks for at first. It reports
// whether there is a session.
func (s *session) look(r *report, o *Options, revision <-chan string) bool {
	result := s.call("initialize", initialize)
	if result == nil {
		return false
	}
	r.line("reached", "%s", o.Origin)
	r.line("revision", "%s", within(revision, maxLogWait))
	var hello struct {
		ServerInfo   struct{ Name, Version string }
		Capabilities map[string]json.RawMessage
	}
	if json.Unmarshal(result, &hello) != nil {
		return false
	}
	r.line("server", "%s %s", plain(hello.ServerInfo.Name), plain(hello.ServerInfo.Version))
	r.line("sign-in", "%s", o.SignIn())
	io.WriteString(s.w, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s.lists(r, hello.Capabilities)
}

// maxLogWait is how long a line of the log is waited for, which is written beside the
// answer that it is about.
const maxLogWait = 10 * time.Second

func within(c <-chan string, d time.Duration) string {
	select {
	case s := <-c:
		return s
	case <-time.After(d):
		return "unknown"
	}
}

// lists are what can be counted, by the capability that they need.
var lists = []struct{ capability, method, member string }{
	{"tools", "tools/list", "tools"},
	{"resources", "resources/list", "resources"},
	{"resources", "resources/templates/list", "resourceTemplates"},
	{"prompts", "prompts/list", "prompts"},
}

// lists counts what the server offers.
func (s *session) lists(r *report, capabilities map[string]json.RawMessage) bool {
	var counts []string
	for _, l := range lists {
		if _, has := capabilities[l.capability]; !has {
			continue
		}
		n, ok := s.count(l.method, l.member)
		if !ok {
			return false
		}
		counts = append(counts, fmt.Sprintf("%s %d", l.member, n))
	}
	for _, c := range []string{"completions", "logging"} {
		if _, has := capabilities[c]; has {
			counts = append(counts, c)
		}
	}
	if counts == nil {
		counts = []string{"none"}
	}
	r.line("features", "%s", strings.Join(counts, ", "))
	return true
}

// count walks through a list.
func (s *session) count(method, member string) (n int, ok bool) {
	params := "{}"
	for {
		result := s.call(method, params)
		var page map[string]json.RawMessage
		var items []json.RawMessage
		if result == nil || json.Unmarshal(result, &page) != nil || json.Unmarshal(page[member], &items) != nil {
			return n, false
		}
		n += len(items)
		cursor := page["nextCursor"]
		if cursor == nil {
			return n, true
		}
		params = `{"cursor":` + string(cursor) + `}`
	}
}

// drain reads what comes until the session ends.
func (s *session) drain() { io.Copy(io.Discard, s.in) }

func (s *session) times() string {
	if s.took == nil {
		return "none"
	}
	return strings.Join(s.took, ", ")
}

// cause is why there is no session. An error of the server has only a code.
func (s *session) cause() string {
	switch {
	case s.fail == nil:
		return "an answer that cannot be read"
	case s.fail.status != 0:
		return fmt.Sprintf("%s %d", s.fail.cause, s.fail.status)
	case s.fail.cause != "":
		return string(s.fail.cause)
	case s.fail.code != 0:
		return fmt.Sprintf("error %d of the server", s.fail.code)
	}
	return "the session ended too early"
}
