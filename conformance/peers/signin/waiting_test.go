package signin

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	certificates "github.com/trestle-mcp/trestle/conformance/internal/authority"
)

// A server whose certificate is of an authority that the person does not trust gets no
// request, and nobody is asked.
//
// req: S18
func TestSignInPeerWrongAuthority(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	other, err := certificates.New()
	if err != nil {
		t.Fatal(err)
	}
	f := who.start("--ca-file", write(t, "other.pem", other.RootPEM()))
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

// A start URL that is opened twice ends the sign-in, since the second may be somebody else.
// The next initialize begins another.
//
// req: S13, S15
func TestSignInPeerStartTwice(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	once := who.visitor
	twice := once
	twice.Twice = true
	who.uses(twice)
	f := who.start()
	if r := f.initialize(); r.cause() != "sign_in_start_reused" {
		t.Errorf("initialize: %+v", r.Error)
	}
	who.opened(1) // and has agreed at the authorization server, and come back to a closed door
	if got := p.granted(0, byCode); len(got) > 0 {
		t.Errorf("tokens were asked for: %v", got)
	}
	who.uses(once)
	f.open().close()
	visits := who.opened(2)
	if first := visits[0].Pages; len(first) < 2 || first[0].Status != http.StatusSeeOther || first[1].Status != http.StatusGone {
		t.Errorf("pages %v", first)
	}
	if visits[0].Args[0] == visits[1].Args[0] {
		t.Error("the second sign-in has the same start URL")
	}
}

// With --no-browser nothing is started, there is no start URL, and the URL in the log is as
// good.
//
// req: S13
func TestSignInPeerNoBrowser(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	f := who.start("--no-browser")
	_, answer := f.initializing(object{})
	url := f.shown()
	if status := statusOf(t, fmt.Sprintf("http://127.0.0.1:%d/start/%s", who.port, strings.Repeat("A", 43))); status != http.StatusNotFound {
		t.Errorf("a start URL has the status %d", status)
	}
	who.visits(url)
	if r := answer(); r.Error != nil {
		t.Errorf("initialize: %+v", r.Error)
	}
	f.initialized()
	if got := f.call("whoami").text(); got != "user" {
		t.Errorf("answer %s", got)
	}
	f.close()
	p.wants(t, 0, 1, 0, 1)
	who.opened(0)
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

	who.peer = other
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

// wantSoon wants what began then to be over well before anything has to be given up.
func wantSoon(t *testing.T, began time.Time) {
	t.Helper()
	if took := time.Since(began); took > 5*time.Second {
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

// statusOf asks a receiver for something, as somebody else than the browser.
func statusOf(t *testing.T, address string) int {
	t.Helper()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}
