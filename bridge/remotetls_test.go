package bridge

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Nobody is trusted who is not vouched for by the system or by the certificates of the
// configuration, and initialize says so.
//
// req: U05, P11
func TestT103Certificates(t *testing.T) {
	ca := newAuthority(t)
	old := func(c *x509.Certificate) { c.NotBefore, c.NotAfter = time.Unix(0, 0), time.Unix(1e9, 0) }
	client := func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }
	for _, tt := range []struct {
		name    string
		config  *tls.Config
		trusted []byte
		log     string // what a person is told; empty: there is nothing
		works   bool
	}{
		{"private authority", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.1")}}, ca.pem, "", true},
		{"unknown authority", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.1")}}, nil, "comes from an authority that is not trusted", false},
		{"another private authority", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.1")}}, newAuthority(t).pem, "comes from an authority that is not trusted", false},
		{"another name", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.2", "localhost")}}, ca.pem, "is for another host", false},
		{"expired", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, old, "127.0.0.1")}}, ca.pem, "has expired", false},
		{"certificate of a client", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, client, "127.0.0.1")}}, ca.pem, "is not valid", false},
		{"old protocol", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.1")}, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}, ca.pem, "", false},
		{"certificate of the client wanted", &tls.Config{Certificates: []tls.Certificate{ca.issue(t, nil, "127.0.0.1")}, ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, ca.pem, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var reached atomic.Bool
			s := &site{}
			s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				reached.Store(true)
				s.ServeHTTP(w, r)
			}))
			s.TLS, s.Config.ErrorLog = tt.config, quiet
			s.StartTLS()
			defer s.Close()
			k := bridged(t, Config{Upstream: Remote{URL: NewSecret(s.URL), CA: tt.trusted}})
			k.send(initialize)
			got := k.receive()
			if tt.works {
				if !strings.Contains(got, `"result"`) {
					t.Errorf("got %.300q, want a result\nlog: %s", got, k.log)
				}
			} else {
				if !strings.Contains(got, `"message":"The connection to the server is not secure.","data":{"cause":"tls"}`) || reached.Load() {
					t.Errorf("got %.300q, want cause tls; reached: %t\nlog: %s", got, reached.Load(), k.log)
				}
			}
			k.leaveSite()
			if !tt.works {
				k.wantLog("cannot initialize: The connection to the server is not secure.")
			}
			if tt.log != "" {
				k.wantLog("WARN the certificate of the server " + tt.log)
				k.wantLog(`issuer="authority of a test"`)
			}
		})
	}
}

// Something else than a server of https is no matter of trust in it.
//
// req: U05
func TestT103NoHandshake(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		serve      func(c net.Conn)
	}{
		{"plain HTTP", `"cause":"tls"`, func(c net.Conn) { c.Read(make([]byte, 1000)); c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }},
		{"closes at once", `"cause":"network"`, func(net.Conn) {}},
		{"closes in the handshake", `"cause":"network"`, func(c net.Conn) { c.Read(make([]byte, 1000)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr := accepting(t, tt.serve)
			k := bridged(t, Config{Upstream: Remote{URL: NewSecret("https://" + addr + "/")}})
			k.send(initialize)
			if got := k.receive(); !strings.Contains(got, tt.want) {
				t.Errorf("got %.300q, want it to hold %q", got, tt.want)
			}
			k.leaveSite()
		})
	}
}

// accepting serves each connection in a goroutine, closes it then, and returns where.
func accepting(t testing.TB, serve func(c net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return l.Addr().String()
}
