package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/official"
)

// An editor is the client in front of a running bridge.
type editor struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	pipe    io.Closer         // which out reads
	answers map[string][]byte // by raw id
}

// start starts a command, which is killed when it runs for too long.
func start(t *testing.T, command ...string) *editor {
	t.Helper()
	e := prepare(t, command...)
	e.start(t)
	return e
}

// raceOptions are a variable of the environment: a data race ends the bridge.
const raceOptions = "GORACE=atexit_sleep_ms=0 halt_on_error=1"

// prepare returns an editor whose command can still be changed, and is to be
// started then.
func prepare(t *testing.T, command ...string) *editor {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(cmd.Environ(), raceOptions)
	cmd.Stderr = t.Output()
	return &editor{cmd: cmd, answers: map[string][]byte{}}
}

func (e *editor) start(t *testing.T) {
	t.Helper()
	in, err := e.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e.in, e.out, e.pipe = in, bufio.NewReader(out), out
}

func (e *editor) send(t *testing.T, line []byte) {
	t.Helper()
	e.write(t, append(slices.Clip(line), '\n'))
}

// write writes lines at once.
func (e *editor) write(t *testing.T, lines []byte) {
	t.Helper()
	if _, err := e.in.Write(lines); err != nil {
		t.Fatalf("send %s: %v", lines, err)
	}
}

// answer reads until the answer to the request with the raw id has come.
func (e *editor) answer(t *testing.T, id string) []byte {
	t.Helper()
	for e.answers[id] == nil {
		line, err := e.line(t)
		if err != nil {
			t.Fatalf("wait for the answer to %s: %v", id, err)
		}
		e.take(t, line)
	}
	return e.answers[id]
}

// line reads a line of the bridge. It has nothing of a newer revision than the
// editor's.
func (e *editor) line(t *testing.T) ([]byte, error) {
	t.Helper()
	line, err := e.out.ReadBytes('\n')
	line = bytes.TrimSuffix(line, []byte{'\n'})
	if leaks := official.Leaks(line); len(leaks) > 0 {
		t.Errorf("the members %q of the newer revision in %.500s", leaks, line)
	}
	return line, err
}

// take keeps an answer. The bridge has nothing else to say in the sessions of
// this package.
func (e *editor) take(t *testing.T, line []byte) {
	t.Helper()
	var f struct {
		ID     json.RawMessage
		Method *string
	}
	if err := json.Unmarshal(line, &f); err != nil {
		t.Fatalf("line %s: %v", line, err)
	}
	if f.Method != nil || f.ID == nil || e.answers[string(f.ID)] != nil {
		t.Errorf("line %s, want one answer to each request and nothing else", line)
	}
	e.answers[string(f.ID)] = line
}

// end closes the input, and wants the bridge to say nothing more and to go.
func (e *editor) end(t *testing.T) {
	t.Helper()
	if err := e.in.Close(); err != nil {
		t.Fatal(err)
	}
	e.gone(t)
}

func (e *editor) gone(t *testing.T) {
	t.Helper()
	rest, err := e.line(t)
	if len(rest) > 0 || !errors.Is(err, io.EOF) {
		t.Errorf("after the end of the input: %q, %v, want the end of the output", rest, err)
	}
	if err := e.cmd.Wait(); err != nil {
		t.Errorf("bridge: %v, want exit code 0", err)
	}
}
