package bridge

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds waits for real processes; nothing takes that long.
const patience = 30 * time.Second

// A log collects what is written to it from several goroutines.
type log struct {
	mu   sync.Mutex // guards the field below
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A client is the client of one Run.
type client struct {
	t      testing.TB
	in     io.WriteCloser // toward the bridge
	out    *bufio.Reader  // from the bridge
	log    *log
	cancel context.CancelFunc
	done   chan error
	ids    int
}

// bridged starts a Run of c with pipes of this process as its front.
func bridged(t testing.TB, c Config) *client {
	t.Helper()
	in, toBridge, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromBridge, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{in, toBridge, fromBridge, out} {
			f.Close()
		}
	})
	return bridgedOver(t, c, in, toBridge, fromBridge, out)
}

// bridgedOver starts a Run of c with a front over in and out. It closes out when Run
// has returned.
func bridgedOver(t testing.TB, c Config, in io.Reader, toBridge io.WriteCloser, fromBridge io.Reader, out io.WriteCloser) *client {
	k := &client{t: t, in: toBridge, out: bufio.NewReader(fromBridge), log: &log{}, done: make(chan error, 1)}
	c.Front = Stdio{In: in, Out: out}
	c.Log = NewLog(k.log, slog.LevelDebug)
	ctx, cancel := context.WithCancel(context.Background())
	k.cancel = cancel
	go func() {
		err := Run(ctx, c)
		cancel()
		out.Close()
		k.done <- err
	}()
	return k
}

func (k *client) send(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		k.t.Errorf("send: %v", err)
	}
}

// receive returns the next line, or an empty string at the end.
func (k *client) receive() string {
	line, _ := k.out.ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}

const initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// open does what a client does first.
func (k *client) open() *client {
	k.t.Helper()
	k.send(initialize)
	if got := k.receive(); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
		k.t.Fatalf("initialize gave %q\nlog: %s", got, k.log)
	}
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return k
}

// call sends a call and returns its id.
func (k *client) call(tool, arguments string) int {
	k.t.Helper()
	k.ids++
	id := k.ids // before the answer, after which somebody else may call
	k.send(callLine(id, tool, arguments))
	return id
}

func callLine(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// ended waits for Run and returns its error and the lines that nobody has read.
func (k *client) ended() (rest []string, err error) {
	k.t.Helper()
	lines := make(chan []string, 1)
	go func() {
		b, _ := io.ReadAll(k.out)
		lines <- strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	}()
	select {
	case err = <-k.done:
	case <-time.After(patience):
		k.t.Fatalf("Run does not return\nlog: %s", k.log)
	}
	return <-lines, err
}

// joined checks that no goroutine of a Run is left.
func joined(t testing.TB) {
	t.Helper()
	if stack := running(); stack != "" {
		t.Errorf("a goroutine is left:\n%s", stack)
	}
}

// leave waits for the goroutines that a test has left behind on purpose, and has
// released.
func leave(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(patience); running() != ""; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("a goroutine is left:\n%s", running())
			return
		}
	}
}

// running returns the stack of a goroutine of a Run, if there is one.
func running() string {
	buf := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "/bridge/internal/") {
			return stack
		}
	}
	return ""
}

// wantEnd checks how Run ends and which line is the last.
func (k *client) wantEnd(wantErr error, last string) {
	k.t.Helper()
	rest, err := k.ended()
	if err != wantErr {
		k.t.Errorf("Run = %v, want %v\nlog: %s", err, wantErr, k.log)
	}
	if got := rest[len(rest)-1]; !strings.Contains(got, last) {
		k.t.Errorf("last line %.300q, want it to hold %q\nlog: %s", got, last, k.log)
	}
	joined(k.t)
}

// wantLog checks that exactly one line of the log holds text.
func (k *client) wantLog(text string) {
	k.t.Helper()
	if got := strings.Count(k.log.String(), text); got != 1 {
		k.t.Errorf("log holds %q %d times, want once:\n%s", text, got, k.log)
	}
}
