package oauthloopback

import (
	"errors"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Whoever has the port, the error says which one, and nothing is taken over.
//
// req: S07
func TestPortInUse(t *testing.T) {
	for name, address := range map[string]string{"the same address": "127.0.0.1:0", "all addresses": "0.0.0.0:0", "all of both protocols": "[::]:0"} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", address)
			if err != nil {
				t.Skip(err)
			}
			defer l.Close()
			c := config()
			c.Port = l.Addr().(*net.TCPAddr).Port
			r, err := Listen(t.Context(), c)
			if err == nil { // some systems give the port to the more exact address
				defer r.Close()
				wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
				if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
					t.Error("Listen succeeds")
				}
				return
			}
			wantPortInUse(t, err, c.Port)
		})
	}
}

func wantPortInUse(t *testing.T, err error, port int) {
	t.Helper()
	wantReason(t, err, ReasonAddressInUse)
	if e, ok := errors.AsType[*Error](err); ok && (e.Port != port || !strings.Contains(e.Error(), strconv.Itoa(port))) {
		t.Errorf("error %v of port %d, want port %d", e, e.Port, port)
	}
}

// req: S07
func TestTwoReceiversOnOnePort(t *testing.T) {
	r := listen(t, config())
	c := config()
	c.Port = r.server.listener.Addr().(*net.TCPAddr).Port
	_, err := Listen(t.Context(), c)
	wantPortInUse(t, err, c.Port)
	for _, address := range []string{"127.0.0.1:", "0.0.0.0:", ":"} {
		if l, err := net.Listen("tcp", address+strconv.Itoa(c.Port)); err == nil {
			l.Close()
			if runtime.GOOS != "darwin" {
				t.Errorf("another program can listen on %s", address)
			}
		}
	}
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
}

// The other protocol's loopback is another address.
//
// req: S07
func TestIPv6ListenerBesides(t *testing.T) {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	c := config()
	c.Port = l.Addr().(*net.TCPAddr).Port
	r, err := Listen(t.Context(), c)
	if err != nil {
		wantPortInUse(t, err, c.Port)
		return
	}
	defer r.Close()
	if want := "http://127.0.0.1:" + strconv.Itoa(c.Port) + "/callback"; r.RedirectURI() != want {
		t.Errorf("RedirectURI() = %q, want %q", r.RedirectURI(), want)
	}
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
}

// req: S07
func TestListensOnLoopbackOnly(t *testing.T) {
	r := listen(t, config())
	address := r.server.listener.Addr().(*net.TCPAddr)
	if !address.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		t.Errorf("listens on %v", address)
	}
	if c, err := net.Dial("tcp6", net.JoinHostPort("::1", strconv.Itoa(address.Port))); err == nil {
		c.Close()
		t.Error("it is reached over IPv6")
	}
}
