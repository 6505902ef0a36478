package oauthloopback

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// belated accepts one connection more while it is closed.
type belated struct {
	*pipes
	last chan net.Conn
}

func (l *belated) Accept() (net.Conn, error) {
	<-l.closed
	select {
	case c := <-l.last:
		return c, nil
	default:
		return nil, net.ErrClosed
	}
}

// A connection that comes with the end is closed, and not listened to.
//
// req: S10
func TestConnectionAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := config().checked()
		if err != nil {
			t.Fatal(err)
		}
		near, far := net.Pipe()
		l := &belated{newPipes(), make(chan net.Conn, 1)}
		l.last <- far
		r := newReceiver(t.Context(), s, l)
		synctest.Wait()
		begin := time.Now()
		r.Close()
		if got := time.Since(begin); got != 0 {
			t.Errorf("Close took %v", got)
		}
		if got := untilClosed(near); got != 0 {
			t.Errorf("it was closed after %v", got)
		}
	})
}

// Close does not wait for what others do.
//
// req: S10
func TestCloseAtOnce(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		var all []net.Conn
		for range defaultConns {
			all = append(all, p.dial())
		}
		go io.WriteString(all[0], request(r, "GET", "/"))      // reads no answer
		go io.WriteString(all[1], request(r, "GET", "/")[:10]) // half a head
		synctest.Wait()
		begin := time.Now()
		r.Close()
		if got := time.Since(begin); got != 0 {
			t.Errorf("Close took %v", got)
		}
		for _, c := range all {
			c.Close()
		}
	})
}

// When Close has returned, no goroutine of the receiver goes on, not even in the
// caller's hands.
//
// req: S10
func TestCloseWaitsForTheCaller(t *testing.T) {
	c := config()
	var hold chan struct{}
	c.OnEvent = func(Event) { <-hold }
	virtual(t, c, func(t *testing.T, r *Receiver, p *pipes) {
		hold = make(chan struct{})
		target, _ := started(t, r)
		browser := p.dial()
		io.WriteString(browser, request(r, "GET", target))
		synctest.Wait() // until OnEvent is called
		closed := make(chan struct{})
		go func() {
			r.Close()
			close(closed)
		}()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("Close returned while OnEvent was called")
		default:
		}
		close(hold)
		<-closed
		browser.Close()
	})
}
