package mcpwire

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// The limits of FuzzFirstLine, small so that inputs meet them.
const (
	fuzzLine  = 400 // bytes
	fuzzDepth = 8   // levels
)

// FuzzFirstLine gives a session any lines, as its front. What encoding/json finds in each
// says which of them may have selected a path, and which.
func FuzzFirstLine(f *testing.F) {
	f.Add(initialize)
	f.Add("\n \r\n\ufeff" + initialize)
	f.Add(`{"jsonrpc":"2.0","method":"initialize"}` + "\n" + listTools)
	f.Add(`{"jsonrpc":"2.0","id":1,"result":"initialize"}` + "\n" + initialize)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}` + "\n" + initialize)
	f.Add(strings.Repeat("[", 20) + "\n" + initialize)
	f.Add(strings.Repeat(" ", fuzzLine) + "x\n" + initialize)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"\u0069nitialize","params":{}}`)
	f.Add(`{"method":"initialize","id":1,"jsonrpc":"2.0","method":"x"}`)
	f.Add("\xff\n" + initialize)
	f.Fuzz(func(t *testing.T, input string) {
		p := newPlayer(t, embedded())
		r := jsonrpc.NewReader(strings.NewReader(input), &jsonrpc.ReaderOptions{Members: Members(), MaxLine: fuzzLine, MaxDepth: fuzzDepth})
		for line := range strings.SplitSeq(input, "\n") {
			if line = strings.TrimSuffix(strings.TrimPrefix(line, "\ufeff"), "\r"); strings.Trim(line, " \t\r") == "" {
				continue // a blank line is no message
			}
			before := p.path()
			p.readLine(r)
			p.checkPath(line, before)
			for _, w := range p.wrote {
				if before == pathNone && len(line) > fuzzLine {
					t.Errorf("a line of %d bytes was answered by %s", len(line), w)
				}
			}
			p.wrote = nil
		}
	})
}

// readLine hands the session the next line of r.
func (p *player) readLine(r *jsonrpc.Reader) {
	var out Steps
	m, err := r.Read()
	bad, isLine := errors.AsType[*jsonrpc.LineError](err)
	switch {
	case err == nil:
		p.session.FromFront(p.now, m, &out)
	case isLine:
		p.session.BadLine(p.now, Front, bad, &out)
	case err != io.EOF:
		p.t.Fatal(err)
	}
	p.carryOut(&out)
}

// checkPath checks what line has selected, before which the path was before.
func (p *player) checkPath(line, before string) {
	got := p.path()
	want, sure := before, true
	if before == pathNone {
		want, sure = selects(line)
	}
	if got != want && (sure || got == pathLegacy) {
		p.t.Errorf("%q, while the path was %s, selected %s, want %s", line, before, got, want)
	}
}

// selects returns what a first line selects. It is not sure of a line that is broken, or
// no message: such a one selects nothing if it was meant as a response.
func selects(line string) (path string, sure bool) {
	if len(line) > fuzzLine {
		return pathNone, true
	}
	m, ok := topLevel(line)
	_, result := m["result"]
	_, failed := m["error"]
	_, asks := m["id"]
	method := stringOf(m["method"])
	switch {
	case !ok, stringOf(m["jsonrpc"]) != "2.0", asks && !legalID(m["id"]):
		return pathModern, !strings.Contains(line, "result") && !strings.Contains(line, "error") && !strings.Contains(line, `\u`)
	case method == "" || m["params"] != "" && m["params"][0] != '{' || result || failed:
		return pathModern, false
	case !asks, method == methodDiscover:
		return pathNone, true
	case method == methodInitialize:
		return pathLegacy, true
	}
	return pathModern, true
}

// topLevel returns the members of line as JSON. It reports false if they are not those of
// a message that is short of no rule of the reader.
func topLevel(line string) (map[string]string, bool) {
	members := map[string]string{}
	dec := json.NewDecoder(strings.NewReader(line))
	if !utf8.ValidString(line) || !json.Valid([]byte(line)) || depthOf(line) > fuzzDepth || strings.Contains(line, `\ud`) {
		return members, false
	}
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return members, false
	}
	for dec.More() {
		name, _ := dec.Token()
		var value json.RawMessage
		dec.Decode(&value)
		if _, twice := members[name.(string)]; twice && slices.Contains(envelopeNames, name.(string)) {
			return members, false
		}
		members[name.(string)] = string(value)
	}
	return members, !repeats(members["params"])
}

var envelopeNames = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// repeats reports whether a member stands twice in an object that the rules read.
func repeats(object string) bool {
	seen := map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	for dec.More() {
		name, _ := dec.Token()
		var value json.RawMessage
		dec.Decode(&value)
		if seen[name.(string)] && slices.Contains(Members(), name.(string)) {
			return true
		}
		seen[name.(string)] = true
	}
	return false
}

// depthOf returns how deep the brackets of a line that is JSON are nested.
func depthOf(line string) (deepest int) {
	depth := 0
	dec := json.NewDecoder(strings.NewReader(line))
	for {
		switch token, err := dec.Token(); {
		case err != nil:
			return deepest
		case token == json.Delim('{'), token == json.Delim('['):
			depth++
			deepest = max(deepest, depth)
		case token == json.Delim('}'), token == json.Delim(']'):
			depth--
		}
	}
}

// stringOf returns a string, and nothing for any other value.
func stringOf(value string) (s string) {
	json.Unmarshal([]byte(value), &s)
	return s
}

// legalID reports whether an id is a string or an integer.
func legalID(value string) bool {
	return value[0] == '"' || !strings.ContainsAny(value, ".eE") && strings.Trim(value, "-0123456789") == ""
}
