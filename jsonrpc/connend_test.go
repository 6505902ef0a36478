package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// When nothing can be sent or read any more, handlers learn of it, so that Run ends.
func TestFailureEndsHandlers(t *testing.T) {
	broken := errors.New("broken")
	const request = `{"jsonrpc":"2.0","id":1,"method":"wait"}` + "\n"
	for name, run := range map[string]func(ctx context.Context) error{
		"reading": func(ctx context.Context) error {
			in := io.MultiReader(strings.NewReader(request), iotest.ErrReader(broken))
			return NewConn(in, io.Discard, &ConnOptions{OnRequest: echo}).Run(ctx)
		},
		"writing": func(ctx context.Context) error {
			p, q := Pipe()
			defer q.Close()
			go io.WriteString(q, request+`{"jsonrpc":"2.0","id":2,"method":"echo"}`+"\n")
			return NewConn(p, brokenWriter{broken}, &ConnOptions{OnRequest: echo}).Run(ctx)
		},
		"writing after the end of the input": func(ctx context.Context) error {
			in := strings.NewReader(request + `{"jsonrpc":"2.0","id":2,"method":"sleep"}` + "\n")
			return NewConn(in, brokenWriter{broken}, &ConnOptions{OnRequest: echo}).Run(ctx)
		},
		"writing before Run": func(ctx context.Context) error {
			p, q := Pipe()
			go io.WriteString(q, request)
			c := NewConn(struct{ io.Reader }{p}, brokenWriter{broken}, &ConnOptions{OnRequest: echo})
			if err := c.Notify(ctx, "n", nil); err != broken {
				return err
			}
			go func() {
				synctest.Wait()
				q.Close()
			}()
			return c.Run(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if err := run(ctx); err != broken {
					t.Errorf("Run: %v, want %v", err, broken)
				}
			})
		})
	}
}

// A peer may send much that is refused before it reads: reading does not wait for
// writing.
func TestRefusalsDoNotStopReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lines = 4000
		p, q := Pipe()
		c := NewConn(q, q, nil)
		ran := make(chan error, 1)
		go func() { ran <- c.Run(t.Context()) }()
		if _, err := io.WriteString(p, strings.Repeat("nonsense"+strings.Repeat(" ", 100)+"\n", lines)); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(p)
		for n := range lines {
			if line, err := in.ReadString('\n'); !strings.Contains(line, "Parse error") {
				t.Fatalf("answer %d: %s, %v", n, line, err)
			}
		}
		p.Close()
		if err := <-ran; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// Whoever waits for room learns that the connection broke, and a call that is given
// up while it waits is forgotten.
func TestWaitForRoomEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		out := &breakingGate{gate: make(gate), err: broken}
		p, q := Pipe()
		defer q.Close()
		c := NewConn(p, out, nil)
		ran := make(chan error, 1)
		go func() { ran <- c.Run(t.Context()) }()
		big := []byte(`{"t":"` + strings.Repeat("x", maxWaiting) + `"}`)
		go c.Notify(t.Context(), "writes", nil)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Call(ctx, "m", big); err != context.DeadlineExceeded {
			t.Errorf("Call: %v, want %v", err, context.DeadlineExceeded)
		}
		c.door.update(func(s *connState) {
			if len(s.calls) != 0 {
				t.Errorf("%d calls are open, want none", len(s.calls))
			}
		})
		waits := make(chan error, 1)
		go func() { waits <- c.Notify(t.Context(), "waits", nil) }()
		synctest.Wait()
		out.gate <- struct{}{}
		<-waits
		if err := <-ran; err != broken {
			t.Errorf("Run: %v, want %v", err, broken)
		}
	})
}

// breakingGate is a gate behind which nothing is written.
type breakingGate struct {
	gate
	err error
}

func (g *breakingGate) Write([]byte) (int, error) {
	<-g.gate
	return 0, g.err
}

// Calls that are given up at any moment leave nothing behind, and do not disturb the
// others.
func TestCallsGivenUpAtAnyMoment(t *testing.T) {
	o := &ConnOptions{OnRequest: echo}
	connect(t, o, o, func(t *testing.T, a, b *Conn) {
		var wg sync.WaitGroup
		for n := range 600 {
			wg.Go(func() {
				c := [2]*Conn{a, b}[n%2]
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n%7)*20*time.Second)
				defer cancel()
				params := fmt.Sprintf(`{"n":%d,"t":"%s"}`, n, strings.Repeat("x", 100*(n%50)))
				result, err := c.Call(ctx, [2]string{"echo", "sleep"}[n%3%2], []byte(params))
				if err != context.DeadlineExceeded && (err != nil || string(result) != params) {
					t.Errorf("call %d: %.40s, %v", n, result, err)
				}
			})
		}
		wg.Wait()
		time.Sleep(time.Hour)
		for _, c := range []*Conn{a, b} {
			c.door.update(func(s *connState) {
				if len(s.calls) != 0 || s.answering != 0 || len(c.slots) != 0 {
					t.Errorf("%d calls and %d answers are open, %d slots taken", len(s.calls), s.answering, len(c.slots))
				}
			})
		}
		if got, err := a.Call(t.Context(), "echo", []byte(`{}`)); err != nil || string(got) != "{}" {
			t.Errorf("next Call = %s, %v", got, err)
		}
	})
}

// Whatever lines come, each request and each bad line that is no response gets one
// answer, and nothing else does.
func TestEachLineGetsItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := breaker{rand.New(rand.NewPCG(3, 4))}
		var input bytes.Buffer
		want := 0
		for n := range 3000 {
			line := bytes.ReplaceAll(r.line(n%2), []byte(`"method"`), [][]byte{[]byte(`"method"`), []byte(`"result"`), []byte(`"error"`)}[n%3])
			if n%5 > 0 {
				line = r.breakOne(line)
			}
			if len(bytes.TrimSpace(line)) == 0 || bytes.IndexByte(line, '\n') >= 0 {
				continue
			}
			input.Write(append(line, '\n'))
			m, err := Parse(line, nil)
			if bad, ok := err.(*LineError); ok && !bad.Response || err == nil && m.Kind == KindRequest {
				want++
			}
		}
		var out bytes.Buffer
		if err := NewConn(&input, &out, &ConnOptions{OnRequest: echo}).Run(t.Context()); err != nil {
			t.Errorf("Run: %v", err)
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != want {
			t.Errorf("%d answers, want %d", got, want)
		}
		answers := NewReader(&out, nil)
		for range want {
			_, err := answers.Read() // the id may be one that is no token, or null
			if f := faultOf(err); err != nil && f != FaultShape {
				t.Fatalf("an answer is %v", err)
			}
		}
	})
}

// What was needed for something big is not kept.
func TestConnKeepsLittle(t *testing.T) {
	big := []byte(`{"t":"` + strings.Repeat("x", 2*maxWaiting) + `"}`)
	connect(t, nil, &ConnOptions{OnRequest: echo}, func(t *testing.T, a, b *Conn) {
		if _, err := a.Call(t.Context(), "echo", big); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for _, c := range []*Conn{a, b} {
			c.door.update(func(s *connState) {
				if n := max(cap(s.out), cap(s.written)); n > maxWaiting {
					t.Errorf("a buffer of %d bytes is kept", n)
				}
			})
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		out := make(gate)
		c := NewConn(p, out, nil)
		ran := make(chan error, 1)
		go func() { ran <- c.Run(t.Context()) }()
		go c.Notify(t.Context(), "writes", big)
		synctest.Wait()
		if err := c.Notify(t.Context(), "queues", nil); err != nil {
			t.Error(err)
		}
		out <- struct{}{}
		out <- struct{}{}
		synctest.Wait()
		c.door.update(func(s *connState) {
			if n := max(cap(s.out), cap(s.written)); n > maxWaiting {
				t.Errorf("a buffer of %d bytes is kept while more waited", n)
			}
		})
		q.Close()
		<-ran
	})
	var f freeList
	f.give(&incoming{buf: make([]byte, maxKept+1)})
	if in := f.take(); in.buf != nil {
		t.Errorf("a buffer of %d bytes is kept", cap(in.buf))
	}
}

// A value that is sent on stays in its line for every reader.
func TestValuesStayInTheirLine(t *testing.T) {
	var s connState
	s.queueRaw([]byte("\r\n{\n\n\"a\\n\":\r1\n}\r"))
	if got, want := string(s.out), `  {  "a\n": 1 } `; got != want {
		t.Errorf("queued %q, want %q", got, want)
	}
}

// Method names are kept while they are few and short, so a peer cannot fill the
// memory with them.
func TestKnownMethodsAreBounded(t *testing.T) {
	var c methods
	name := func(method string) string {
		m, err := Parse(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q}`, method), nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.name(m)
	}
	for n := range 2 * maxKnown {
		for _, method := range []string{strings.Repeat("x", maxName+1), fmt.Sprint("m", n), "m0"} {
			if got := name(method); got != method {
				t.Errorf("name = %s, want %s", got, method)
			}
		}
	}
	if len(c.known) != maxKnown {
		t.Errorf("%d names are kept, want %d", len(c.known), maxKnown)
	}
	for method := range c.known {
		if len(method) > maxName {
			t.Errorf("a name of %d bytes is kept", len(method))
		}
	}
}
