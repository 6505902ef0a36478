package matrix

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// shaping are the features that are about what a front knows.
var shaping = []feature{
	{name: "tasks", rows: []string{rowTasks}, has: ours, row: nil, works: tasks, fails: noTasks},
	{name: "extension", rows: []string{rowExtensions}, has: ours, works: nil, fails: refused("com.example/method")},
	{name: "members", rows: []string{rowMembers}, has: func(p *pair) bool { return ours(p) && p.rev >= rev20250618 }, works: members},
	{name: "content", rows: []string{rowContent}, has: func(p *pair) bool { return ours(p) && p.rev >= rev20250618 }, works: content},
	{name: "structured content", rows: []string{rowStructured}, has: func(p *pair) bool { return ours(p) && p.rev == rev20260728 }, works: structured},
	{name: "hints", rows: []string{rowHints}, has: func(p *pair) bool { return ours(p) && !p.modern() }, works: hints},
	{name: "array", rows: []string{rowArrays, rowOtherArrays}, has: ours, row: arraysRow, works: array, fails: noArray},
	{name: "array of the server", rows: []string{rowServerArrays, rowOtherArrays}, has: arraysOfServer, row: serverArraysRow, works: serverArray, fails: noServerArray},
}

// tasks wants the tasks of a server to pass, if both speak the revision that has them.
func tasks(t *testing.T, p *pair) {
	m := p.request("tasks/list", object{})
	if has := p.agreed == rev20251125 && p.rev == rev20251125; has && at(m.Result, "tasks") == nil || !has && (m.Error == nil || m.Error.Code != -32601) {
		t.Errorf("tasks/list: %s", m.brief())
	}
}

func noTasks(t *testing.T, p *pair, c cell) {
	if at(p.offers.Result, "capabilities", "tasks") != nil {
		t.Errorf("offered %s, but the table says: %s", p.offers.brief(), c.text)
	}
	refused("tasks/list")(t, p, c)
}

// refused wants a method to be refused as the table says.
func refused(method string) func(t *testing.T, p *pair, c cell) {
	return func(t *testing.T, p *pair, c cell) {
		if m := p.request(method, object{}); !c.documents(m) {
			t.Errorf("%s: %s, want what the table says: %s", method, m.brief(), c.text)
		}
	}
}

// members wants a front to get no member of a tool that its revision does not have, and all
// that it has.
func members(t *testing.T, p *pair) {
	known := p.agreed
	for name, since := range map[string]string{"annotations": rev20250326, "title": rev20250618, "outputSchema": rev20250618} {
		m := p.request("tools/list", object{})
		if got, want := at(m.Result, "tools", 0, name) != nil, known >= since; got != want {
			t.Errorf("a tool has %s: %v, want %v: %s", name, got, want, m.brief())
		}
	}
}

// content wants blocks that the front does not know to be told as text.
func content(t *testing.T, p *pair) {
	for tool, since := range map[string]string{"audio": rev20250326, "link": rev20250618} {
		m := p.front.call(tool, nil)
		kind, _ := at(m.Result, "content", 0, "type").(string)
		if got, want := kind == "text", p.agreed < since; kind == "" || got != want {
			t.Errorf("call of %s: %s, want a text: %v", tool, m.brief(), want)
		}
	}
}

func structured(t *testing.T, p *pair) {
	p.mu.Lock()
	p.odd[fmt.Sprint(p.number+1)] = true // not valid before 2026-07-28, and told to those who can read it
	p.mu.Unlock()
	m := p.front.call("list", nil)
	got := at(m.Result, "structuredContent")
	if m.text() != "[1,2]" || got != nil && !reflect.DeepEqual(got, []any{1.0, 2.0}) {
		t.Errorf("call of list: %s", m.brief())
	}
}

// hints wants what only 2026-07-28 has to be left out; the frames show it for every answer.
func hints(t *testing.T, p *pair) {
	m := p.front.call("hints", nil)
	if m.Result == nil || at(m.Result, "resultType") != nil || at(m.Result, "ttlMs") != nil {
		t.Errorf("call of hints: %s", m.brief())
	}
}

func arraysRow(p *pair) string {
	if p.agreed == rev20250326 {
		return rowArrays
	}
	return rowOtherArrays
}

// writeArray writes two calls as one array.
func (p *pair) writeArray() {
	call := func(id string) message {
		m := notification("tools/call", object{"name": "echo", "arguments": object{}})
		m.ID = json.RawMessage(id)
		return m
	}
	line := fmt.Sprintf("[%s,%s]", call(`"a-1"`).line(), call(`"a-2"`).line())
	p.write([]byte(line))
}

func array(t *testing.T, p *pair) {
	p.writeArray()
	p.until(func() bool { return len(p.arrays) > 0 })
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.arrays) != 1 || len(p.arrays[0]) != 2 {
		t.Fatalf("%d arrays in answer to one, want one with two answers", len(p.arrays))
	}
	for _, m := range p.arrays[0] {
		if !strings.HasPrefix(m.text(), "echo") {
			t.Errorf("in the array: %s", m.brief())
		}
	}
}

func noArray(t *testing.T, p *pair, c cell) {
	p.mu.Lock()
	p.odd["null"], p.odd[""] = true, true // there is no id to answer
	p.mu.Unlock()
	p.writeArray()
	var m message
	p.until(func() bool {
		var absent, null bool
		if m, null = p.answers["null"]; null {
			return true
		}
		m, absent = p.answers[""]
		return absent
	})
	if !c.documents(m) {
		t.Errorf("an array: %s, want what the table says: %s", m.brief(), c.text)
	}
}

func arraysOfServer(p *pair) bool {
	return ours(p) && !p.up.http && !(p.modern() && p.rev == rev20260728)
}

func serverArraysRow(p *pair) string {
	if p.rev == rev20250326 {
		return rowServerArrays
	}
	return rowOtherArrays
}

// logged counts the log messages that came in an array.
func (p *pair) logged() (n int) {
	for _, m := range p.notes {
		if at(m.Params, "logger") == "array" {
			n++
		}
	}
	return n
}

func serverArray(t *testing.T, p *pair) {
	p.front.call("array", nil)
	if !p.until(func() bool { return p.logged() == 2 }) {
		t.Errorf("%d messages of an array of two came", p.logged())
	}
}

func noServerArray(t *testing.T, p *pair, c cell) {
	p.front.call("array", nil)
	p.use(t, "call")
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.logged() != 0 {
		t.Errorf("what a server has written as an array came, but the table says: %s", c.text)
	}
}
