package tap

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

func runTap(t *testing.T, child string, in io.Reader, out io.WriteCloser, signals <-chan os.Signal) (int, []wire.Record) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(childMode, child)
	var record bytes.Buffer
	code, err := Run(self, nil, Streams{In: in, Out: out, Err: t.Output()}, wire.NewWriter(&record, 1), signals)
	if err != nil {
		t.Fatal(err)
	}
	got, err := wire.Read(&record)
	if err != nil {
		t.Fatal(err)
	}
	return code, got
}

type closer struct {
	bytes.Buffer
	closed bool
}

func (c *closer) Close() error { c.closed = true; return nil }

func TestRunPassesAndRecordsBothDirections(t *testing.T) {
	const in = "{\"id\": 1}\r\n\n\xff{}\n"
	out := new(closer)
	code, got := runTap(t, "echo", strings.NewReader(in), out, nil)

	if code != 3 {
		t.Errorf("exit code = %d, want 3", code)
	}
	if want := in + "no line ending"; out.String() != want || !out.closed {
		t.Errorf("output = %q (closed %v), want %q, closed", out, out.closed, want)
	}
	lines := map[wire.Dir]string{}
	for _, r := range got {
		lines[r.Dir] += fmt.Sprintf("%q open=%v end=%v\n", r.Raw(), r.Open, r.End)
	}
	sent := "\"{\\\"id\\\": 1}\\r\" open=false end=false\n\"\" open=false end=false\n\"\\xff{}\" open=false end=false\n"
	want := map[wire.Dir]string{
		wire.ToServer: sent + "\"\" open=false end=true\n",
		wire.ToClient: sent + "\"no line ending\" open=true end=false\n\"\" open=false end=true\n",
	}
	for dir, want := range want {
		if lines[dir] != want {
			t.Errorf("records %s:\n%swant:\n%s", dir, lines[dir], want)
		}
	}
}

func TestRunPassesSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be signalled on Windows")
	}
	in, held := io.Pipe()
	defer held.Close()
	signals := make(chan os.Signal, 1)
	code, _ := runTap(t, "wait", in, onReady{func() { signals <- syscall.SIGTERM }}, signals)
	if want := 128 + int(syscall.SIGTERM); code != want {
		t.Errorf("exit code = %d, want %d", code, want)
	}
}

// onReady calls f at each write: the child writes once, when it is up.
type onReady struct{ f func() }

func (o onReady) Write(b []byte) (int, error) { o.f(); return len(b), nil }
func (o onReady) Close() error                { return nil }
