package oauthloopback

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Silent connections take all places, and the oldest goes when it is a second old.
//
// req: S09
func TestIdleConnectionGivesWay(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		idle := make([]net.Conn, defaultConns)
		for i := range idle {
			idle[i] = p.dial()
			time.Sleep(time.Millisecond)
		}
		begin := time.Now()
		c := p.dial()
		if got, want := time.Since(begin), time.Second-defaultConns*time.Millisecond; got != want {
			t.Errorf("a place after %v, want %v", got, want)
		}
		if got := ask(t, c, request(r, "GET", "/callback"+codeQuery)); got != 200 {
			t.Errorf("status %d, want 200", got)
		}
		if _, err := idle[0].Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("the oldest: %v, want EOF", err)
		}
		idle[1].SetReadDeadline(time.Now())
		if _, err := idle[1].Read(make([]byte, 1)); errors.Is(err, io.EOF) {
			t.Error("the one after it is closed too")
		}
		for _, c := range append(idle, c) {
			c.Close()
		}
	})
}

// There are never more connections than may be, and a place is free when one ends.
//
// req: S09
func TestConnectionsAtATime(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		var all []net.Conn
		for range 16 {
			all = append(all, p.dial())
		}
		near, far := net.Pipe()
		select {
		case p.conns <- far:
			t.Error("one more is accepted at once")
		case <-time.After(900 * time.Millisecond):
		}
		all[3].Close()
		synctest.Wait()
		select {
		case p.conns <- far:
		default:
			t.Error("no place when one has ended")
		}
		for _, c := range append(all, near) {
			c.Close()
		}
	})
}

// A flood of connections that say nothing is passed through faster and faster, and the
// place of what is said is never given away.
//
// req: S09
func TestFloodIsHurried(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		begin := time.Now()
		var all []net.Conn
		for range 2000 {
			c := p.dial()
			all = append(all, c)
			go io.WriteString(c, "GET /callback")
		}
		getsThrough(t, r, p, all, begin)
	})
}

// getsThrough checks that the redirect is received soon, behind all the others.
func getsThrough(t *testing.T, r *Receiver, p *pipes, all []net.Conn, begin time.Time) {
	t.Helper()
	c := p.dial()
	if got := ask(t, c, request(r, "GET", "/callback"+codeQuery)); got != 200 {
		t.Errorf("status %d, want 200", got)
	}
	if got := time.Since(begin); got > 5*time.Second {
		t.Errorf("%d connections held it for %v", len(all), got)
	}
	for _, c := range append(all, c) {
		c.Close()
	}
}

// Who has an answer and stays takes no place that another one needs, and does not
// make a flood slower for those who say nothing.
//
// req: S09
func TestFloodOfAnswers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		every int // how many connections there are for one that says something
	}{{"all", 1}, {"some", 8}} {
		t.Run(tt.name, func(t *testing.T) {
			virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
				begin := time.Now()
				var all []net.Conn
				for i := range 2000 {
					c := p.dial()
					all = append(all, c)
					if i%tt.every == 0 {
						go io.WriteString(c, request(r, "GET", "/"))
						go io.Copy(io.Discard, c)
					}
				}
				getsThrough(t, r, p, all, begin)
			})
		})
	}
}

// Who has been answered has a moment to read it, however long ago it came.
//
// req: S09
func TestAnswerCanBeRead(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		var all []net.Conn
		for range defaultConns {
			all = append(all, p.dial())
		}
		time.Sleep(900 * time.Millisecond)
		ask(t, all[0], request(r, "GET", "/"))
		synctest.Wait()
		begin := time.Now()
		all = append(all, p.dial())
		if got := time.Since(begin); got != hurriedAge {
			t.Errorf("its place was taken after %v, want %v", got, hurriedAge)
		}
		for _, c := range all {
			c.Close()
		}
	})
}

// What is being answered is not cut off, however old it is and whoever waits.
//
// req: S09
func TestAnswerIsNotCutOff(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		slow := p.dial()
		io.WriteString(slow, request(r, "GET", "/callback"+codeQuery))
		var all []net.Conn
		for range 2 * defaultConns { // until some have given way
			all = append(all, p.dial())
		}
		resp, err := http.ReadResponse(bufio.NewReader(slow), nil)
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("the answer: %v", err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || !strings.HasSuffix(string(body), "</html>\n") {
			t.Errorf("the page: %q, %v", body, err)
		}
		for _, c := range append(all, slow) {
			c.Close()
		}
	})
}

// A connection gives way once, and what it has said by then is not answered.
//
// req: S09
func TestConnectionThatGaveWay(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	c := &conn{Conn: far} // older than all others
	s := &server{most: 1, conns: []*conn{c}}
	for range 2 {
		if wait, full := s.makeRoom(); wait != 0 || !full {
			t.Errorf("makeRoom() = %v, %v; want 0 and that there is no place yet", wait, full)
		}
	}
	if s.given != 1 {
		t.Errorf("it gave way %d times", s.given)
	}
	if s.claim(c) {
		t.Error("it can still be answered")
	}
}

// After a flood the silent connections of a browser have their second again.
//
// req: S09
func TestFloodIsForgotten(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		var all []net.Conn
		for range 10 * defaultConns {
			all = append(all, p.dial())
		}
		c := p.dial()
		ask(t, c, request(r, "GET", "/"))
		for _, c := range append(all, c) {
			c.Close()
		}
		synctest.Wait()
		all = nil
		for range defaultConns {
			all = append(all, p.dial())
		}
		begin := time.Now()
		all = append(all, p.dial())
		if got := time.Since(begin); got != time.Second {
			t.Errorf("a place after %v, want 1s", got)
		}
		for _, c := range all {
			c.Close()
		}
	})
}
