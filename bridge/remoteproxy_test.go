package bridge

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// A tunnel is a proxy that connects to one address, whatever it is asked for.
type tunnel struct {
	addr, to string
	refuses  string // the response, instead of connecting

	mu    sync.Mutex // guards the field below
	heads []*http.Request
}

func newTunnel(t testing.TB, to, refuses string) *tunnel {
	p := &tunnel{to: to, refuses: refuses}
	p.addr = accepting(t, p.serve)
	return p
}

func (p *tunnel) serve(c net.Conn) {
	in := bufio.NewReader(c)
	r, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	p.mu.Lock()
	p.heads = append(p.heads, r)
	p.mu.Unlock()
	if p.refuses != "" {
		io.WriteString(c, p.refuses)
		return
	}
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer server.Close()
	io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		io.Copy(server, in)
		server.Close()
	}()
	io.Copy(c, server)
}

func (p *tunnel) asked() []*http.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heads
}

// A server is reached by way of a proxy that knows its host and port, and of the
// configuration nothing but what its own URL says.
//
// req: U05
func TestU05Proxy(t *testing.T) {
	for _, tt := range []struct {
		name      string
		env       string // ADDR is the address of the proxy
		authority string // that the proxy gets
	}{
		{"HTTPS_PROXY", "HTTPS_PROXY=http://ADDR", ""},
		{"https_proxy", "https_proxy=http://ADDR/", ""},
		{"ALL_PROXY", "ALL_PROXY=http://ADDR", ""},
		{"all_proxy without a scheme", "all_proxy=ADDR", ""},
		{"HTTPS_PROXY first", "ALL_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://ADDR", ""},
		{"user and password", "HTTPS_PROXY=http://user:pass%20word@ADDR", "Basic dXNlcjpwYXNzIHdvcmQ="},
		{"NO_PROXY of another host", "HTTPS_PROXY=http://ADDR NO_PROXY=example.com,other.example", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, true, nil)
			s.TLS.Certificates[0] = s.ca.issue(t, nil, "server.example")
			p := newTunnel(t, s.Listener.Addr().String(), "")
			r := Remote{
				URL: NewSecret("https://server.example/mcp?key=secret"), CA: s.ca.pem,
				Headers: []Header{{"Authorization", NewSecret("Bearer secret")}, {"X-Key", NewSecret("secret")}, {"User-Agent", NewSecret("secret")}},
				Proxy:   strings.Fields(strings.ReplaceAll(tt.env, "ADDR", p.addr)),
			}
			k := bridged(t, Config{Upstream: r}).open()
			k.wantNext()
			k.leaveSite()
			asked := p.asked()
			if len(asked) == 0 {
				t.Fatal("the proxy was not asked")
			}
			h := asked[0]
			if h.Method != "CONNECT" || h.RequestURI != "server.example:443" || h.Header.Get("Proxy-Authorization") != tt.authority {
				t.Errorf("the proxy got %s %s with %v", h.Method, h.RequestURI, h.Header)
			}
			if text := fmt.Sprint(h.RequestURI, h.Header); strings.Contains(text, "secret") {
				t.Errorf("the proxy got %s", text)
			}
			if got := s.queries("echo")[0].Header.Get("Proxy-Authorization"); got != "" {
				t.Errorf("the server got the password of the proxy: %s", got)
			}
		})
	}
}

// A proxy of https is verified as a server is.
//
// req: U05
func TestU05ProxyBehindHTTPS(t *testing.T) {
	s := newSite(t, true, nil)
	s.TLS.Certificates[0] = s.ca.issue(t, nil, "server.example")
	for name, ca := range map[string]*authority{"trusted": s.ca, "not trusted": newAuthority(t)} {
		t.Run(name, func(t *testing.T) {
			p := &tunnel{to: s.Listener.Addr().String()}
			config := &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.1")}}
			p.addr = accepting(t, func(c net.Conn) { p.serve(tls.Server(c, config)) })
			k := bridged(t, Config{Upstream: Remote{URL: NewSecret("https://server.example/"), CA: s.ca.pem, Proxy: []string{"HTTPS_PROXY=https://" + p.addr}}})
			k.send(initialize)
			want := map[bool]string{true: `"protocolVersion":"2025-11-25"`, false: `"data":{"cause":"tls"}`}[ca == s.ca]
			if got := k.receive(); !strings.Contains(got, want) {
				t.Errorf("got %.300q, want it to hold %q", got, want)
			}
			k.leaveSite()
			if n := len(p.asked()); n > 0 != (ca == s.ca) {
				t.Errorf("the proxy was asked %d times", n)
			}
		})
	}
}

// req: U05
func TestU05NoProxy(t *testing.T) {
	s := newSite(t, true, nil)
	for name, env := range map[string][]string{
		"this machine":          {"HTTPS_PROXY=http://127.0.0.1:9", "ALL_PROXY=http://127.0.0.1:9"},
		"variable of http":      {"HTTP_PROXY=http://127.0.0.1:9", "http_proxy=http://127.0.0.1:9"},
		"empty":                 {"HTTPS_PROXY=", "ALL_PROXY="},
		"everything is excused": {"HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=*"},
	} {
		t.Run(name, func(t *testing.T) {
			r := s.remote()
			r.Proxy = env
			k := bridged(t, Config{Upstream: r}).open()
			k.wantNext()
			k.leaveSite()
		})
	}
}

// A proxy that does not connect is told from a server that does not answer, and what it
// says is not repeated.
//
// req: U05, U02
func TestU05ProxyThatDoesNotConnect(t *testing.T) {
	for _, tt := range []struct{ name, refuses string }{
		{"forbidden", "HTTP/1.1 403 s3cret\r\nContent-Length: 6\r\n\r\ns3cret"},
		{"wants a password", "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"s3cret\"\r\n\r\n"},
		{"bad gateway", "HTTP/1.1 502 Bad Gateway\r\n\r\n"},
		{"redirect", "HTTP/1.1 302 Found\r\nLocation: https://s3cret/\r\n\r\n"},
		{"no HTTP", "s3cret\r\n\r\n"},
		{"closes", "\x00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newTunnel(t, "", tt.refuses)
			k := bridged(t, Config{Upstream: Remote{URL: NewSecret("https://s3cret.example/"), Proxy: []string{"HTTPS_PROXY=http://s3cret:s3cret@" + p.addr}}})
			for range 2 { // the next one asks again
				k.send(initialize)
				if got := k.receive(); !strings.Contains(got, `"data":{"cause":"proxy"}`) || strings.Contains(got, "s3cret") {
					t.Errorf("got %.300q, want cause proxy", got)
				}
			}
			k.leaveSite()
			if len(p.asked()) != 2 {
				t.Errorf("the proxy was asked %d times, want twice", len(p.asked()))
			}
			if got := k.log.String(); strings.Contains(got, "s3cret") {
				t.Errorf("log:\n%s", got)
			}
		})
	}
}

// req: U05, P12
func TestU05ProxiesOfOtherSchemes(t *testing.T) {
	for _, value := range []string{"socks5://s3cret:1", "socks5h://s3cret", "ftp://s3cret", "https://", "http://[s3cret", "http://s3cret:port", "://s3cret", "http://s3cret:0"} {
		for _, variable := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
			err := CheckProxy([]string{"A=b", variable + "=" + value})
			if err == nil || !strings.Contains(err.Error(), variable) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("CheckProxy(%s=%s) = %v, want an error that names the variable", variable, value, err)
			}
		}
	}
}
