package matrix

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// patience is how long a front waits for what has to come, however busy the machine is.
const patience = 60 * time.Second

// A front is a client of one revision in front of a running bridge.
type front struct {
	t   *testing.T // of the whole session
	rev string     // the one that it asks for
	cmd *exec.Cmd
	in  io.WriteCloser

	agreed string  // revision of the session
	offers message // the answer to the first request
	level  string  // of the log messages that it wants: of 2026-07-28
	gone   chan struct{}

	mu      sync.Mutex // guards the fields below
	changed chan struct{}
	number  int
	answers map[string]message // by raw id
	asked   []message          // requests of the server, and its questions in results
	notes   []message          // its notifications
	arrays  [][]message
	records []wire.Record
	odd     map[string]bool // raw ids whose frames are not valid on purpose
	silent  bool            // answers nothing that it is asked
}

// open starts the bridge and opens the session.
func open(t *testing.T, rev, dir string, command ...string) *front {
	t.Helper()
	f := &front{t: t, rev: rev, gone: make(chan struct{}), changed: make(chan struct{}), answers: map[string]message{}, odd: map[string]bool{}}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	f.cmd = exec.CommandContext(ctx, command[0], command[1:]...)
	f.cmd.Env = append(f.cmd.Environ(), "GORACE=atexit_sleep_ms=0 halt_on_error=1", "MEMORY_FILE_PATH="+filepath.Join(dir, "memory.jsonl"))
	f.cmd.Stderr = t.Output()
	in, err := f.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f.in = in
	go f.read(bufio.NewReader(out))
	f.hello()
	return f
}

func (f *front) modern() bool { return f.rev == rev20260728 }

// hello opens the session as the revision does.
func (f *front) hello() {
	info := object{"name": "front", "version": "1"}
	if f.modern() {
		f.offers = f.request("server/discover", object{})
		f.agreed = f.rev
		return
	}
	f.offers = f.request("initialize", object{"protocolVersion": f.rev, "capabilities": f.capabilities(), "clientInfo": info})
	f.agreed, _ = at(f.offers.Result, "protocolVersion").(string)
	f.tell("notifications/initialized", nil)
}

func (f *front) capabilities() object {
	all := object{"sampling": object{}, "roots": object{"listChanged": true}}
	switch f.rev {
	case rev20250618:
		all["elicitation"] = object{}
	case rev20251125:
		all["elicitation"] = object{"form": object{}, "url": object{}}
		all["tasks"] = object{"requests": object{"elicitation": object{"create": object{}}}}
	case rev20260728:
		all["elicitation"] = object{"form": object{}, "url": object{}}
		all["roots"] = object{}
	}
	return all
}

// request sends a request, and waits for its answer: the last one, where the server asks
// in results.
func (f *front) request(method string, params object) message {
	m := f.wait(f.send(method, params))
	for round := 0; at(m.Result, "resultType") == "input_required" && round < 10; round++ {
		again, answers := object{}, object{}
		maps.Copy(again, params)
		asked, _ := at(m.Result, "inputRequests").(object)
		for key, q := range asked {
			var one message
			json.Unmarshal(encode(q), &one)
			f.note(func() { f.asked = append(f.asked, one) })
			answers[key] = f.reply(one)
		}
		again["inputResponses"] = answers
		if state := at(m.Result, "requestState"); state != nil {
			again["requestState"] = state
		}
		m = f.wait(f.send(method, again))
	}
	return m
}

// call calls a tool.
func (f *front) call(name string, arguments object) message {
	return f.request("tools/call", object{"name": name, "arguments": orEmpty(arguments)})
}

// send sends a request and returns its raw id.
func (f *front) send(method string, params object) string {
	f.mu.Lock()
	f.number++
	id := fmt.Sprint(f.number)
	f.mu.Unlock()
	m := message{ID: json.RawMessage(id), Method: method}
	if f.modern() {
		params = f.withMeta(params)
	}
	if params != nil {
		m.Params = encode(params)
	}
	f.write(m.line())
	return id
}

// withMeta adds what every request of 2026-07-28 has.
func (f *front) withMeta(params object) object {
	own := object{
		meta + "protocolVersion": f.rev, meta + "clientCapabilities": f.capabilities(),
		meta + "clientInfo": object{"name": "front", "version": "1"},
	}
	if f.level != "" {
		own[meta+"logLevel"] = f.level
	}
	all := object{}
	maps.Copy(all, params)
	if given, ok := all["_meta"].(object); ok {
		maps.Copy(own, given)
	}
	all["_meta"] = own
	return all
}

func (f *front) tell(method string, params any) { f.write(notification(method, params).line()) }

// write writes a line.
func (f *front) write(line []byte) {
	f.note(func() { f.records = append(f.records, wire.Record{Dir: wire.ToServer, Line: string(line)}) })
	if _, err := f.in.Write(append(slices.Clip(line), '\n')); err != nil {
		f.t.Errorf("send %.200s: %v", line, err)
	}
}

// note changes what was seen, and wakes who waits for it.
func (f *front) note(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	close(f.changed)
	f.changed = make(chan struct{})
}

// until waits until ok holds, and says whether it does.
func (f *front) until(ok func() bool) bool {
	late := time.After(patience)
	for {
		f.mu.Lock()
		met, changed := ok(), f.changed
		f.mu.Unlock()
		if met {
			return true
		}
		select {
		case <-changed:
		case <-f.gone:
			f.mu.Lock()
			defer f.mu.Unlock()
			return ok()
		case <-late:
			return false
		}
	}
}

// wait waits for the answer to the request with the raw id.
func (f *front) wait(id string) (m message) {
	f.until(func() (ok bool) { m, ok = f.answers[id]; return ok })
	return m
}

// noted waits for a notification.
func (f *front) noted(method string) bool {
	return f.until(func() bool {
		return slices.ContainsFunc(f.notes, func(m message) bool { return m.Method == method })
	})
}

// read reads what the bridge writes to its end.
func (f *front) read(out *bufio.Reader) {
	defer close(f.gone)
	for {
		line, err := out.ReadBytes('\n')
		if len(line) > 0 {
			f.take(bytes.TrimSuffix(line, []byte{'\n'}), err != nil)
		}
		if err != nil {
			return
		}
	}
}

func (f *front) take(line []byte, open bool) {
	var array []message
	if json.Unmarshal(line, &array) == nil {
		f.note(func() { f.arrays = append(f.arrays, array) })
		return
	}
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		f.t.Errorf("line %.400s: %v", line, err)
		return
	}
	asks := m.Method != "" && m.ID != nil
	f.note(func() {
		f.records = append(f.records, wire.Record{Dir: wire.ToClient, Line: string(line), Open: open})
		switch {
		case asks:
			f.asked = append(f.asked, m)
		case m.Method != "":
			f.notes = append(f.notes, m)
		default:
			f.answers[string(m.ID)] = m
		}
	})
	if f.mu.Lock(); asks && !f.silent {
		f.mu.Unlock()
		f.write(message{ID: m.ID, Result: encode(f.reply(m))}.line())
		return
	}
	f.mu.Unlock()
}

// reply is what the person, the model and the workspace answer.
func (f *front) reply(m message) object {
	switch m.Method {
	case "roots/list":
		return object{"roots": []object{{"uri": "file:///workspace", "name": "workspace"}}}
	case "sampling/createMessage":
		return object{"role": "assistant", "model": "scripted", "stopReason": "endTurn", "content": block("Paris")}
	case "elicitation/create":
		if at(m.Params, "mode") == "url" {
			return object{"action": "accept"}
		}
		content := object{}
		fields, _ := at(m.Params, "requestedSchema", "properties").(object)
		for name, field := range fields {
			content[name] = fill(encode(field))
		}
		return object{"action": "accept", "content": content}
	}
	return object{}
}

// fill makes up the value of a field of a form.
func fill(field json.RawMessage) any {
	if choice := at(field, "default"); choice != nil {
		return choice
	}
	if choice := at(field, "enum", 0); choice != nil {
		return choice
	}
	if choice := at(field, "oneOf", 0, "const"); choice != nil {
		return choice
	}
	switch at(field, "type") {
	case "boolean":
		return true
	case "integer", "number":
		return 42
	case "array":
		if choice := at(field, "items", "anyOf", 0, "const"); choice != nil {
			return []any{choice}
		}
		return []any{at(field, "items", "enum", 0)}
	}
	switch at(field, "format") {
	case "email":
		return "ada@example.com"
	case "uri":
		return "https://example.com/"
	case "date":
		return "2026-01-01"
	case "date-time":
		return "2026-01-01T00:00:00Z"
	}
	return "Ada Lovelace"
}

// end closes the input, and wants the bridge to go.
func (f *front) end() {
	f.t.Helper()
	if err := f.in.Close(); err != nil {
		f.t.Error(err)
	}
	<-f.gone
	if err := f.cmd.Wait(); err != nil {
		f.t.Errorf("bridge: %v, want exit code 0", err)
	}
}
