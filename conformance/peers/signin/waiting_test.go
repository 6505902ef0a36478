package signin

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// A server whose certificate is of an authority that the person does not trust gets no
// request, and nobody is asked.
//
// req: S18
func TestSignInPeerWrongAuthority(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	f := who.start("--ca-file", newAuthority(t).root)
	if r := f.initialize(); r.cause() != "tls" {
		t.Errorf("initialize: %+v", r.Error)
	}
	f.close()
	if log := f.log.String(); !strings.Contains(log, "--ca-file issuer=conformance") {
		t.Errorf("the log does not say who made the certificate, and what helps:\n%s", log)
	}
	who.opened(0)
	if got := p.since(0); len(got) > 0 {
		t.Errorf("the server was asked %v", got)
	}
}

// Bridges of two servers that want the same port sign in one after the other. A port that is
// somebody else's fails at once, and its text names it.
//
// req: S07
func TestSignInPeerOnePort(t *testing.T) {
	p, other := newPeer(t), newPeer(t)
	who := newPerson(t, p)
	fronts := []*front{who.start("--no-browser")}
	_, first := fronts[0].initializing(object{})
	url := fronts[0].shown()

	who.peer, who.url = other, other.URL
	v := who.visitor
	v.Authority = other.root
	who.uses(v)
	fronts = append(fronts, who.start())
	_, second := fronts[1].initializing(object{})
	for len(other.since(0, serverMetadata)) == 0 { // until it has all it needs but the port
		time.Sleep(10 * time.Millisecond)
	}
	who.opened(0)
	v.Authority = p.root
	if _, err := v.visit(t.Context(), url); err != nil {
		t.Error(err)
	}
	for i, answer := range []func() reply{first, second} {
		if r := answer(); r.Error != nil {
			t.Errorf("bridge %d: %+v", i+1, r.Error)
		}
		fronts[i].close()
	}
	who.opened(1)

	who.run("logout", "--token-store", "file", other.URL)
	l, err := net.Listen("tcp4", fmt.Sprint("127.0.0.1:", who.port))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f := who.start()
	if r := f.initialize(); r.cause() != "redirect_port_in_use" {
		t.Errorf("initialize: %+v", r.Error)
	}
	f.close()
	if log := f.log.String(); !strings.Contains(log, fmt.Sprint(who.port)) || !strings.Contains(log, "--redirect-port") {
		t.Errorf("the log does not name the port and the option:\n%s", log)
	}
	who.opened(1)
}

// The wait for a person ends with the input, and with a cancelled initialize, each twenty
// times on one port.
//
// req: P02, S10
func TestSignInPeerEnds(t *testing.T) {
	p := newPeer(t)
	const times = 20
	t.Run("end of input", func(t *testing.T) {
		who := newPerson(t, p)
		m := p.mark()
		for range times {
			f := who.start("--no-browser")
			f.initializing(object{})
			f.shown()
			began := time.Now()
			f.close()
			wantSoon(t, began)
			wantFree(t, who.port)
		}
		p.wants(t, m, 0, 0, 1)
	})
	t.Run("end of input while the editor is asked", func(t *testing.T) {
		who := newPerson(t, p)
		who.start().open().close()
		m := p.mark()
		for range times {
			f := who.start("--log-level", "error").open()
			f.calling("write")
			f.asks()
			began := time.Now()
			f.close()
			wantSoon(t, began)
			wantFree(t, who.port)
			if urls := signInURLs(f.log.String()); len(urls) != 1 {
				t.Errorf("shown %q, want one URL", urls)
			}
		}
		p.wants(t, m, 0, 0, 0)
	})
	t.Run("cancelled", func(t *testing.T) {
		who := newPerson(t, p)
		m := p.mark()
		for range times {
			f := who.start("--no-browser")
			id, _ := f.initializing(object{})
			f.shown()
			f.send(object{"method": "notifications/cancelled", "params": object{"requestId": id}})
			waitFree(t, who.port)
			f.close()
		}
		p.wants(t, m, 0, 0, 1)
	})
	t.Run("cancelled in one session", func(t *testing.T) {
		who := newPerson(t, p)
		m := p.mark()
		f := who.start("--no-browser")
		for n := range times {
			id, _ := f.initializing(object{})
			for len(signInURLs(f.log.String())) <= n {
				time.Sleep(time.Millisecond)
			}
			f.send(object{"method": "notifications/cancelled", "params": object{"requestId": id}})
			waitFree(t, who.port)
		}
		if urls := signInURLs(f.log.String()); len(slices.Compact(slices.Sorted(slices.Values(urls)))) != times {
			t.Errorf("%d URLs, want as many that differ", len(urls))
		}
		f.close()
		p.wants(t, m, 0, 0, 1)
	})
}

// A sign-in that is not possible there fails at once and says so: nothing is opened, and
// nobody is asked.
//
// req: S19
func TestSignInPeerSandbox(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	who.start().open().close()
	who.env = []string{"SANDBOX_RUNTIME=1"}
	f := who.start().open() // what is kept is good there, too
	m := p.mark()
	if r := f.call("write"); r.cause() != "sign_in_sandbox" {
		t.Errorf("a call that needs more: %+v", r.Error)
	}
	f.unasked()
	f.close()
	who.run("logout", "--token-store", "file", p.URL)
	f = who.start()
	if r := f.initialize(); r.cause() != "sign_in_sandbox" {
		t.Errorf("initialize: %+v", r.Error)
	}
	f.close()
	p.wants(t, m, 0, 0, 0)
	who.opened(1)
}

// A bridge that is killed while it waits leaves nothing behind that holds up the next one.
//
// req: S07
func TestSignInPeerKilled(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	f := who.start("--no-browser")
	f.initializing(object{})
	f.shown()
	f.cmd.Process.Kill()
	f.exit()
	who.start().open().close()
	p.wants(t, 0, 1, 0, 1)
}

// watchdog is when a bridge that does not end by itself is ended.
const watchdog = 8 * time.Second

// wantSoon wants what began then to be over by itself.
func wantSoon(t *testing.T, began time.Time) {
	t.Helper()
	if took := time.Since(began); took > watchdog {
		t.Errorf("it took %v", took)
	}
}

func wantFree(t *testing.T, port int) {
	t.Helper()
	if !isFree(port) {
		t.Error("the port is still in use")
	}
}

// waitFree waits until nobody listens on the port.
func waitFree(t *testing.T, port int) {
	t.Helper()
	for end := time.Now().Add(patience); !isFree(port); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the port stays in use")
		}
	}
}

func isFree(port int) bool {
	l, err := net.Listen("tcp4", fmt.Sprint("127.0.0.1:", port))
	if err == nil {
		l.Close()
	}
	return err == nil
}
