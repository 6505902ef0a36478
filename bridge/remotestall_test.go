package bridge

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A raw site is a server of which every byte is in the hands of the test: faults says by
// the name of a tool what happens instead of an answer. It is reached over http on this
// machine.
type rawSite struct {
	addr   string
	faults map[string]func(c net.Conn, in *bufio.Reader, q *query)

	mu    sync.Mutex // guards the fields below
	conns []net.Conn // that were accepted
	seen  []string   // methods and tools
}

func newRawSite(t testing.TB, faults map[string]func(c net.Conn, in *bufio.Reader, q *query)) *rawSite {
	s := &rawSite{faults: faults}
	s.addr = accepting(t, s.serve)
	t.Cleanup(func() { // those that are left
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, c := range s.conns {
			c.Close()
		}
	})
	return s
}

func (s *rawSite) remote() Remote { return Remote{URL: NewSecret("http://" + s.addr + "/mcp")} }

func (s *rawSite) serve(c net.Conn) {
	s.mu.Lock()
	s.conns = append(s.conns, c)
	s.mu.Unlock()
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		q := &query{Request: r, method: r.Header.Get("Mcp-Method"), name: r.Header.Get("Mcp-Name")}
		s.mu.Lock()
		s.seen = append(s.seen, q.method+q.name)
		s.mu.Unlock()
		f := s.faults[q.method+q.name]
		if f != nil && strings.HasSuffix(q.name, "unread") {
			f(c, in, q)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		q.id = requestID(string(body))
		if f != nil {
			f(c, in, q)
			return
		}
		writeRaw(c, "application/json", answerTo(q))
	}
}

func (s *rawSite) count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, w := range s.seen {
		if w == what {
			n++
		}
	}
	return n
}

// requestID returns the id of a request of the bridge.
func requestID(body string) string {
	_, rest, _ := strings.Cut(body, `"id":`)
	id, _, _ := strings.Cut(rest, ",")
	return id
}

func answerTo(q *query) string {
	if q.method == "server/discover" {
		return result(q.id, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{}},"ttlMs":0,"cacheScope":"private"`)
	}
	if q.method == "tools/list" {
		return result(q.id, `"tools":[],"ttlMs":0,"cacheScope":"private"`)
	}
	return result(q.id, text("done"))
}

func writeRaw(w io.Writer, media, body string) {
	fmt.Fprintf(w, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", media, len(body), body)
}

// until returns when the other side has closed c.
func until(c net.Conn) { io.Copy(io.Discard, c) }

// A server that stalls is waited for as long as the request may take; then its connection
// is closed, and the next request works.
//
// req: U02, U09
func TestT206Stalls(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n"
	stall := func(begin string) func(net.Conn, *bufio.Reader, *query) {
		return func(c net.Conn, in *bufio.Reader, q *query) {
			io.WriteString(c, strings.ReplaceAll(begin, "ID", q.id))
			io.Copy(io.Discard, in)
		}
	}
	drip := func(begin, drop string) func(net.Conn, *bufio.Reader, *query) {
		return func(c net.Conn, in *bufio.Reader, q *query) {
			io.WriteString(c, begin)
			for {
				if _, err := io.WriteString(c, drop); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}
	}
	for name, f := range map[string]func(net.Conn, *bufio.Reader, *query){
		"before the head":          stall(""),
		"in the status line":       stall("HTTP/1.1 20"),
		"in the head":              stall(fmt.Sprintf(head, "application/json")),
		"before the body":          stall(fmt.Sprintf(head, "application/json") + "Content-Length: 100\r\n\r\n"),
		"in the body":              stall(fmt.Sprintf(head, "application/json") + "Content-Length: 1000\r\n\r\n{\"jsonrpc\""),
		"in a chunk":               stall(fmt.Sprintf(head, "application/json") + "Transfer-Encoding: chunked\r\n\r\n10\r\n{"),
		"in a stream":              stall(fmt.Sprintf(head, "text/event-stream") + "\r\n: hello\n\n"),
		"in an event":              stall(fmt.Sprintf(head, "text/event-stream") + "\r\ndata: {"),
		"in the body of an error":  stall("HTTP/1.1 500 Oh\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"),
		"comments for ever":        drip(fmt.Sprintf(head, "text/event-stream")+"\r\n", ": there\n\n"),
		"white space for ever":     drip(fmt.Sprintf(head, "application/json")+"\r\n", " "),
		"provisional answers":      drip("", "HTTP/1.1 103 Early Hints\r\n\r\n"),
		"progress for ever":        drip(fmt.Sprintf(head, "text/event-stream")+"\r\n", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"),
		"a head that goes on":      drip(fmt.Sprintf(head, "application/json"), "X-More: x\r\n"),
		"a field that goes on":     drip(fmt.Sprintf(head, "text/event-stream")+"\r\n", "xxxxxxxx"),
		"a comment that goes on":   drip(fmt.Sprintf(head, "text/event-stream")+"\r\n:", "xxxxxxxx"),
		"a body that nobody wants": drip("HTTP/1.1 500 Oh\r\n\r\n", "x"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newRawSite(t, map[string]func(net.Conn, *bufio.Reader, *query){"prompts/list": f})
			// List requests have the limit, so that calls, which must work, have none.
			k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Limits: mcpwire.Limits{List: 200 * time.Millisecond}}}).open()
			k.send(`{"jsonrpc":"2.0","id":"l","method":"prompts/list"}`)
			got := k.receive()
			switch name {
			case "a body that nobody wants": // is not waited for
				if !strings.Contains(got, `"cause":"http_status","status":500`) {
					t.Errorf("got %.300q", got)
				}
			case "a head that goes on", "provisional answers": // may be too long first
				if !strings.Contains(got, `"cause":"timeout"`) && !strings.Contains(got, `"cause":"network"`) {
					t.Errorf("got %.300q", got)
				}
			default:
				if !strings.Contains(got, `"cause":"timeout"`) {
					t.Errorf("got %.300q, want cause timeout", got)
				}
			}
			k.wantNext()
			k.leaveSite()
			if n := s.count("prompts/list"); n != 1 {
				t.Errorf("the request was sent %d times, want once", n)
			}
		})
	}
}

// A connection that is not made in time fails the request.
//
// req: U02, U05, X05
func TestT206ConnectTimeout(t *testing.T) {
	addr := accepting(t, func(c net.Conn) { until(c) }) // the handshake gets no answer
	r := Remote{URL: NewSecret("https://" + addr + "/"), Connect: 100 * time.Millisecond}
	k := bridged(t, Config{Upstream: r})
	for range 2 {
		k.send(initialize)
		if got := k.receive(); !strings.Contains(got, `"data":{"cause":"network"}`) {
			t.Errorf("got %.300q, want cause network", got)
		}
	}
	k.leaveSite()
	r.URL, r.Proxy = NewSecret("https://server.example/"), []string{"HTTPS_PROXY=" + addr}
	k = bridged(t, Config{Upstream: r})
	k.send(initialize)
	if got := k.receive(); !strings.Contains(got, `"data":{"cause":"proxy"}`) {
		t.Errorf("got %.300q, want cause proxy", got)
	}
	k.leaveSite()
}

// Whatever state a request is in, the end of the session ends it at once: the grace is
// for answers, and a request that was cancelled gets none.
//
// req: P02
func TestT21EndWhileServersStall(t *testing.T) {
	addr := accepting(t, func(c net.Conn) { until(c) })
	for _, url := range []string{"https://" + addr + "/", "http://" + addr + "/"} {
		k := bridged(t, Config{Upstream: Remote{URL: NewSecret(url)}, Limits: Limits{Grace: patience / 2}})
		k.send(initialize)
		begun := time.Now()
		k.leaveSite()
		if took := time.Since(begun); took > patience/3 {
			t.Errorf("the end took %v", took)
		}
	}
}

// A request that the client cancels has its connection closed, in every phase, and one
// that was not sent yet never is.
//
// req: W13
func TestT150CancelledByClosing(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	hang := func(begin string) func(net.Conn, *bufio.Reader, *query) {
		return func(c net.Conn, in *bufio.Reader, _ *query) {
			io.WriteString(c, begin)
			begun <- struct{}{}
			io.Copy(io.Discard, in)
			ended <- struct{}{}
		}
	}
	phases := map[string]func(net.Conn, *bufio.Reader, *query){
		"head":   hang(""),
		"body":   hang("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"),
		"stream": hang("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hello\n\n"),
		"unread": func(c net.Conn, in *bufio.Reader, _ *query) { // a body that the server does not read
			begun <- struct{}{}
			time.Sleep(10 * time.Millisecond)
			until(c)
			ended <- struct{}{}
		},
	}
	faults := make(map[string]func(net.Conn, *bufio.Reader, *query))
	for name, f := range phases {
		faults["tools/call"+name] = f
	}
	s := newRawSite(t, faults)
	k := bridged(t, Config{Upstream: s.remote()}).open()
	for name := range phases {
		t.Run(name, func(t *testing.T) {
			k.t = t
			id := k.call(name, `{"a":"`+strings.Repeat("x", 10<<20)+`"}`)
			<-begun
			k.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
			select {
			case <-ended:
			case <-time.After(patience):
				t.Fatal("the connection stays open")
			}
			k.wantNext()
		})
	}
	k.t = t
	k.leaveSite()
}
