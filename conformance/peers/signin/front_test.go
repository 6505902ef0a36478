package signin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// object is a JSON object.
type object = map[string]any

// A front is the editor in front of a running bridge, of revision 2025-11-25.
type front struct {
	t         *testing.T
	cmd       *exec.Cmd
	in        io.WriteCloser
	log       *transcript
	questions chan question
	ended     chan struct{} // closed at the end of the output

	mu       sync.Mutex // guards the fields below
	lastID   int
	waiting  map[string]chan reply
	told     []string // notifications of the bridge
	output   []byte
	exitOnce sync.Once
	exitErr  error
}

// A reply is the answer to a request.
type reply struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    struct{ Cause string }
	}
}

// cause returns why the request has failed, or nothing.
func (r reply) cause() string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Data.Cause
}

// text returns the text in the result of a call.
func (r reply) text() string {
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(r.Result, &result); err != nil || len(result.Content) != 1 {
		return string(r.Result)
	}
	return result.Content[0].Text
}

// A question is a request of the bridge.
type question struct {
	ID     json.RawMessage
	Method string
	Params struct{ Mode, Message, URL, ElicitationID string }
}

// A transcript is what a process has written to standard error.
type transcript struct {
	mu   sync.Mutex // guards the fields below
	text bytes.Buffer
	more chan struct{} // closed when there is more
}

func (l *transcript) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return l.text.Write(p)
}

// String returns all of it.
func (l *transcript) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *transcript) read() (string, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more == nil {
		l.more = make(chan struct{})
	}
	return l.text.String(), l.more
}

// begin starts a command with an editor in front of it.
func begin(t *testing.T, cmd *exec.Cmd) *front {
	t.Helper()
	f := &front{
		t: t, cmd: cmd, log: new(transcript), questions: make(chan question, 16), ended: make(chan struct{}),
		waiting: map[string]chan reply{},
	}
	cmd.Stderr = f.log
	var err error
	if f.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go f.read(out)
	t.Cleanup(func() {
		f.in.Close()
		f.exit()
		if t.Failed() {
			t.Logf("the bridge of %s has written:\n%s", t.Name(), f.log)
		}
	})
	return f
}

// exit waits for the end of the bridge.
func (f *front) exit() error {
	f.exitOnce.Do(func() {
		<-f.ended
		f.exitErr = f.cmd.Wait()
	})
	return f.exitErr
}

// read takes what the bridge says. Nothing else may come there than messages.
func (f *front) read(out io.Reader) {
	defer close(f.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			f.take(line)
		}
		if err != nil {
			return
		}
	}
}

func (f *front) take(line []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.output = append(f.output, line...)
	var m struct {
		question
		reply
		Version string `json:"jsonrpc"`
	}
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" {
		f.t.Errorf("the bridge wrote %q, which is no message", line)
		return
	}
	switch {
	case m.Method != "" && m.ID != nil:
		f.questions <- m.question
	case m.Method == "notifications/browser":
		f.t.Error("what the browser printed came to the editor")
	case m.Method != "":
		f.told = append(f.told, string(line))
	case f.waiting[string(m.ID)] == nil:
		f.t.Errorf("the bridge answered what was not asked: %s", line)
	default:
		f.waiting[string(m.ID)] <- m.reply
		delete(f.waiting, string(m.ID))
	}
}

// send writes a message.
func (f *front) send(message object) {
	f.t.Helper()
	message["jsonrpc"] = "2.0"
	line, err := json.Marshal(message)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := f.in.Write(append(line, '\n')); err != nil {
		f.t.Fatalf("send %s: %v\n%s", line, err, f.log)
	}
}

// request sends a request. The function waits for its answer.
func (f *front) request(method string, params any) (id int, answer func() reply) {
	f.t.Helper()
	c := make(chan reply, 1)
	f.mu.Lock()
	f.lastID++
	id = f.lastID
	f.waiting[fmt.Sprint(id)] = c
	f.mu.Unlock()
	f.send(object{"id": id, "method": method, "params": params})
	return id, func() reply {
		f.t.Helper()
		return receive(f, method, c)
	}
}

// receive waits for something of the bridge.
func receive[T any](f *front, what string, c <-chan T) (got T) {
	f.t.Helper()
	select {
	case got = <-c:
	case <-f.ended:
		select {
		case got = <-c:
		default:
			f.t.Fatalf("%s: the bridge has ended\n%s", what, f.log)
		}
	case <-time.After(patience):
		f.t.Fatalf("%s: nothing comes\n%s", what, f.log)
	}
	return got
}

// initialize opens a session, without the notification behind it.
func (f *front) initialize() reply {
	f.t.Helper()
	_, answer := f.initializing(object{"elicitation": object{"form": object{}, "url": object{}}})
	return answer()
}

func (f *front) initializing(capabilities object) (id int, answer func() reply) {
	f.t.Helper()
	return f.request("initialize", object{
		"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": object{"name": "conformance", "version": "1.0.0"},
	})
}

// open opens a session that has to come about.
func (f *front) open() *front {
	f.t.Helper()
	if r := f.initialize(); r.Error != nil {
		f.t.Fatalf("initialize: %+v\n%s", r.Error, f.log)
	}
	f.initialized()
	return f
}

func (f *front) initialized() { f.send(object{"method": "notifications/initialized"}) }

// call calls a tool.
func (f *front) call(tool string) reply {
	f.t.Helper()
	_, answer := f.calling(tool)
	return answer()
}

func (f *front) calling(tool string) (id int, answer func() reply) {
	f.t.Helper()
	return f.request("tools/call", object{"name": tool, "arguments": object{}})
}

// asks waits for a question of the bridge.
func (f *front) asks() question {
	f.t.Helper()
	return receive(f, "a question", f.questions)
}

// answer answers a question.
func (f *front) answer(q question, action string) {
	f.t.Helper()
	f.send(object{"id": q.ID, "result": object{"action": action}})
}

// unasked fails the test if the bridge has asked something.
func (f *front) unasked() {
	f.t.Helper()
	select {
	case q := <-f.questions:
		f.t.Errorf("the bridge asks: %+v", q)
	default:
	}
}

// close ends the input, and wants the bridge to end well.
func (f *front) close() {
	f.t.Helper()
	f.in.Close()
	if err := f.exit(); err != nil {
		f.t.Errorf("the bridge ended: %v, want exit code 0", err)
	}
}

// linePrefix begins the line that says where to sign in.
const linePrefix = "mcp-bridge-vscode: sign in at "

// shown waits for the line that says where to sign in, and returns the URL.
func (f *front) shown() string {
	f.t.Helper()
	limit := time.After(patience)
	for {
		text, more := f.log.read()
		if urls := signInURLs(text); len(urls) > 0 {
			return urls[0]
		}
		select {
		case <-more:
		case <-f.ended:
			f.t.Fatalf("the bridge has ended and shown no URL:\n%s", f.log)
		case <-limit:
			f.t.Fatalf("the bridge shows no URL:\n%s", f.log)
		}
	}
}

// signInURLs returns what is in the whole lines of a log that say where to sign in.
func signInURLs(log string) []string {
	var urls []string
	for line := range strings.Lines(log) {
		if url, ok := strings.CutPrefix(line, linePrefix); ok && strings.HasSuffix(url, "\n") {
			urls = append(urls, strings.TrimSpace(url))
		}
	}
	return urls
}
