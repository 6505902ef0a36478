package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/bridge/internal/lane"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

// A wire collects lines. It can be told to take nothing for a while.
type wire struct {
	mu     sync.Mutex // guards the fields below
	open   sync.Cond
	text   bytes.Buffer
	shut   bool // nothing is taken
	broken bool
}

func newWire() *wire {
	w := &wire{}
	w.open.L = &w.mu
	return w
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.shut && !w.broken {
		w.open.Wait()
	}
	if w.broken {
		return 0, io.ErrClosedPipe
	}
	return w.text.Write(p)
}

func (w *wire) set(shut, broken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shut, w.broken = shut, w.broken || broken
	w.open.Broadcast()
}

// Close makes a blocked Write return.
func (w *wire) Close() error {
	w.set(true, true)
	return nil
}

// lines returns what was taken since the last call.
func (w *wire) lines() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.text.Reset()
	return w.text.String()
}

// A peer is one side, of which the test writes the messages.
type peer struct {
	*jsonrpc.Reader
	in *io.PipeReader
	to *io.PipeWriter
	*wire

	left                          bool // has ended, and what it wrote is still to be read
	slow                          bool // ends when it is asked to, at the end of the grace
	hangs                         bool // does not end its output, and is killed after twice the grace
	restored, interrupted, closed bool
	inputClosed, stopped          chan struct{}
	once                          sync.Once
}

func newPeer() *peer {
	p := &peer{wire: newWire(), inputClosed: make(chan struct{}), stopped: make(chan struct{})}
	p.in, p.to = io.Pipe()
	p.Reader = jsonrpc.NewReader(p.in, &jsonrpc.ReaderOptions{Members: mcpwire.Members()})
	return p
}

func (p *peer) send(format string, args ...any) {
	fmt.Fprintf(p.to, format+"\n", args...)
	synctest.Wait()
}

// A client is a Front.
type client struct{ *peer }

func (c client) Interrupt() bool { c.interrupted = true; return c.in.Close() == nil }
func (c client) Restore()        { c.restored = true }

// A server is a Stream that ends its output when its input ends.
type server struct{ *peer }

func (s server) Input() io.Writer { return s.wire }
func (s server) CloseInput()      { s.once.Do(func() { close(s.inputClosed) }) }
func (s server) Interrupt()       { s.interrupted = true; s.in.CloseWithError(io.ErrClosedPipe) }
func (s server) Close()           { s.closed = true; s.Interrupt() }

func (s server) Stop(grace time.Duration) {
	begun := time.Now()
	if s.hangs {
		time.Sleep(2 * grace)
		return
	}
	ended := !s.left && halt.Within(s.inputClosed, grace)
	if s.slow {
		time.Sleep(time.Until(begun.Add(grace)))
	}
	if ended || s.slow {
		s.to.Close()
	}
	close(s.stopped)
}

// A rig is a session with both its ends in the hands of the test.
type rig struct {
	*Session
	t      *testing.T
	lined  *Lined // the server, as the session has it
	client client
	server server
	log    *bytes.Buffer
	cancel context.CancelFunc
	done   chan error
}

const testGrace = 2 * time.Second

// newRig returns a rig that has not begun.
func newRig(t *testing.T, change func(c *Config)) *rig {
	r := &rig{t: t, client: client{newPeer()}, server: server{newPeer()}, log: &bytes.Buffer{}, done: make(chan error, 1)}
	r.lined = NewLined(r.server, LinedOptions{Gone: mcpwire.CauseUpstreamExited, Backlog: 16 << 20, JunkBefore: 200, Junk: 10})
	c := &Config{
		Front: r.client, Out: r.client.wire, Upstream: r.lined,
		Exit: func() Exit { return Exit{} }, Grace: testGrace, Untaken: 32 << 20,
		Log: slog.New(diag.NewHandler(r.log, slog.LevelInfo)), Go: start, Defect: make(chan struct{}),
	}
	if change != nil {
		change(c)
	}
	r.Session = New(c)
	return r
}

// lanes gives r its lanes, for tests of what uses them. They are closed by the func.
func (r *rig) lanes() (closeAll func()) {
	r.front = lane.New(r.Out, lane.Options{Go: start})
	r.lined.s = r.Session
	r.lined.lane = lane.New(r.server.wire, lane.Options{Go: start})
	return func() {
		r.front.Close()
		r.lined.lane.Close()
		r.timers.next.Stop()
	}
}

// run begins, and does what a client and a server do first.
func (r *rig) run() *rig { return r.runWith(`{}`) }

// runWith is run for a client with these capabilities.
func (r *rig) runWith(capabilities string) *rig {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go func() {
		err := r.Run(ctx)
		cancel()
		r.done <- err
	}()
	r.client.send("%s", strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+capabilities, 1))
	return r
}

const initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

func (r *rig) open() *rig {
	return r.openWith(`{}`, `{"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}}`)
}

// openWith is open for a client and a server with these capabilities.
func (r *rig) openWith(client, server string) *rig {
	r.runWith(client)
	r.server.lines()
	r.server.send(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
		`"capabilities":` + server + `,"ttlMs":0,"cacheScope":"private"}}`)
	if got := r.client.lines(); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
		r.t.Fatalf("initialize gave %s", got)
	}
	return r
}

// initialized says that the client is ready.
func (r *rig) initialized() *rig {
	r.client.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

// call sends a call; the first one after open has the id 2 toward the server.
func (r *rig) call(id int) {
	r.client.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}`, id)
}

func (r *rig) answer(id int, text string) {
	r.server.send(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[{"type":"text","text":"%s"}]}}`, id, text)
}

// leave ends the session as a client does.
func (r *rig) leave() {
	r.t.Helper()
	r.client.to.Close()
	r.ended(nil)
}

// ended waits for the end.
func (r *rig) ended(want error) {
	r.t.Helper()
	if got := <-r.done; got != want {
		r.t.Errorf("Run = %v, want %v\nlog: %s", got, want, r.log)
	}
	r.client.in.Close()
	if !r.server.closed {
		r.t.Error("the server was not closed")
	}
}

func wantIn(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("got %.500q, want it to hold %q", got, w)
		}
	}
}
