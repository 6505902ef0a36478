package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
)

// An editor is the client in front of a running bridge.
type editor struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	answers map[string][]byte // by raw id
}

// start starts a command, which is killed when it runs for too long.
func start(t *testing.T, command ...string) *editor {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	t.Setenv("GORACE", "atexit_sleep_ms=0 halt_on_error=1") // a race ends the bridge
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &editor{cmd: cmd, in: in, out: bufio.NewReader(out), answers: map[string][]byte{}}
}

// withRace says that the test looks for data races, and so must the bridge.
var withRace bool

// built builds the bridge of this repository and the fixture.
func built(t *testing.T) (bridge, child string) {
	t.Helper()
	repo, err := gobuild.At("..", withRace)
	if errors.Is(err, gobuild.ErrNoRepository) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if bridge, err = repo.Build(t.Context(), "cmd/mcp-bridge-vscode", filepath.Join(dir, "bridge")); err != nil {
		t.Fatal(err)
	}
	if child, err = repo.Build(t.Context(), "conformance/fixture/cmd/fixture", filepath.Join(dir, "fixture")); err != nil {
		t.Fatal(err)
	}
	return bridge, child
}

func (e *editor) send(t *testing.T, line []byte) {
	t.Helper()
	if _, err := e.in.Write(append(line, '\n')); err != nil {
		t.Fatalf("send %s: %v", line, err)
	}
}

// answer reads until the answer to the request with the raw id has come.
func (e *editor) answer(t *testing.T, id string) []byte {
	t.Helper()
	for e.answers[id] == nil {
		line, err := e.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("wait for the answer to %s: %v", id, err)
		}
		e.take(t, line[:len(line)-1])
	}
	return e.answers[id]
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
	rest, err := e.out.ReadBytes('\n')
	if len(rest) > 0 || !errors.Is(err, io.EOF) {
		t.Errorf("after the end of the input: %q, %v, want the end of the output", rest, err)
	}
	if err := e.cmd.Wait(); err != nil {
		t.Errorf("bridge: %v, want exit code 0", err)
	}
}
