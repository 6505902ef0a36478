package oauthloopback

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener in memory, so that time can be virtual.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 41894} }

// dial returns the client's end of a connection that is accepted.
func (p *pipes) dial() net.Conn {
	near, far := net.Pipe()
	p.conns <- far
	return near
}

// virtual runs a test with a receiver on pipes, in virtual time.
func virtual(t *testing.T, c Config, test func(t *testing.T, r *Receiver, p *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := c.checked()
		if err != nil {
			t.Fatal(err)
		}
		p := newPipes()
		r := newReceiver(t.Context(), s, p)
		defer r.Close()
		test(t, r, p)
	})
}

// untilClosed returns how long a connection stays open that sends nothing more.
func untilClosed(c net.Conn) time.Duration {
	start := time.Now()
	io.Copy(io.Discard, c)
	return time.Since(start)
}

// ask sends a head and returns the status. It does not wait for the end.
func ask(t *testing.T, c net.Conn, head string) int {
	t.Helper()
	go io.WriteString(c, head)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// req: S09
func TestRow2HeadTime(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		slow := p.dial()
		go func() { // a byte a second does not make it longer
			for err := error(nil); err == nil; time.Sleep(time.Second) {
				_, err = slow.Write([]byte("G"))
			}
		}()
		if got := untilClosed(slow); got != 10*time.Second {
			t.Errorf("a head without end: closed after %v, want 10s", got)
		}
		time.Sleep(2 * time.Second)
		c := p.dial()
		time.Sleep(10*time.Second - 1)
		if got := ask(t, c, request(r, "GET", "/")); got != 404 {
			t.Errorf("just in time: status %d, want 404", got)
		}
		c.Close()
		stillWaits(t, r)
		synctest.Wait()
	})
}

// The time of the whole wait, at its end and just before.
//
// req: S10, S17
func TestTimeout(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		start, _ := started(t, r)
		begin := time.Now()
		_, err := r.Wait(context.Background())
		wantReason(t, err, ReasonTimeout)
		if got := time.Since(begin); got != 300*time.Second {
			t.Errorf("the wait ended after %v, want 300s", got)
		}
		for target, want := range map[string]int{start: 404, "/callback" + codeQuery: 400, "/": 404} {
			c := p.dial()
			if got := ask(t, c, request(r, "GET", target)); got != want {
				t.Errorf("after the end: status %d, want %d", got, want)
			}
			c.Close()
		}
		r.Abort()
		_, err = r.Wait(context.Background())
		wantReason(t, err, ReasonTimeout)
	})
}

// req: S10
func TestRedirectJustInTime(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		time.Sleep(300*time.Second - 1)
		c := p.dial()
		if got := ask(t, c, request(r, "GET", "/callback"+codeQuery)); got != 200 {
			t.Errorf("status %d, want 200", got)
		}
		c.Close()
		time.Sleep(time.Hour)
		redirect, err := r.Wait(context.Background())
		if err != nil || redirect.Code() != testCode {
			t.Errorf("Wait() = %q, %v; want the code", redirect.Code(), err)
		}
	})
}

// A timer that is late, as on a machine that has slept, does not make the wait longer.
//
// req: S10, S17
func TestLateTimer(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *Receiver, *pipes){
		"start": func(t *testing.T, r *Receiver, _ *pipes) {
			if got := r.answerStart(&http.Request{Method: "GET"}, r.signIn.token.Expose()); got.status != 404 {
				t.Errorf("status %d, want 404", got.status)
			}
		},
		"redirect": func(t *testing.T, r *Receiver, _ *pipes) {
			if got := r.answerCallback("GET", codeQuery[1:]); got.status != 400 {
				t.Errorf("status %d, want 400", got.status)
			}
		},
		"abort": func(_ *testing.T, r *Receiver, _ *pipes) { r.Abort() },
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
				started(t, r)
				r.release() // the timer never fires
				time.Sleep(300 * time.Second)
				end(t, r, p)
				_, err := r.Wait(context.Background())
				wantReason(t, err, ReasonTimeout)
			})
		})
	}
}

// What is unread behind a response is read for a while, and not for ever.
//
// req: S09
func TestDrain(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		c := p.dial()
		if got := ask(t, c, request(r, "POST", "/", "Content-Length: 10")); got != 404 {
			t.Errorf("status %d, want 404", got)
		}
		if got := untilClosed(c); got != 500*time.Millisecond {
			t.Errorf("closed %v after the response, want 500ms", got)
		}
		c = p.dial()
		ask(t, c, request(r, "POST", "/", "Content-Length: 1000000"))
		n, err := io.Copy(c, strings.NewReader(strings.Repeat("x", 1000000)))
		if err == nil || n > 128<<10 {
			t.Errorf("%d bytes were read behind the response, %v", n, err)
		}
	})
}

// A client that does not read its response loses it. Until then whoever waits does not
// go on: the page comes first.
//
// req: S09, S15
func TestWriteTime(t *testing.T) {
	for name, tt := range map[string]struct {
		target func(t *testing.T, r *Receiver, p *pipes) string
		reason Reason
	}{
		"redirect": {func(*testing.T, *Receiver, *pipes) string { return "/callback" + codeQuery }, ""},
		"second start": {func(t *testing.T, r *Receiver, p *pipes) string {
			target, _ := started(t, r)
			c := p.dial()
			ask(t, c, request(r, "GET", target))
			c.Close()
			return target
		}, ReasonStartReused},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
				target := tt.target(t, r, p)
				c := p.dial()
				go io.WriteString(c, request(r, "GET", target))
				begin := time.Now()
				_, err := r.Wait(context.Background())
				if tt.reason != "" {
					wantReason(t, err, tt.reason)
				} else if err != nil {
					t.Error(err)
				}
				if got := time.Since(begin); got != 5*time.Second {
					t.Errorf("the result after %v, want 5s", got)
				}
				c.Close()
			})
		})
	}
}

// troubled fails now and then to accept, as a system without descriptors does.
type troubled struct {
	*pipes
	left int
}

func (l *troubled) Accept() (net.Conn, error) {
	if l.left--; l.left >= 0 {
		return nil, errors.New("too many open files")
	}
	return l.pipes.Accept()
}

func TestAcceptFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := config().checked()
		if err != nil {
			t.Fatal(err)
		}
		p := newPipes()
		r := newReceiver(t.Context(), s, &troubled{p, 3})
		begin := time.Now()
		c := p.dial()
		if got := time.Since(begin); got != 3*acceptPause {
			t.Errorf("accepted after %v, want %v", got, 3*acceptPause)
		}
		if got := ask(t, c, request(r, "GET", "/")); got != 404 {
			t.Errorf("status %d, want 404", got)
		}
		c.Close()
		r.Close()
		never := newReceiver(t.Context(), s, &troubled{newPipes(), 1 << 30})
		never.Close()
	})
}
