package streamhttp

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// What a sign-in asks goes by way of the same proxy and the same trust, follows no
// redirect, and carries no cookie and no header of the configuration.
//
// req: U05, U07, U12
func TestU05ClientOfASignIn(t *testing.T) {
	var asked atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header["Cookie"])+len(r.Header["Authorization"]) > 0 || len(r.Header) > 3 { // those that net/http sets
			t.Errorf("headers %v", r.Header)
		}
		w.Header().Set("Set-Cookie", "a=b; Path=/")
		switch r.URL.Path {
		case "/307":
			w.Header().Set("Location", "/moved")
			w.WriteHeader(307)
		case "/302":
			http.Redirect(w, r, "/moved", http.StatusFound)
		}
	}))
	s.StartTLS()
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != "example.com:443" {
			t.Errorf("the proxy got %s %s", r.Method, r.Host)
		}
		asked.Add(1)
		there, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		here, in, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			io.Copy(there, in)
			there.Close()
		}()
		io.Copy(here, there)
		here.Close()
	}))
	defer proxy.Close()
	by, err := ParseProxy([]string{"HTTPS_PROXY=" + proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	n := NewNetwork(NetworkOptions{Roots: roots, Proxy: by, Connect: time.Minute})
	defer n.Close()
	c := n.SignInClient(func(host string, _ netip.Addr) error {
		t.Errorf("address of %s checked, which the proxy connects to", host)
		return nil
	})
	for _, path := range []string{"/", "/307", "/302", "/"} {
		res, err := c.Post("https://example.com"+path, "text/plain", nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if want := map[string]int{"/307": 307, "/302": 302, "/": 200}[path]; res.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, res.StatusCode, want)
		}
	}
	if asked.Load() == 0 {
		t.Error("the proxy was not asked")
	}
	c.CloseIdleConnections()
}

// A connection of HTTP/2 on which nothing is answered any more, a ping neither, is found.
//
// req: U09
func TestU09DeadConnectionOfHTTP2(t *testing.T) {
	l, roots := listenTLS(t)
	served := make(chan struct{})
	go func() {
		defer close(served)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		http2.NewFramer(c, nil).WriteSettings()
		io.Copy(io.Discard, c) // and that is all
	}()
	n := NewNetwork(NetworkOptions{Roots: roots, Connect: time.Minute})
	defer n.Close()
	if n.transport.HTTP2.SendPingTimeout != pingAfter || n.transport.HTTP2.PingTimeout != pingAnswer {
		t.Errorf("pings: %+v", n.transport.HTTP2)
	}
	n.transport.HTTP2.SendPingTimeout, n.transport.HTTP2.PingTimeout = 20*time.Millisecond, 20*time.Millisecond
	u, _ := url.Parse("https://" + l.Addr().String() + "/")
	req := &http.Request{Method: "POST", URL: u, Host: "example.com", Header: http.Header{}, Body: io.NopCloser(strings.NewReader("x")), ContentLength: 1}
	if res, err := n.transport.RoundTrip(req); err == nil {
		t.Errorf("status %d, want an error", res.StatusCode)
	}
	<-served
}

// After Close nothing is connected any more, and what is being connected ends.
func TestNetworkThatIsClosed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	n := NewNetwork(NetworkOptions{Connect: time.Hour})
	u := "https://" + l.Addr().String() + "/"
	failed := make(chan error)
	go func() {
		_, err := n.SignInClient(anywhere).Get(u) // the handshake gets no answer
		failed <- err
	}()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(c).ReadByte()
	n.Close()
	if err := <-failed; err == nil {
		t.Error("no error of what was being connected")
	}
	c.Close()
	if _, err := n.SignInClient(anywhere).Get(u); err == nil {
		t.Error("no error after Close")
	}
	n.Close()
}

// A connection on which a server speaks another protocol is closed at once, for requests
// of a sign-in too: nothing would end a read of it.
func TestOtherProtocolIsNotRead(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		// A response that comes before its request is none.
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nwords")
		io.Copy(io.Discard, c)
	}()
	n := NewNetwork(NetworkOptions{Connect: time.Minute})
	defer n.Close()
	res, err := n.SignInClient(anywhere).Get("http://" + l.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(res.Body); res.StatusCode != http.StatusSwitchingProtocols || len(text) > 0 || err != nil {
		t.Errorf("status %d, body %q, %v, want 101 and nothing", res.StatusCode, text, err)
	}
	<-closed
}

// A response over HTTP/2 that is not read takes little memory, and however many of them
// there are, they leave the connection to those that are.
func TestHTTP2ResponsesThatWait(t *testing.T) {
	l, roots := listenTLS(t)
	window, connection := make(chan uint32, 1), make(chan uint32, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		in := bufio.NewReader(c)
		in.Discard(len(http2.ClientPreface))
		for framer := http2.NewFramer(c, in); ; {
			f, err := framer.ReadFrame()
			switch f := f.(type) {
			case *http2.SettingsFrame:
				v, _ := f.Value(http2.SettingInitialWindowSize)
				window <- v
			case *http2.WindowUpdateFrame:
				connection <- f.Increment + 65535
				return
			}
			if err != nil {
				return
			}
		}
	}()
	n := NewNetwork(NetworkOptions{Roots: roots, Connect: time.Minute})
	defer n.Close()
	if _, err := n.SignInClient(anywhere).Get("https://" + l.Addr().String() + "/"); err == nil {
		t.Error("no error of a server that leaves")
	}
	const most = 257 // requests at a time, and a stream of notifications
	if got, all := <-window, <-connection; got != streamBytes || all < most*got {
		t.Errorf("a stream has a window of %d bytes, the connection one of %d, want %d, and %d times that", got, all, streamBytes, most)
	}
}

// listenTLS starts to listen for HTTP/2, and returns who is to be trusted.
func listenTLS(t *testing.T) (net.Listener, *x509.CertPool) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS() // for its certificate
	s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: s.TLS.Certificates, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, roots
}
