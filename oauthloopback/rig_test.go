package oauthloopback

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience bounds waits for real connections and processes; nothing takes that
// long.
const patience = 30 * time.Second

const (
	testState = "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	testCode  = "SplxlOBeZQQYbYS6WxSbIA"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

// config is a good one, on a port of the system's choice.
func config() Config {
	return Config{State: NewSecret(testState), AppName: "Test App"}
}

// listen returns a receiver that is closed at the end of the test.
func listen(t *testing.T, c Config) *Receiver {
	t.Helper()
	r, err := Listen(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// authQuery is the query of a good authorization URL for r.
func authQuery(r *Receiver) url.Values {
	return url.Values{
		"response_type": {"code"}, "client_id": {"client"}, "state": {testState}, "redirect_uri": {r.RedirectURI()},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"},
	}
}

func goodURL(t *testing.T, r *Receiver) AuthURL {
	t.Helper()
	u, err := r.AuthURL("https://as.example/authorize?" + authQuery(r).Encode())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// started returns the request target of the start URL of r, and its authorization
// URL.
func started(t *testing.T, r *Receiver) (target string, u AuthURL) {
	t.Helper()
	u = goodURL(t, r)
	s, err := r.Start(u)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(s.Raw(), "http://"+r.host), u
}

// An answer is what came back on one connection until it was closed.
type answer struct {
	status int
	header http.Header
	body   string
}

// dial opens a connection to r.
func dial(t *testing.T, r *Receiver) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp4", r.host, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return c
}

// send sends raw bytes on a connection of their own and reads to the end.
func send(t *testing.T, r *Receiver, raw string) answer {
	t.Helper()
	c := dial(t, r)
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	return receive(t, c, strings.HasPrefix(raw, "HEAD "))
}

// receive reads one answer, and holds it to what is true of every answer.
func receive(t *testing.T, c net.Conn, bodiless bool) answer {
	t.Helper()
	defer c.Close()
	all, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		return answer{}
	}
	head, body, _ := strings.Cut(string(all), "\r\n\r\n")
	line, fields, _ := strings.Cut(head+"\r\n\r\n", "\r\n")
	header, err := textproto.NewReader(bufio.NewReader(strings.NewReader(fields))).ReadMIMEHeader()
	if err != nil {
		t.Fatalf("%v in %q", err, all)
	}
	a := answer{header: http.Header(header), body: body}
	if _, err := fmt.Sscanf(line, "HTTP/1.1 %d ", &a.status); err != nil {
		t.Fatalf("%v in %q", err, line)
	}
	checkHeader(t, a, bodiless)
	return a
}

// checkHeader wants exactly the fields that answers have.
func checkHeader(t *testing.T, a answer, bodiless bool) {
	t.Helper()
	want := map[string]string{
		"Connection": "close", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin",
		"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"Content-Length":          strconv.Itoa(len(a.body)),
	}
	if a.body != "" || bodiless {
		want["Content-Type"] = "text/html; charset=utf-8"
	}
	if a.status == http.StatusSeeOther {
		want["Location"] = a.header.Get("Location")
	}
	if bodiless {
		want["Content-Length"] = a.header.Get("Content-Length")
	}
	for name, values := range a.header {
		if !slices.Equal(values, []string{want[name]}) {
			t.Errorf("answer %d: %s: %q, want %q", a.status, name, values, want[name])
		}
	}
	if len(a.header) != len(want) {
		t.Errorf("answer %d: %d fields, want %d", a.status, len(a.header), len(want))
	}
}

// request is the head of a request to r as a browser sends it.
func request(r *Receiver, method, target string, fields ...string) string {
	lines := slices.Concat([]string{method + " " + target + " HTTP/1.1", "Host: " + r.host}, fields, []string{"", ""})
	return strings.Join(lines, "\r\n")
}

func get(t *testing.T, r *Receiver, target string, fields ...string) answer {
	t.Helper()
	return send(t, r, request(r, "GET", target, fields...))
}

// Good queries of a redirect.
const (
	codeQuery  = "?code=" + testCode + "&state=" + testState + "&iss=https%3A%2F%2Fas.example"
	errorQuery = "?error=access_denied&error_description=no&state=" + testState
)

// wantAnswer checks status and title of an answer; no title means no body.
func wantAnswer(t *testing.T, got answer, status int, title string) {
	t.Helper()
	if got.status != status {
		t.Errorf("status %d, want %d", got.status, status)
	}
	if title == "" && got.body != "" || title != "" && !strings.Contains(got.body, "<h1>"+title+"</h1>") {
		t.Errorf("body %q, want %q", got.body, title)
	}
}

// The titles of the pages.
const (
	titleDone     = "Response received"
	titleReused   = "Sign-in stopped"
	titleLate     = "Check the account"
	titleOver     = "Sign-in over"
	titleBad      = "Not the expected response"
	titleNotFound = "Nothing here"
	titleRequest  = "Not a request"
	titleMuch     = "Too much"
)

// stillWaits fails the test if the wait of r is over.
func stillWaits(t *testing.T, r *Receiver) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.signIn.phase != waiting {
		t.Errorf("the wait is over: %v", r.signIn.err)
	}
	select {
	case <-r.ended:
		t.Error("whoever waits was woken")
	default:
	}
}

// wait waits for the result of r, which has to be there soon.
func wait(t *testing.T, r *Receiver) (Redirect, error) {
	t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		t.Fatal("the wait does not end")
	}
	return r.Wait(context.Background())
}

// wantReason checks why a wait or a call failed.
func wantReason(t *testing.T, err error, want Reason) {
	t.Helper()
	if e, ok := errors.AsType[*Error](err); !ok || e.Reason != want {
		t.Errorf("error %v, want reason %s", err, want)
	}
}

// wantCode checks that a wait has ended with the code.
func wantCode(t *testing.T, r *Receiver) {
	t.Helper()
	redirect, err := wait(t, r)
	if err != nil || redirect.Code() != testCode {
		t.Errorf("Wait() = %q, %v; want %q", redirect.Code(), err, testCode)
	}
}

// recorded returns a Config whose events can be read.
func recorded() (Config, chan Event) {
	c, events := config(), make(chan Event, 100)
	c.OnEvent = func(e Event) { events <- e }
	return c, events
}

func wantEvent(t *testing.T, events chan Event, want EventKind) Event {
	t.Helper()
	select {
	case e := <-events:
		if e.Kind != want {
			t.Errorf("event %v, want %v", e.Kind, want)
		}
		return e
	case <-time.After(patience):
		t.Fatalf("no event, want %v", want)
		return Event{}
	}
}
