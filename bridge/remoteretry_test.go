package bridge

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// A frames site is a server of HTTP/2 of which every frame is in the hands of the test.
// answer says what a request gets: the first and later ones of a tool.
type framesSite struct {
	ca     *authority
	addr   string
	answer func(f *http2.Framer, q *query, stream uint32, time int)

	mu   sync.Mutex // guards the field below
	seen map[string]int
}

func newFramesSite(t testing.TB, answer func(f *http2.Framer, q *query, stream uint32, time int)) *framesSite {
	s := &framesSite{ca: newAuthority(t), answer: answer, seen: make(map[string]int)}
	config := &tls.Config{Certificates: []tls.Certificate{s.ca.issue(t, nil, "127.0.0.1")}, NextProtos: []string{"h2"}}
	s.addr = accepting(t, func(c net.Conn) { s.serve(tls.Server(c, config)) })
	return s
}

func (s *framesSite) remote() Remote {
	return Remote{URL: NewSecret("https://" + s.addr + "/mcp"), CA: s.ca.pem}
}

func (s *framesSite) serve(c net.Conn) {
	if _, err := io.ReadFull(c, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	f := http2.NewFramer(c, c)
	f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	f.WriteSettings()
	requests := make(map[uint32]*query)
	bodies := make(map[uint32]*bytes.Buffer)
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				f.WriteSettingsAck()
			}
		case *http2.PingFrame:
			f.WritePing(true, frame.Data)
		case *http2.MetaHeadersFrame:
			q := &query{Request: &http.Request{}}
			for _, h := range frame.Fields {
				switch h.Name {
				case "mcp-method":
					q.method = h.Value
				case "mcp-name":
					q.name = h.Value
				}
			}
			requests[frame.StreamID], bodies[frame.StreamID] = q, &bytes.Buffer{}
		case *http2.DataFrame:
			bodies[frame.StreamID].Write(frame.Data())
			if frame.StreamEnded() {
				q := requests[frame.StreamID]
				q.body = bodies[frame.StreamID].String()
				q.id = requestID(q.body)
				s.answer(f, q, frame.StreamID, s.saw(q.name))
			}
		}
	}
}

func (s *framesSite) saw(tool string) (time int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[tool]++
	return s.seen[tool]
}

func (s *framesSite) count(tool string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[tool]
}

// writeAnswer answers in frames.
func writeAnswer(f *http2.Framer, q *query, stream uint32) {
	var head bytes.Buffer
	e := hpack.NewEncoder(&head)
	e.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	e.WriteField(hpack.HeaderField{Name: "content-type", Value: "application/json"})
	f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head.Bytes(), EndHeaders: true})
	f.WriteData(stream, true, []byte(answerTo(q)))
}

// Over HTTP/2 a request is sent again only if the server says that it has not looked at
// it.
//
// req: U10
func TestU10HTTP2(t *testing.T) {
	reset := func(code http2.ErrCode) func(*http2.Framer, uint32) {
		return func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, code) }
	}
	goAway := func(below bool, code http2.ErrCode) func(*http2.Framer, uint32) {
		return func(f *http2.Framer, stream uint32) {
			last := stream
			if below {
				last -= 2
			}
			f.WriteGoAway(last, code, []byte("s3cret"))
			if !below {
				f.WriteRSTStream(stream, http2.ErrCodeInternal)
			}
		}
	}
	for _, tt := range []struct {
		name  string
		first func(f *http2.Framer, stream uint32)
		again bool
	}{
		{"stream that is refused", reset(http2.ErrCodeRefusedStream), true},
		{"connection that goes before the request", goAway(true, http2.ErrCodeNo), true},
		{"connection that goes behind the request", goAway(false, http2.ErrCodeNo), false},
		{"stream that is broken", reset(http2.ErrCodeProtocol), false},
		{"stream that is cancelled", reset(http2.ErrCodeCancel), false},
		{"stream that has failed", reset(http2.ErrCodeInternal), false},
		{"stream that asks for HTTP/1.1", reset(http2.ErrCodeHTTP11Required), false},
		{"stream that asks for calm", reset(http2.ErrCodeEnhanceYourCalm), false},
		{"stream that ends without an error", reset(http2.ErrCodeNo), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFramesSite(t, func(f *http2.Framer, q *query, stream uint32, time int) {
				if q.name == "fault" && time == 1 {
					tt.first(f, stream)
					return
				}
				writeAnswer(f, q, stream)
			})
			k := bridged(t, Config{Upstream: s.remote()}).open()
			k.wantNext()
			k.call("fault", `{}`)
			got, sent := k.receive(), s.count("fault")
			if again := sent == 2 && strings.Contains(got, "done"); again != tt.again || !again && sent != 1 {
				t.Errorf("got %.200q after %d requests; sent again: want %t", got, sent, tt.again)
			}
			if !tt.again && !strings.Contains(got, `"data":{"cause":"network"}`) {
				t.Errorf("got %.200q, want cause network", got)
			}
			k.wantNext()
			k.leaveSite()
		})
	}
}

// Over HTTP/1.1 nothing is sent again of which a byte may have been read, whatever the
// connection does, and whatever headers the configuration has.
//
// req: U10
func TestU10HTTP1(t *testing.T) {
	for name, f := range map[string]func(c net.Conn, in *bufio.Reader, q *query){
		"closes":      func(net.Conn, *bufio.Reader, *query) {},
		"resets":      func(c net.Conn, _ *bufio.Reader, _ *query) { c.(*net.TCPConn).SetLinger(0) },
		"half a head": func(c net.Conn, _ *bufio.Reader, _ *query) { io.WriteString(c, "HTTP/1.1 200 OK\r\nA") },
		"no HTTP":     func(c net.Conn, _ *bufio.Reader, _ *query) { io.WriteString(c, "what?\r\n\r\n") },
		"unread":      func(net.Conn, *bufio.Reader, *query) {},
		"switches": func(c net.Conn, _ *bufio.Reader, _ *query) {
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
		},
		"request time out": func(c net.Conn, _ *bufio.Reader, _ *query) {
			io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newRawSite(t, map[string]func(net.Conn, *bufio.Reader, *query){"tools/call" + name: f})
			r := s.remote()
			r.Headers = []Header{{"Idempotency-Key", NewSecret("k")}, {"X-Idempotency-Key", NewSecret("k")}}
			k := bridged(t, Config{Upstream: r}).open()
			for range 3 {
				k.wantNext() // so that the connection is one that was used
				before := s.count("tools/call" + name)
				k.call(name, `{}`)
				got := k.receive()
				if sent := s.count("tools/call"+name) - before; sent != 1 || !strings.Contains(got, `"error"`) {
					t.Errorf("got %.200q after %d requests, want an error after one", got, sent)
				}
			}
			k.wantNext()
			k.leaveSite()
		})
	}
}

// A server that is away fails the requests of that time; when it is back, the next one
// works, and what was sent before is not sent again.
//
// req: U02, U10
func TestU02ServerThatRestarts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{}
	serve := func(l net.Listener) *http.Server {
		server := &http.Server{Handler: s, ErrorLog: quiet}
		go server.Serve(l)
		return server
	}
	server := serve(l)
	k := bridged(t, Config{Upstream: Remote{URL: NewSecret("http://" + l.Addr().String() + "/")}}).open()
	for range 3 {
		k.wantNext()
		server.Close()
		k.call("away", `{}`)
		if got := k.receive(); !strings.Contains(got, `"data":{"cause":"network"}`) {
			t.Errorf("got %.200q, want cause network", got)
		}
		l, err = listenAgain(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		server = serve(l)
	}
	k.wantNext()
	k.leaveSite()
	server.Close()
	if n := len(s.queries("away")); n != 0 {
		t.Errorf("%d requests that had an error were sent later", n)
	}
}

// listenAgain listens where somebody has just stopped to.
func listenAgain(addr string) (l net.Listener, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if l, err = net.Listen("tcp", addr); !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	return l, err
}
