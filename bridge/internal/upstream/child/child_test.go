package child

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

func TestChildEndsWithItsInput(t *testing.T) {
	p := run(t, "echo", nil)
	p.Input().Write([]byte(`{"jsonrpc":"2.0","method":"notifications/hello"}` + "\n"))
	if got := next(p); got != "hello" {
		t.Errorf("read %q, want hello", got)
	}
	finish(t, p, patience)
	if got, want := p.Exit(), (Exit{}); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
}

// req: P14
func TestArgumentsAreLiteral(t *testing.T) {
	args := []string{"a b", "$HOME", "`id`", "*", `"quoted"`, "--", "demo", "%PATH%", "^&|<>"}
	var stderr bytes.Buffer
	p := run(t, "arguments", &stderr, args...)
	next(p)
	finish(t, p, patience)
	got := strings.ReplaceAll(stderr.String(), "tag: [server] ", "")
	if want := strings.Join(args, "\n") + "\n"; got != want {
		t.Errorf("the child got %q, want %q", got, want)
	}
}

// req: P14
func TestPathIsOneProgramName(t *testing.T) {
	name := place(t, "a program.exe")
	p, err := Start(Spec{Path: name, Env: env("exit 3"), Grace: time.Second, Go: start})
	if err != nil {
		t.Fatalf("Start(%q) = %v", filepath.Base(name), err)
	}
	next(p)
	finish(t, p, patience)
	if got, want := p.Exit(), (Exit{Status: 3}); got != want {
		t.Errorf("Exit() = %v, want %v", got, want)
	}
}

// req: U06
func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range startErrors(write) {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Start(Spec{Path: tt.path, Args: []string{"secret"}, Grace: time.Second, Go: start})
			if err == nil {
				finish(t, p, 0)
				t.Fatal("Start succeeded")
			}
			if got, want := *err.(*StartError), (StartError{tt.want}); got != want {
				t.Errorf("Start = %v (%v), want %v", got, err, want)
			}
			if text := err.Error(); strings.Contains(text, "secret") || strings.Contains(text, filepath.Base(tt.path)) {
				t.Errorf("text %q holds a part of the command line", text)
			}
		})
	}
}

type startErrorCase struct {
	name, path string
	want       Reason
}

// However late it is read: the reader may wait for a slow client.
//
// req: U01
func TestWhatWasWrittenBeforeTheExitIsRead(t *testing.T) {
	p := run(t, "answer and exit", nil)
	<-p.exited
	<-p.waited
	p.stdout.mu.Lock()
	if !p.stdout.bounded.IsZero() {
		t.Error("the time for a Read runs though nobody reads")
	}
	p.stdout.mu.Unlock()
	p.stdout.file.SetReadDeadline(time.Unix(1, 0)) // the time for a Read that had waited is over
	for i := range pipeful {
		if got, want := next(p), strconv.Itoa(i); got != want {
			t.Fatalf("message %d = %q, want %q", i, got, want)
		}
	}
	if got := next(p); got != "EOF" {
		t.Errorf("the end is %q, want EOF", got)
	}
	finish(t, p, patience)
}

// sandboxWords are what the editor takes for a sign that a sandbox is in the way.
var sandboxWords = regexp.MustCompile(`(?i)EACCES|EPERM|ENOENT|EROFS|fail|read-only|denying`)

// req: P21
func TestStartErrorsHoldNoSandboxWords(t *testing.T) {
	for r := range reasons {
		text := (&StartError{Reason: r}).Error()
		if w := sandboxWords.FindString(text); w != "" {
			t.Errorf("text %q holds %q", text, w)
		}
		if r != Other && text == (&StartError{Reason: Other}).Error() {
			t.Errorf("reason %d has no text", r)
		}
	}
}

// Lines of a child and the depth of its messages have limits.
//
// req: W02
func TestLimitsOfAChild(t *testing.T) {
	p := run(t, "echo", nil)
	go p.Input().Write([]byte(strings.Repeat("x", p.spec.Lines.MaxLine+1) + "\n" +
		`{"jsonrpc":"2.0","method":"m","params":{"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + "}}\n"))
	for _, want := range []jsonrpc.Fault{jsonrpc.FaultTooLong, jsonrpc.FaultTooDeep} {
		_, err := p.Read()
		if bad, _ := errors.AsType[*jsonrpc.LineError](err); bad == nil || bad.Fault != want {
			t.Errorf("Read = %v, want fault %v", err, want)
		}
	}
	finish(t, p, patience)
}

// What the child wrote to standard error at the end is passed on, though the log is
// slow.
//
// req: P17
func TestLastLinesOfStandardErrorArePassed(t *testing.T) {
	const size = 1 << 10 // bytes of a line
	lines := stderrful / size
	slow := &slowLog{release: make(chan struct{})}
	p := run(t, "stderr", slow)
	p.lastLook = patience
	p.Input().Write([]byte(strings.Repeat(strings.Repeat("x", size-1)+"\n", lines)))
	p.CloseInput()
	<-p.exited
	close(slow.release)
	finish(t, p, patience)
	if slow.lines != lines {
		t.Errorf("%d lines were passed, want %d", slow.lines, lines)
	}
}

// A slowLog takes nothing until it is released.
type slowLog struct {
	release chan struct{}
	lines   int
}

func (l *slowLog) Write(p []byte) (int, error) {
	<-l.release
	l.lines++
	return len(p), nil
}

// However much a child writes to standard error, it is read, and passed line by line.
//
// req: P17
func TestFloodOfStandardError(t *testing.T) {
	var log writes
	p := run(t, "flood of standard error", &log)
	for _, want := range []string{"up", "done"} {
		if got := next(p); got != want {
			t.Fatalf("read %q, want %q", got, want)
		}
	}
	p.lastLook = patience
	finish(t, p, patience)
	if want := 10 << 10; log.n != want {
		t.Errorf("%d lines were passed, want %d", log.n, want)
	}
}

// writes is a log that counts its lines.
type writes struct{ n int }

func (w *writes) Write(p []byte) (int, error) { w.n++; return len(p), nil }

// blocks is a log that takes nothing until it is released.
type blocks struct{ entered, release chan struct{} }

func (b blocks) Write(p []byte) (int, error) {
	close(b.entered)
	<-b.release
	return len(p), nil
}

func TestLogThatBlocksHoldsNothingUp(t *testing.T) {
	b := blocks{make(chan struct{}), make(chan struct{})}
	p := run(t, "stderr", b)
	p.Input().Write([]byte("line\n"))
	<-b.entered
	finish(t, p, patience)
	close(b.release)
	<-p.logged
}

// req: P17
func TestStderrLines(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"line", "hello\n", "hello\n"},
		{"two lines", "a\nb\n", "a\nb\n"},
		{"empty line", "\n", "\n"},
		{"CRLF", "a\r\n", "a\n"},
		{"last line without an ending", "a\nb", "a\nb\n"},
		{"tab and carriage return", "a\tb\rc\n", `a\tb\rc` + "\n"},
		{"escape sequence", "\x1b[31mred\x00\x7f\n", `\x1b[31mred\x00\x7f` + "\n"},
		{"control characters beyond ASCII", "\u009b2J\n", `\u009b2J` + "\n"},
		{"text beyond ASCII passes", "prêt ✓ 日本\n", "prêt ✓ 日本\n"},
		{"bytes that are no UTF-8", "\xff\xc3(\n", `\xff\xc3(` + "\n"},
		{"one byte below the limit", strings.Repeat("x", 8191) + "\n", strings.Repeat("x", 8191) + "\n"},
		{"at the limit", strings.Repeat("x", 8192) + "\n", strings.Repeat("x", 8192) + "\n"},
		{"one byte above the limit", strings.Repeat("x", 8193) + "\nnext\n", strings.Repeat("x", 8192) + "\nnext\n"},
		{"no half character at the limit", strings.Repeat("x", 8191) + "é\n", strings.Repeat("x", 8191) + "\n"},
		{"carriage return of an ending at the limit", strings.Repeat("x", 8192) + "\r\n", strings.Repeat("x", 8192) + "\n"},
		{"escapes at the limit", strings.Repeat("\x1b", 2048) + "\n", strings.Repeat(`\x1b`, 2048) + "\n"},
		{"escapes above the limit", strings.Repeat("\x1b", 2049) + "\n", strings.Repeat(`\x1b`, 2048) + "\n"},
		{"no half escape at the limit", strings.Repeat("x", 8189) + "\x1bx\n", strings.Repeat("x", 8189) + "\n"},
		{"no half escape of two bytes at the limit", strings.Repeat("x", 8187) + "\u009bx\n", strings.Repeat("x", 8187) + "\n"},
		{"half a character of four bytes at the limit", strings.Repeat("x", 8190) + "\U0001f600\n", strings.Repeat("x", 8190) + "\n"},
		{"endless line of control characters", strings.Repeat("\x00", 1<<20), strings.Repeat(`\x00`, 2048) + "\n"},
		{"endless line", strings.Repeat("x", 1<<20), strings.Repeat("x", 8192) + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			passLines(&out, "tag", strings.NewReader(tt.in))
			var want strings.Builder
			for line := range strings.Lines(tt.want) {
				want.WriteString("tag: [server] " + line)
			}
			if got := out.String(); got != want.String() {
				t.Errorf("passed %.200q, want %.200q", got, want.String())
			}
		})
	}
}

// req: P17
func TestStderrOfAChild(t *testing.T) {
	var out bytes.Buffer
	p := run(t, "stderr", &out)
	p.Input().Write([]byte("one\ntwo"))
	finish(t, p, patience)
	if got, want := out.String(), "tag: [server] one\ntag: [server] two\n"; got != want {
		t.Errorf("passed %q, want %q", got, want)
	}
}
