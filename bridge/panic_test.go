package bridge

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/jsonrpc"
)

// fatal is a stream one method of which panics.
type fatal struct {
	io.ReadWriteCloser
	method string
}

func (f fatal) Read(p []byte) (int, error) {
	f.panicIn("Read")
	return f.ReadWriteCloser.Read(p)
}

func (f fatal) Write(p []byte) (int, error) {
	f.panicIn("Write")
	return f.ReadWriteCloser.Write(p)
}

func (f fatal) Close() error {
	defer f.panicIn("Close") // a blocked Read has to return all the same
	return f.ReadWriteCloser.Close()
}

func (f fatal) panicIn(method string) {
	if f.method == method {
		panic("m4rk3r-panic")
	}
}

// A panic in any goroutine ends the session with one line, which names the place and
// not the text, and leaves nothing behind.
//
// req: P01, P04
func TestPanicEndsTheSessionWithOneLine(t *testing.T) {
	for _, tt := range []struct {
		name                            string
		clientReads, clientWrites, link string // the method that panics
		stderr                          bool
	}{
		{name: "reader of the client", clientReads: "Read"},
		{name: "writer to the client", clientWrites: "Write"},
		{name: "reader of the server", link: "Read"},
		{name: "writer to the server", link: "Write"},
		{name: "end of the server", link: "Close"},
		{name: "copier of standard error", stderr: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, toBridge := jsonrpc.Pipe()
			out, fromBridge := jsonrpc.Pipe()
			near, far := jsonrpc.Pipe()
			served := make(chan struct{})
			go func() {
				defer close(served)
				(&server{out: far}).serve(far)
				far.Close()
			}()
			go func() {
				io.WriteString(toBridge, initialize+"\n")
				bufio.NewReader(fromBridge).ReadString('\n')
				if tt.link == "Close" {
					toBridge.Close()
				}
			}()
			var l log
			c := Config{
				Front:    Stdio{fatal{in, tt.clientReads}, fatal{out, tt.clientWrites}},
				Upstream: Link{fatal{near, tt.link}},
				Log:      NewLog(&l, slog.LevelDebug),
			}
			if tt.stderr {
				c.Upstream = marked(replying(t, fatal{out, "Write"}, []string{"!stderr m4rk3r-stderr"}))
			}
			if err := Run(t.Context(), c); err != session.ErrDefect {
				t.Errorf("Run = %v, want %v", err, session.ErrDefect)
			}
			if got := l.String(); strings.Count(got, "defect") != 1 || !strings.Contains(got, "at=panic_test.go:") {
				t.Errorf("log = %q, want one line that names the place", got)
			}
			checkMarkers(t, "log", l.String(), "mcp-bridge-vscode: ")
			for _, end := range []io.Closer{toBridge, fromBridge, near, far} {
				end.Close()
			}
			<-served
			joined(t)
		})
	}
}

// panics is a handler of a log that does.
type panics struct{ slog.Handler }

func (panics) Handle(context.Context, slog.Record) error { panic("secret-panic") }

// A panic of the caller's own log ends the session, and what Run started with it.
//
// req: P01
func TestLogThatPanicsLeavesNothingBehind(t *testing.T) {
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Run(t.Context(), Config{
			Front: Stdio{in, out}, Upstream: command(t, "serve", nil),
			Log: slog.New(panics{slog.DiscardHandler}), // wants nothing
		})
	}()
	io.WriteString(toBridge, initialize+"\n")
	bufio.NewReader(fromBridge).ReadString('\n')
	toBridge.Close()
	if err := <-done; err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	in, toBridge = io.Pipe()
	defer toBridge.Close()
	go func() {
		done <- Run(t.Context(), Config{
			Front: Stdio{In: in, Out: io.Discard}, Upstream: command(t, "exit at once", nil),
			Log: slog.New(panics{NewLog(io.Discard, 0).Handler()}),
		})
	}()
	if err := <-done; err != session.ErrDefect && err != ErrUpstreamLost {
		t.Errorf("Run = %v, want an error", err)
	}
	joined(t)
}
