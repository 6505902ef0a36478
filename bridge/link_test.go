package bridge

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// linked starts a Run with a server in this process, both ends in memory.
func linked(t testing.TB, c Config, s *server) *client {
	near, far := jsonrpc.Pipe()
	c.Upstream = Link{Stream: near}
	if s.out == nil {
		s.out = far
	}
	go func() {
		s.serve(far)
		far.Close()
	}()
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	return bridgedOver(t, c, in, toBridge, fromBridge, out)
}

func TestLinkSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		k := linked(t, Config{}, s).open()
		k.call("echo", `{"n":1}`)
		if got, want := k.receive(), `{'n':1}`; !strings.Contains(got, want) {
			t.Errorf("answer = %s, want %s", got, want)
		}
		k.in.Close()
		k.wantEnd(nil, "")
		if got, want := s.took(), "server/discover echo"; got != want {
			t.Errorf("the server took %q, want %q", got, want)
		}
	})
}

// req: U01
func TestLinkThatEndsIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		k := bridgedOver(t, Config{Upstream: Link{near}}, in, toBridge, fromBridge, out)
		k.send(initialize)
		synctest.Wait()
		far.Close()
		k.wantEnd(ErrUpstreamLost, `"cause":"upstream_closed"`)
	})
}

// req: U06
func TestT18ServerThatNeverAnswersDiscover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		k := bridgedOver(t, Config{Upstream: Link{near}}, in, toBridge, fromBridge, out)
		for range 2 { // the bridge stays, and asks again
			begun := time.Now()
			k.send(initialize)
			if got, want := k.receive(), `"cause":"timeout"`; !strings.Contains(got, want) {
				t.Errorf("initialize gave %s, want %s", got, want)
			}
			if got, want := time.Since(begun), time.Minute; got != want {
				t.Errorf("answered after %v, want %v", got, want)
			}
		}
		k.in.Close()
		k.wantEnd(nil, "")
		far.Close()
	})
}

// req: P02
func TestT21EndOfInputDuringASlowCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		k := linked(t, Config{}, s).open()
		k.call("never", `{}`)
		synctest.Wait()
		begun := time.Now()
		k.in.Close()
		k.wantEnd(nil, "")
		if got, want := time.Since(begun), 250*time.Millisecond; got != want {
			t.Errorf("ended after %v, want %v", got, want)
		}
		synctest.Wait() // the server may still read what was sent last
		if got, want := s.took(), "server/discover never notifications/cancelled"; got != want {
			t.Errorf("the server took %q, want %q", got, want)
		}
	})
}

// A valve is a stream whose reads can be held up.
type valve struct {
	io.ReadWriteCloser
	shut chan struct{} // reads wait until it is closed
	took atomic.Int64  // bytes written
}

func (v *valve) Read(p []byte) (int, error) {
	<-v.shut
	return v.ReadWriteCloser.Read(p)
}

func (v *valve) Write(p []byte) (int, error) {
	n, err := v.ReadWriteCloser.Write(p)
	v.took.Add(int64(n))
	return n, err
}

// An editor may stop reading for long: nothing is lost, and nothing grows.
//
// req: W01
func TestClientThatReadsNothingForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		open := make(chan struct{})
		close(open)
		v := &valve{ReadWriteCloser: far, shut: open}
		go func() {
			(&server{out: v}).serve(v)
			far.Close()
		}()
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		config := Config{Upstream: Link{near}}
		config.Limits.Call = 2 * time.Hour // a call is not what ends here
		k := bridgedOver(t, config, in, toBridge, fromBridge, out).open()

		const calls = 200
		before := v.took.Load()
		for range calls {
			k.call("long", `{}`)
		}
		time.Sleep(time.Hour)
		k.send(`{"jsonrpc":"2.0","id":"late","method":"ping"}`) // is still read
		synctest.Wait()
		if got, limit := v.took.Load()-before, int64(2<<20); got > limit {
			t.Errorf("the bridge took %d bytes that nobody reads, want at most %d", got, limit)
		}
		pings := 0
		for range calls + 1 {
			line := k.receive()
			switch {
			case line == `{"jsonrpc":"2.0","id":"late","result":{}}`:
				pings++
			case len(line) < 60_000:
				t.Fatalf("answer %.200q", line)
			}
		}
		if pings != 1 {
			t.Errorf("%d answers to ping, want 1", pings)
		}
		k.in.Close()
		k.wantEnd(nil, "")
	})
}

// A client that sends without reading is no reason to grow without bound.
func TestClientThatOnlySends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := linked(t, Config{Limits: Limits{Line: 1 << 20, Backlog: 1 << 20}}, &server{}).open()
		ping := `{"jsonrpc":"2.0","method":"ping","id":"` + strings.Repeat("x", 10_000) + `"}` + "\n"
		var sent atomic.Int64
		go func() {
			for !strings.Contains(k.log.String(), unread) {
				n, err := io.WriteString(k.in, ping)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}()
		if err := <-k.done; err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		k.in.Close()
		if got, limit := sent.Load(), int64(5<<20); got > limit {
			t.Errorf("the bridge took %d bytes, want at most %d", got, limit)
		}
		k.wantLog(unread)
	})
}

// unread is what the log says of a client that sends without reading.
const unread = "the client does not read what it gets"

// The same holds for calls, which wait for a server that waits for the client.
func TestClientThatOnlyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := Config{Limits: Limits{Line: 1 << 20, Backlog: 1 << 20}}
		config.Limits.Held = 100 << 20 // calls are not refused before
		k := linked(t, config, &server{}).open()
		for i := range 60 { // fills what waits for the client
			k.send(callLine(i, "long", `{}`))
			synctest.Wait()
		}
		var sent atomic.Int64
		go func() {
			line := callLine(1000, "echo", `{"text":"`+strings.Repeat("x", 1_000_000)+`"}`) + "\n"
			for i := 0; !strings.Contains(k.log.String(), unread); i++ {
				n, err := io.WriteString(k.in, strings.Replace(line, "1000", strconv.Itoa(1000+i), 1))
				if sent.Add(int64(n)); err != nil {
					return
				}
				synctest.Wait()
			}
		}()
		if err := <-k.done; err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		k.in.Close()
		// What may wait, one line that is being written and one that is read.
		if got, limit := sent.Load(), int64(5<<20); got > limit {
			t.Errorf("the bridge took %d bytes, want at most %d", got, limit)
		}
		k.wantLog(unread)
	})
}

// A server that could not write for an hour is given time to read again once the
// client reads.
func TestServerThatWaitedForTheClientIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := Config{Limits: Limits{Line: 1 << 20, Backlog: 1 << 20}}
		config.Limits.Held = 100 << 20 // calls are not refused before
		k := linked(t, config, &server{}).open()
		for range 60 {
			k.call("long", `{}`)
			synctest.Wait()
		}
		for range 20 { // behind them, for the server
			k.call("echo", `{"text":"`+strings.Repeat("x", 100_000)+`"}`)
			synctest.Wait()
		}
		time.Sleep(59 * time.Minute) // less than a call may take
		got := 0
		for range 81 {
			if got == 1 {
				k.call("echo", `{"text":"last"}`)
			}
			if strings.Contains(k.receive(), `"result"`) {
				got++
			}
		}
		if got != 81 {
			t.Errorf("%d answers, want 81\nlog: %s", got, k.log)
		}
		k.in.Close()
		k.wantEnd(nil, "")
	})
}

// closes counts the calls of Close.
type closes struct {
	io.ReadWriteCloser
	n atomic.Int32
}

func (c *closes) Close() error {
	c.n.Add(1)
	return c.ReadWriteCloser.Close()
}

func TestLinkIsClosedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		s := &server{out: far}
		go s.serve(io.LimitReader(far, 600)) // the opening, and no more
		c := &closes{ReadWriteCloser: near}
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		k := bridgedOver(t, Config{Upstream: Link{c}, Limits: Limits{Backlog: 1 << 20}}, in, toBridge, fromBridge, out).open()
		go func() {
			for i := range 40 {
				io.WriteString(k.in, callLine(i, "echo", `{"text":"`+strings.Repeat("x", 50_000)+`"}`)+"\n")
			}
		}()
		k.wantEnd(ErrUpstreamLost, `"cause":"upstream_stalled"`)
		if got := c.n.Load(); got != 1 {
			t.Errorf("the stream was closed %d times, want once", got)
		}
		in.Close()
	})
}

// A log that does not return holds the end of a session up for a moment, and no longer.
func TestLogThatBlocksAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		go (&server{out: far}).serve(far)
		in, toBridge := io.Pipe()
		b := newBlocked()
		begun := time.Now()
		go func() {
			io.WriteString(toBridge, initialize+"\n")
			<-b.entered
			toBridge.Close()
		}()
		err := Run(t.Context(), Config{Front: Stdio{in, io.Discard}, Upstream: Link{near}, Log: NewLog(b, 0)})
		if took := time.Since(begun); err != nil || took != lastLines {
			t.Errorf("Run = %v after %v, want nil after %v", err, took, lastLines)
		}
		close(b.release)
		far.Close()
	})
}

// The streams of the front are as they were when Run has returned.
func TestFrontIsRestored(t *testing.T) {
	client, front := net.Pipe()
	defer client.Close()
	defer front.Close()
	near, far := jsonrpc.Pipe()
	defer far.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, Config{Front: Stdio{front, front}, Upstream: Link{near}}); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	go io.Copy(client, client) // an echo
	if _, err := front.Write([]byte("x")); err != nil {
		t.Errorf("Write = %v", err)
	}
	if _, err := front.Read(make([]byte, 1)); err != nil {
		t.Errorf("Read = %v", err)
	}
}

// req: P02
func TestClientThatReadsNothingAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := linked(t, Config{}, &server{}).open()
		for range 100 {
			k.call("long", `{}`)
		}
		synctest.Wait()
		begun := time.Now()
		k.in.Close()
		err := <-k.done
		if took, limit := time.Since(begun), 6*time.Second; err != nil || took > limit {
			t.Errorf("Run = %v after %v, want nil within %v", err, took, limit)
		}
	})
}

// req: W13
func TestRequestThatWasNotWrittenIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		s := &server{}
		v := &valve{ReadWriteCloser: far, shut: make(chan struct{})}
		s.out = v
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		k := bridgedOver(t, Config{Upstream: Link{near}}, in, toBridge, fromBridge, out)
		gate := v.shut
		go func() {
			s.serve(v)
			far.Close()
		}()
		close(gate)
		k.open()
		synctest.Wait()
		v.shut = make(chan struct{}) // the server stops reading, after one more Read
		k.call("first", `{"text":"`+strings.Repeat("x", 50_000)+`"}`)
		for range 3 {
			k.call("stuck", `{"text":"`+strings.Repeat("x", 60_000)+`"}`)
			synctest.Wait()
		}
		k.call("behind", `{}`)
		synctest.Wait()
		k.in.Close()
		time.Sleep(time.Second) // the time to drain is over
		close(v.shut)
		k.wantEnd(nil, "")
		if got := s.took(); strings.Contains(got, "behind") || !strings.Contains(got, "first") {
			t.Errorf("the server took %q, want no request that was not begun", got)
		}
	})
}

// req: U14
func TestServerThatDoesNotReadIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		s := &server{out: far}
		go s.serve(io.LimitReader(far, 600)) // the opening, and no more
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		k := bridgedOver(t, Config{Upstream: Link{near}, Limits: Limits{Backlog: 1 << 20}}, in, toBridge, fromBridge, out).open()
		go func() {
			for i := range 40 {
				io.WriteString(k.in, callLine(i, "echo", `{"text":"`+strings.Repeat("x", 50_000)+`"}`)+"\n")
			}
		}()
		k.wantEnd(ErrUpstreamLost, `"cause":"upstream_stalled"`)
		k.wantLog("does not read its input and is given up")
		in.Close()
	})
}

// req: W01
func TestT9RequestsOverTheLimitAreAnsweredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := linked(t, Config{}, &server{}).open()
		for range 256 {
			k.call("hold", `{}`)
		}
		k.call("echo", `{}`)
		if got, want := k.receive(), `"cause":"busy"`; !strings.Contains(got, want) || !strings.Contains(got, `"id":257`) {
			t.Errorf("answer = %s, want %s", got, want)
		}
		k.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		if got, want := k.receive(), `{"jsonrpc":"2.0","id":"p","result":{}}`; got != want {
			t.Errorf("answer = %s, want %s", got, want)
		}
		// A cancellation is read too, and makes room for one more.
		k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":256}}`)
		k.call("echo", `{"n":1}`)
		if got := k.receive(); !strings.Contains(got, `"id":258`) || !strings.Contains(got, `{'n':1}`) {
			t.Errorf("answer = %s, want that to the call after the cancellation", got)
		}
		k.call("hold", `{}`) // full again
		k.in.Close()
		if _, err := k.ended(); err != nil {
			t.Errorf("Run = %v at the end of the input, want nil", err)
		}
	})
}
