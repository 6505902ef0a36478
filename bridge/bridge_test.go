package bridge

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

func TestCallThroughAChild(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	k.call("echo", `{"text":"hello"}`)
	if got, want := k.receive(), `{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"{'text':'hello'}"}]},"id":1}`; got != want {
		t.Errorf("answer = %s, want %s", got, want)
	}
	k.in.Close()
	k.wantEnd(nil, "")
}

func TestBigMessagesBothWays(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	words := strings.Repeat("word ", 200_000)
	go k.call("echo", `{"text":"`+words+`"}`)
	if got, want := k.receive(), `{'text':'`+words+`'}`; !strings.Contains(got, want) {
		t.Errorf("answer of %d bytes does not hold the argument of %d", len(got), len(want))
	}
	k.call("big", `{}`)
	if got, want := k.receive(), strings.Repeat("0123456789", 300_000); !strings.Contains(got, want) {
		t.Errorf("answer of %d bytes does not hold the text of %d", len(got), len(want))
	}
	k.in.Close()
	k.wantEnd(nil, "")
}

// req: P02
func TestT21LastRequestIsAnsweredAfterTheEndOfInput(t *testing.T) {
	for range 50 {
		k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
		k.call("echo", `{"n":1}`)
		k.in.Close()
		k.wantEnd(nil, `{'n':1}`)
		if t.Failed() {
			return
		}
	}
}

func TestT21AnswerAfterTheCancellationIsWritten(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	k.call("hold", `{}`) // answered when the server's input ends
	k.in.Close()
	k.wantEnd(nil, `"text":"held"`)
}

func TestT21LastLineWithoutAnEnding(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	io.WriteString(k.in, callLine(9, "echo", `{"n":1}`))
	k.in.Close()
	k.wantEnd(nil, `"id":9`)
}

func TestClientThatReadsLate(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	const calls = 200 // 12 MB, far more than the pipes and the lane hold
	for range calls {
		k.call("long", `{}`)
	}
	k.send(`{"jsonrpc":"2.0","id":"p","method":"no/such"}`)
	got := 0
	for range calls + 1 {
		if strings.Contains(k.receive(), "0123456789") {
			got++
		}
	}
	if got != calls {
		t.Errorf("%d answers, want %d", got, calls)
	}
	k.in.Close()
	k.wantEnd(nil, "")
}

// killed is what the log says of a process that was killed.
func killed() string {
	if runtime.GOOS == "windows" {
		return "status=1"
	}
	return "signal=SIGKILL"
}

// req: U01
func TestT100ChildExits(t *testing.T) {
	for _, tt := range []struct {
		name, role, tool, last, log string
	}{
		{"before initialize", "exit at once", "", "", "status=3"},
		{"during initialize", "exit at discover", "", `"cause":"upstream_exited"`, "status=3"},
		{"closes output during initialize", "close output at discover", "", `"cause":"upstream_exited"`, "status=0"},
		{"in flight", "serve", "exit", `"cause":"upstream_exited"`, "status=3"},
		{"in flight by a signal", "serve", "crash", `"cause":"upstream_exited"`, killed()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := bridged(t, Config{Upstream: command(t, tt.role, nil)})
			switch {
			case tt.tool != "":
				k.open().call(tt.tool, `{}`)
			case tt.last != "":
				k.send(initialize)
			}
			k.wantEnd(ErrUpstreamLost, tt.last)
			k.wantLog(tt.log)
			if tt.tool == "" && tt.last != "" {
				k.wantLog("cannot initialize: ")
			}
		})
	}
}

// req: U01
func TestT100ChildExitsWhileIdle(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	k.call("hold", `{}`)
	k.call("exit", `{}`)
	rest, err := k.ended() // both calls are answered
	if err != ErrUpstreamLost || len(rest) != 2 {
		t.Errorf("Run = %v with %d answers, want %v with 2", err, len(rest), ErrUpstreamLost)
	}
}

// req: U01
func TestServerThatClosesItsInputIsLost(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil), Limits: Limits{Grace: 200 * time.Millisecond}}).open()
	k.call("deaf", `{}`)
	k.receive()
	k.call("echo", `{}`)
	k.wantEnd(ErrUpstreamLost, `"cause":"upstream_exited"`)
}

// req: U06
func TestServerThatCannotBeStarted(t *testing.T) {
	k := bridged(t, Config{Upstream: Command{Path: "no-such-program-of-trestle", Args: []string{"secret"}}})
	k.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if got, want := k.receive(), `{"jsonrpc":"2.0","id":1,"result":{}}`; got != want {
		t.Errorf("ping gave %s, want %s: the bridge waits for initialize", got, want)
	}
	k.send(initialize)
	k.wantEnd(ErrUpstreamLost, `"cause":"upstream_exited"`)
	if got, want := k.log.String(), "mcp-bridge-vscode: ERROR cannot start the server: its command was not found; "+
		"check the name, and that PATH leads to it\n"; got != want {
		t.Errorf("log = %q, want %q", got, want)
	}
}

// req: U06
func TestServerThatCannotBeStartedAndNoInitialize(t *testing.T) {
	k := bridged(t, Config{Upstream: Command{Path: "no-such-program-of-trestle"}})
	k.in.Close()
	k.wantEnd(ErrUpstreamLost, "")
	k.wantLog("cannot start the server")
}

// req: P02
func TestChildThatIgnoresEverythingIsKilled(t *testing.T) {
	k := bridged(t, Config{
		Upstream: command(t, "stubborn", nil),
		Limits:   Limits{Grace: 200 * time.Millisecond},
	}).open()
	k.in.Close()
	k.wantEnd(nil, "")
	k.wantLog(killed())
}

// req: U14
func TestServerThatWritesJunk(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "junk", nil)})
	k.send(initialize)
	k.wantEnd(ErrUpstreamLost, `"cause":"invalid_upstream_message"`)
	k.wantLog("a launcher such as npx can be the reason")
	k.wantLog("writes no messages and is given up")
	if got := k.log.String(); strings.Contains(got, "before the session") {
		t.Errorf("the log says that the server has ended by itself:\n%s", got)
	}
}

// req: P19
func TestClosedOutputEndsTheSession(t *testing.T) {
	in, toBridge, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer toBridge.Close()
	fromBridge, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	k := bridgedOver(t, Config{Upstream: command(t, "serve", nil)}, in, toBridge, fromBridge, out).open()
	fromBridge.Close()
	k.call("echo", `{}`)
	k.wantEnd(nil, "")
}

// req: P19
func TestEndOfContextIsTheEndOfInput(t *testing.T) {
	k := bridged(t, Config{Upstream: command(t, "serve", nil)}).open()
	k.call("hold", `{}`)
	k.call("noise", `{}`)
	k.receive() // so both have reached the server
	k.cancel()
	k.wantEnd(nil, `"text":"held"`)
}

// nobody is an input from which nothing comes and that cannot be interrupted.
type nobody struct{ release chan struct{} }

func (n nobody) Read([]byte) (int, error) {
	<-n.release
	return 0, io.EOF
}

func TestInputThatCannotBeInterruptedHoldsNothingUp(t *testing.T) {
	n := nobody{make(chan struct{})}
	defer leave(t)
	defer close(n.release)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, Config{Front: Stdio{In: n, Out: io.Discard}, Upstream: command(t, "serve", nil)}); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}

// blocked is a writer that takes nothing until it is released.
type blocked struct {
	entered chan struct{}
	release chan struct{}
	once    *sync.Once
}

func newBlocked() blocked {
	return blocked{make(chan struct{}), make(chan struct{}), new(sync.Once)}
}

func (b blocked) Write(p []byte) (int, error) {
	b.once.Do(func() { close(b.entered) })
	<-b.release
	return len(p), nil
}

// req: P02
func TestLogThatBlocksHoldsNothingUp(t *testing.T) {
	for name, logs := range map[string]func(c *Config, b blocked){
		"log of the server": func(c *Config, b blocked) { c.Upstream = command(t, "serve", b) },
		"log of the bridge": func(c *Config, b blocked) { c.Log = NewLog(b, slog.LevelDebug) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBlocked()
			defer leave(t)
			defer close(b.release)
			in, toBridge := io.Pipe()
			fromBridge, out := io.Pipe()
			c := Config{Front: Stdio{in, out}, Upstream: command(t, "serve", nil)}
			logs(&c, b)
			done := make(chan error, 1)
			go func() { done <- Run(t.Context(), c) }()
			lines := bufio.NewReader(fromBridge)
			io.WriteString(toBridge, initialize+"\n")
			lines.ReadString('\n')
			io.WriteString(toBridge, callLine(1, "noise", `{}`)+"\n")
			if got, _ := lines.ReadString('\n'); !strings.Contains(got, "made noise") {
				t.Errorf("answer = %s", got)
			}
			<-b.entered
			toBridge.Close()
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("Run = %v, want nil", err)
				}
			case <-time.After(patience):
				t.Fatal("Run waits for a log that blocks")
			}
		})
	}
}

// The server's input ends right after the cancellations, and then the server does.
//
// req: P16
func TestInputOfTheServerEndsAfterTheCancellations(t *testing.T) {
	var stderr log
	k := bridged(t, Config{Upstream: command(t, "serve and tell", &stderr), Limits: Limits{Grace: patience}}).open()
	k.call("never", `{}`)
	k.call("noise", `{}`)
	k.receive() // so both have reached the server
	k.in.Close()
	k.wantEnd(nil, "")
	k.wantLog("the server has ended status=0")
	if got, want := stderr.String(), "notifications/cancelled\nmcp-bridge-vscode: [server] end of input\n"; !strings.HasSuffix(got, want) {
		t.Errorf("the server says %q, want it to end with %q", got, want)
	}
}

func TestPointersAreFrontsAndUpstreams(t *testing.T) {
	front := &Stdio{In: strings.NewReader(""), Out: io.Discard}
	upstream := command(t, "serve", nil)
	if err := Run(t.Context(), Config{Front: front, Upstream: &upstream}); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	near, far := jsonrpc.Pipe()
	defer far.Close()
	if err := Run(t.Context(), Config{Front: front, Upstream: &Link{near}}); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}

// req: P03
func TestLogHoldsNoPayload(t *testing.T) {
	var stderr log
	k := bridged(t, Config{Upstream: command(t, "serve", &stderr)}).open()
	for _, tool := range []string{"echo", "noise", "secret-tool-name", "crash"} {
		k.call(tool, `{"text":"secret-value"}`)
	}
	k.send(`{"secret-junk`)
	k.send(`{"jsonrpc":"2.0","id":"secret-id","method":"secret-method"}`)
	k.ended()
	for line := range strings.Lines(k.log.String()) {
		if !strings.HasPrefix(line, "mcp-bridge-vscode: ") || strings.Contains(line, "secret") || strings.Contains(line, "noise") {
			t.Errorf("log line %q", line)
		}
	}
	if got, want := stderr.String(), "mcp-bridge-vscode: [server] noise of the server\n"; got != want {
		t.Errorf("stderr = %q, want %q", got, want)
	}
}

func TestConfigErrors(t *testing.T) {
	front := Stdio{In: strings.NewReader(""), Out: io.Discard}
	upstream := Command{Path: "true"}
	for _, tt := range []struct {
		name   string
		config Config
		want   string
	}{
		{"no front", Config{Upstream: upstream}, "bridge: Config.Front is not set"},
		{"no upstream", Config{Front: front}, "bridge: Config.Upstream is not set"},
		{"front without streams", Config{Front: Stdio{}, Upstream: upstream}, "bridge: Stdio needs In and Out"},
		{"command without a path", Config{Front: front, Upstream: Command{}}, "bridge: Command needs a Path"},
		{"link without a stream", Config{Front: front, Upstream: Link{}}, "bridge: Link needs a Stream"},
		{"line beyond the limit", Config{Front: front, Upstream: upstream, Limits: Limits{Line: mostBytes + 1}}, "bridge: Limits.Line is over 512 MiB"},
		{"depth beyond the limit", Config{Front: front, Upstream: upstream, Limits: Limits{Depth: maxDepth + 1}}, "bridge: Limits.Depth is over 512 levels"},
		{"backlog beyond the limit", Config{Front: front, Upstream: upstream, Limits: Limits{Backlog: mostBytes + 1}}, "bridge: Limits.Backlog is over 512 MiB"},
		{"negative limit", Config{Front: front, Upstream: upstream, Limits: Limits{Grace: -1}}, "bridge: Limits.Grace is negative"},
		{"a negative ceiling", Config{Front: front, Upstream: upstream, MaxTokens: -1}, "bridge: Config.MaxTokens is negative"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Run(t.Context(), tt.config)
			if err == nil || err.Error() != tt.want || errors.Is(err, ErrUpstreamLost) {
				t.Errorf("Run = %v, want %s", err, tt.want)
			}
		})
	}
}
