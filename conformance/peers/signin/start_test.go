package signin

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// The start URL is guarded: guesses, other methods and what a browser loads in advance change
// nothing. The first visit leads to the authorization URL and leaves no trace.
//
// req: S13, S14, S17
func TestSignInPeerStart(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	v := who.visitor
	v.Stay = true
	who.uses(v)
	f := who.start()
	_, answer := f.initializing(object{})
	start := who.opened(1)[0].Args[0]
	guess := start[:len(start)-43] + strings.Repeat("A", 43)
	for _, tt := range []struct {
		name, method, address string
		header                http.Header
		status                int
	}{
		{"wrong token", "GET", guess, nil, http.StatusNotFound},
		{"part of the token", "GET", start[:len(start)-1], nil, http.StatusNotFound},
		{"wrong token, other method", "POST", guess, nil, http.StatusNotFound},
		{"other method", "POST", start, nil, http.StatusBadRequest},
		{"head", "HEAD", start, nil, http.StatusBadRequest},
		{"in advance", "GET", start, http.Header{"Sec-Purpose": {"prefetch;prerender"}}, http.StatusServiceUnavailable},
		{"as a picture", "GET", start, http.Header{"Sec-Fetch-Dest": {"image"}}, http.StatusNotFound},
		{"redirect of another", "GET", fmt.Sprintf("http://127.0.0.1:%d/callback?code=x&state=%s", who.port, strings.Repeat("A", 43)), nil, http.StatusBadRequest},
		{"redirect by another method", "POST", fmt.Sprintf("http://127.0.0.1:%d/callback?code=x", who.port), nil, http.StatusBadRequest},
		{"something else", "GET", fmt.Sprintf("http://127.0.0.1:%d/favicon.ico", who.port), nil, http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := visitOf(t, tt.method, tt.address, tt.header).StatusCode; got != tt.status {
				t.Errorf("status %d, want %d", got, tt.status)
			}
		})
	}
	first := visitOf(t, "GET", start, nil)
	if got, want := first.Header.Get("Location"), f.shown(); first.StatusCode != http.StatusSeeOther || got != want {
		t.Errorf("status %d, to %s, want %s", first.StatusCode, got, want)
	}
	if first.Header.Get("Cache-Control") != "no-store" || first.Header.Get("Referrer-Policy") != "no-referrer" || first.ContentLength != 0 {
		t.Errorf("header %v", first.Header)
	}
	who.visits(first.Header.Get("Location"))
	if r := answer(); r.Error != nil {
		t.Errorf("initialize: %+v", r.Error)
	}
	f.close()
	p.wants(t, 0, 1, 0, 1)
}

// A start URL that is opened once more while the bridge asks for the token changes nothing any
// more, but the log has a warning.
//
// req: S16
func TestSignInPeerStartLate(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	p.do("hold", nil, nil)
	f := who.start()
	_, answer := f.initializing(object{})
	start := who.opened(1)[0].Args[0]
	if got := visitOf(t, "GET", start, nil).StatusCode; got != http.StatusGone {
		t.Errorf("status %d, want %d", got, http.StatusGone)
	}
	p.do("release", nil, nil)
	if r := answer(); r.Error != nil {
		t.Errorf("initialize: %+v", r.Error)
	}
	f.close()
	if log := f.log.String(); strings.Count(log, "the start URL was requested again after the sign-in") != 1 {
		t.Errorf("no warning:\n%s", log)
	}
	p.wants(t, 0, 1, 0, 1)
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
	if status := visitOf(t, "GET", fmt.Sprintf("http://127.0.0.1:%d/start/%s", who.port, strings.Repeat("A", 43)), nil).StatusCode; status != http.StatusNotFound {
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

// visitOf asks a receiver for something, as somebody else than the browser.
func visitOf(t *testing.T, method, address string, header http.Header) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		request.Header = header
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return response
}
