package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
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
