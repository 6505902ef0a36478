package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// echo answers with its params; the method fail with an error, the method wait
// when ctx is done.
func echo(ctx context.Context, method string, params []byte) ([]byte, error) {
	switch method {
	case "fail":
		return nil, &Error{Code: 7, Message: "no \"luck\"", Data: []byte(`{"a":1}`)}
	case "secret":
		return nil, errors.New("a secret")
	case "nothing":
		return nil, nil
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	case "sleep":
		time.Sleep(time.Minute)
	}
	return bytes.Clone(params), nil
}

// connect runs two connections over a pipe in a bubble and stops them after f.
func connect(t *testing.T, a, b *ConnOptions, f func(t *testing.T, a, b *Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		x, y := NewConn(p, p, a), NewConn(q, q, b)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { x.Run(ctx) })
		wg.Go(func() { y.Run(ctx) })
		f(t, x, y)
		cancel()
		wg.Wait()
	})
}

func TestCall(t *testing.T) {
	connect(t, nil, &ConnOptions{OnRequest: echo}, func(t *testing.T, a, b *Conn) {
		for _, tt := range []struct{ method, params, result, err string }{
			{"echo", `{"a":"é\u00e9"}`, `{"a":"é\u00e9"}`, ""},
			{"echo \"quoted\"", "{\n\t\"a\": 1\n}", "{ \t\"a\": 1 }", ""},
			{"echo", "{\r\n\r\"a\": 1}\r", "{   \"a\": 1}", ""},
			{"nothing", "", "null", ""},
			{"fail", "", "", "7 no \"luck\" {\"a\":1}"},
			{"secret", "", "", "-32603 Internal error "},
		} {
			result, err := a.Call(t.Context(), tt.method, []byte(tt.params))
			got := ""
			if e, ok := errors.AsType[*Error](err); ok {
				got = fmt.Sprintf("%d %s %s", e.Code, e, e.Data)
			} else if err != nil {
				got = err.Error()
			}
			if string(result) != tt.result || got != tt.err {
				t.Errorf("Call(%q, %s) = %s, %q, want %s, %q", tt.method, tt.params, result, got, tt.result, tt.err)
			}
		}
		_, err := b.Call(t.Context(), "any", nil)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeMethodNotFound {
			t.Errorf("Call without a handler: %v, want %d", err, CodeMethodNotFound)
		}
	})
}

func TestCallBig(t *testing.T) {
	big := []byte(`{"t":"` + strings.Repeat("x", 3<<20) + `"}`)
	connect(t, nil, &ConnOptions{OnRequest: echo}, func(t *testing.T, a, b *Conn) {
		result, err := a.Call(t.Context(), "echo", big)
		if err != nil || !bytes.Equal(result, big) {
			t.Errorf("Call with %d bytes: %d bytes, %v", len(big), len(result), err)
		}
	})
}

// More calls than are let through at once, in both directions.
func TestManyCalls(t *testing.T) {
	const n = 3 * maxOpen
	o := &ConnOptions{OnRequest: echo}
	connect(t, o, o, func(t *testing.T, a, b *Conn) {
		var wg sync.WaitGroup
		for _, c := range []*Conn{a, b} {
			for i := range n {
				wg.Go(func() {
					params := fmt.Sprintf(`{"i":%d}`, i)
					method := [2]string{"echo", "sleep"}[i%2]
					result, err := c.Call(t.Context(), method, []byte(params))
					if err != nil || string(result) != params {
						t.Errorf("call %d: %s, %v", i, result, err)
					}
				})
			}
		}
		wg.Wait()
	})
}

// T9 for a Conn: what is over the limit is refused at once, and the others are
// still answered.
func TestTooManyRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		c := NewConn(q, q, &ConnOptions{OnRequest: echo})
		done := make(chan error, 1)
		go func() { done <- c.Run(t.Context()) }()
		w := NewWriter(p)
		for i := range maxOpen + 1 {
			w.WriteLine(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"sleep"}`, i))
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		r := NewReader(p, nil)
		for i := range maxOpen + 1 {
			m, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			if refused := !m.Error.IsZero(); refused != (i == 0) {
				t.Errorf("answer %d: refused %v", i, refused)
			}
		}
		p.Close()
		if err := <-done; err != nil {
			t.Errorf("Run: %v, want nil at the end of the input", err)
		}
	})
}

func TestNotifications(t *testing.T) {
	var got []string
	o := &ConnOptions{
		OnRequest: echo,
		OnNotification: func(_ context.Context, method string, params []byte) {
			got = append(got, method+string(params))
		},
	}
	connect(t, nil, o, func(t *testing.T, a, b *Conn) {
		for i := range 5 {
			if err := a.Notify(t.Context(), "n", fmt.Appendf(nil, `{"i":%d}`, i)); err != nil {
				t.Error(err)
			}
		}
		a.Notify(t.Context(), "last", nil)
		if _, err := a.Call(t.Context(), "echo", nil); err != nil {
			t.Error(err)
		}
		if err := b.Notify(t.Context(), "dropped", nil); err != nil {
			t.Error(err)
		}
	})
	if want := `n{"i":0} n{"i":1} n{"i":2} n{"i":3} n{"i":4} last`; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCallGivenUp(t *testing.T) {
	connect(t, nil, &ConnOptions{OnRequest: echo}, func(t *testing.T, a, b *Conn) {
		cause := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, cause)
		defer cancel()
		if _, err := a.Call(ctx, "sleep", nil); err != cause {
			t.Errorf("Call = %v, want %v", err, cause)
		}
		if _, err := a.Call(ctx, "echo", nil); err != cause {
			t.Errorf("Call with a context that is done = %v, want %v", err, cause)
		}
		time.Sleep(2 * time.Minute) // its response comes late and is dropped
		if got, err := a.Call(t.Context(), "echo", []byte(`{}`)); err != nil || string(got) != "{}" {
			t.Errorf("next Call = %s, %v", got, err)
		}
	})
}

// The end of the input fails open calls, and what was asked before it is still
// answered.
func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := strings.NewReader(`{"jsonrpc":"2.0","id":"x","method":"sleep","params":{}}` + "\n")
		var out bytes.Buffer
		c := NewConn(in, &out, &ConnOptions{OnRequest: echo})
		called := make(chan error, 1)
		go func() {
			_, err := c.Call(t.Context(), "m", nil)
			called <- err
		}()
		synctest.Wait()
		if err := c.Run(t.Context()); err != nil {
			t.Errorf("Run: %v", err)
		}
		if err := <-called; err != ErrClosed {
			t.Errorf("open call: %v, want %v", err, ErrClosed)
		}
		if _, err := c.Call(t.Context(), "m", nil); err != ErrClosed {
			t.Errorf("call after the end: %v, want %v", err, ErrClosed)
		}
		if err := c.Notify(t.Context(), "m", nil); err != ErrClosed {
			t.Errorf("notification after the end: %v, want %v", err, ErrClosed)
		}
		want := `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\n" + `{"jsonrpc":"2.0","id":"x","result":{}}` + "\n"
		if got := out.String(); got != want {
			t.Errorf("wrote %s, want %s", got, want)
		}
	})
}

func TestRunStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		c := NewConn(p, p, &ConnOptions{OnRequest: echo})
		cause := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()
		io.WriteString(q, `{"jsonrpc":"2.0","id":1,"method":"wait"}`+"\n")
		called := make(chan error, 1)
		go func() {
			_, err := c.Call(t.Context(), "m", nil)
			called <- err
		}()
		synctest.Wait()
		cancel(cause)
		if err := <-done; err != cause {
			t.Errorf("Run: %v, want %v", err, cause)
		}
		if err := <-called; err != ErrClosed {
			t.Errorf("open call: %v, want %v", err, ErrClosed)
		}
	})
}

func TestWriteFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := Pipe()
		broken := errors.New("broken")
		c := NewConn(p, brokenWriter{broken}, nil)
		done := make(chan error, 1)
		go func() { done <- c.Run(t.Context()) }()
		if _, err := c.Call(t.Context(), "m", nil); err != broken {
			t.Errorf("Call: %v, want %v", err, broken)
		}
		if err := <-done; err != broken {
			t.Errorf("Run: %v, want %v", err, broken)
		}
	})
}

// A peer that does not read makes writers wait, and they can give up.
func TestSlowPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		c := NewConn(p, p, nil)
		go c.Run(t.Context())
		params := []byte(`{"t":"` + strings.Repeat("x", 700<<10) + `"}`)
		go c.Notify(t.Context(), "n", params) // writes, and waits in the pipe
		synctest.Wait()
		if err := c.Notify(t.Context(), "n", params); err != nil {
			t.Errorf("Notify: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Notify(ctx, "n", params); err != context.DeadlineExceeded {
			t.Errorf("Notify: %v, want it to give up", err)
		}
		go io.Copy(io.Discard, q)
		if err := c.Notify(t.Context(), "n", params); err != nil {
			t.Errorf("Notify: %v", err)
		}
		synctest.Wait()
		p.Close()
		q.Close()
	})
}

// T4 for a Conn: a bad line is answered with its id, and a bad response fails its
// call.
func TestBadLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		c := NewConn(q, q, nil)
		go c.Run(t.Context())
		called := make(chan error, 1)
		go func() {
			_, err := c.Call(t.Context(), "m", nil)
			called <- err
		}()
		in := bufio.NewReader(p)
		in.ReadString('\n')
		for _, tt := range []struct{ line, want string }{
			{`nonsense`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
			{`{"jsonrpc":"2.0","id":1.9,"method":"m"}`, `{"jsonrpc":"2.0","id":1.9,"error":{"code":-32600,"message":"Invalid Request"}}`},
			{`{"result":"\x","jsonrpc":"2.0","id":1}` + "\nx", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		} {
			io.WriteString(p, tt.line+"\n")
			if got, _ := in.ReadString('\n'); got != tt.want+"\n" {
				t.Errorf("%s is answered with %s, want %s", tt.line, got, tt.want)
			}
		}
		if err := <-called; faultOf(err) != FaultSyntax {
			t.Errorf("call with a bad response: %v", err)
		}
		p.Close()
	})
}

func TestPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe()
		data := bytes.Repeat([]byte("0123456789abc"), 50000)
		go func() {
			if n, err := a.Write(data); n != len(data) || err != nil {
				t.Errorf("Write = %d, %v", n, err)
			}
			a.Close()
		}()
		synctest.Wait() // the writer waits for room
		got, err := io.ReadAll(b)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("read %d bytes, %v, want %d", len(got), err, len(data))
		}
		if _, err := b.Write([]byte("x")); err != io.ErrClosedPipe {
			t.Errorf("Write to a closed end: %v", err)
		}
		if _, err := a.Read(make([]byte, 1)); err != io.ErrClosedPipe {
			t.Errorf("Read at a closed end: %v", err)
		}
	})
}

func TestPipeCloseUnblocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe()
		errs := make(chan error, 2)
		go func() {
			_, err := a.Read(make([]byte, 1))
			errs <- err
		}()
		go func() {
			_, err := a.Write(make([]byte, 2*pipeSize))
			errs <- err
		}()
		synctest.Wait()
		a.Close()
		for range 2 {
			if err := <-errs; err != io.ErrClosedPipe {
				t.Errorf("blocked call: %v, want %v", err, io.ErrClosedPipe)
			}
		}
		if n, err := io.Copy(io.Discard, b); n != pipeSize || err != nil {
			t.Errorf("the other end read %d bytes, %v, want %d", n, err, pipeSize)
		}
	})
}

// What was queued when the input ends is still written, whoever writes it; a
// context that is done ends the wait.
func TestRunWaitsForTheWriter(t *testing.T) {
	for _, read := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p, q := Pipe()
			c := NewConn(strings.NewReader(""), p, nil)
			params := []byte(`{"t":"` + strings.Repeat("x", 3*pipeSize) + `"}`)
			go c.Notify(t.Context(), "n", params)
			synctest.Wait() // it is written as far as the pipe takes it
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- c.Run(ctx) }()
			synctest.Wait()
			if !read {
				cancel()
				if err := <-done; err != context.Canceled {
					t.Errorf("Run: %v, want %v", err, context.Canceled)
				}
				return
			}
			got, err := io.ReadAll(q)
			if err != nil || !bytes.Contains(got, params) {
				t.Errorf("the peer read %d bytes, %v, want all of the notification", len(got), err)
			}
			if err := <-done; err != nil {
				t.Errorf("Run: %v", err)
			}
			cancel()
		})
	}
}

// Odd responses and method names of a peer do no harm.
func TestOddPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		var methods []string
		c := NewConn(q, q, &ConnOptions{
			Reader: &ReaderOptions{AllowLoneSurrogates: true},
			OnRequest: func(_ context.Context, m string, _ []byte) ([]byte, error) {
				methods = append(methods, m)
				return nil, nil
			},
		})
		go c.Run(t.Context())
		in := bufio.NewReader(p)
		called := make(chan error, 1)
		go func() {
			_, err := c.Call(t.Context(), "m", nil)
			called <- err
		}()
		in.ReadString('\n')
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":"1","result":{}}`,
			`{"jsonrpc":"2.0","id":77,"result":{}}`,
			`{"jsonrpc":"2.0","method":"nobody listens"}`,
		} {
			io.WriteString(p, line+"\n")
		}
		for _, method := range []string{`a\u0062`, `\ud800`} {
			io.WriteString(p, `{"jsonrpc":"2.0","id":5,"method":"`+method+`"}`+"\n")
			in.ReadString('\n')
		}
		synctest.Wait()
		if strings.Join(methods, "|") != "ab|" {
			t.Errorf("methods %q, want ab and an empty one", methods)
		}
		io.WriteString(p, `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":7}}`+"\n")
		if e, ok := errors.AsType[*Error](<-called); !ok || e.Code != 0 || e.Message != "" {
			t.Errorf("Call: %v, want an error without code and message", e)
		}
		p.Close()
	})
}

// gate lets a write pass for each value that it gets.
type gate chan struct{}

func (g gate) Write(b []byte) (int, error) {
	<-g
	return len(b), nil
}

// A caller writes its own line, and leaves what others queued meanwhile to Run.
func TestCallerDoesNotWriteForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		out := make(gate)
		c := NewConn(p, out, nil)
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- c.Run(ctx) }()
		first := make(chan error, 1)
		go func() { first <- c.Notify(ctx, "first", nil) }()
		synctest.Wait() // it writes
		for range 3 {
			if err := c.Notify(ctx, "other", nil); err != nil {
				t.Error(err)
			}
		}
		out <- struct{}{}
		synctest.Wait()
		select {
		case err := <-first:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("Notify goes on writing for others")
		}
		out <- struct{}{} // one write takes the three others
		q.Close()
		if err := <-ran; err != nil {
			t.Errorf("Run: %v", err)
		}
		cancel()
	})
}
