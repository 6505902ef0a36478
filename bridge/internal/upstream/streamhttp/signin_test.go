package streamhttp

import (
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func anywhere(string, netip.Addr) error { return nil }

// The requests of a sign-in are checked by the address that a connection goes to, each
// of them, and one that is refused sends nothing.
//
// req: S18
func TestAddressOfASignIn(t *testing.T) {
	reached := 0
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	n := NewNetwork(NetworkOptions{Roots: roots, Connect: time.Minute})
	defer n.Close()

	refusal := errors.New("refused")
	var refuse error
	var got []string
	c := n.SignInClient(func(host string, to netip.Addr) error {
		got = append(got, host+" "+to.String())
		return refuse
	})
	ask := func(url string) error {
		res, err := c.Get(url)
		if err == nil {
			res.Body.Close()
		}
		return err
	}
	if err := ask(s.URL); err != nil {
		t.Fatal(err)
	}
	refuse = refusal
	named := strings.Replace(s.URL, "127.0.0.1", "a.localhost", 1)
	for _, url := range []string{s.URL, named} {
		if err := ask(url); !errors.Is(err, refusal) {
			t.Errorf("error %v, want that of the check", err)
		}
	}
	if reached != 1 {
		t.Errorf("the server was reached %d times, want once", reached)
	}
	if want := "127.0.0.1 127.0.0.1, 127.0.0.1 127.0.0.1, a.localhost 127.0.0.1"; !strings.HasPrefix(strings.Join(got, ", "), want) {
		t.Errorf("checked %q, want %q", got, want)
	}
}

// Where a proxy connects, the addresses that stand in URLs are checked.
//
// req: S18
func TestAddressOfASignInByProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the proxy got %s %s", r.Method, r.Host)
	}))
	defer proxy.Close()
	by, err := ParseProxy([]string{"HTTPS_PROXY=" + proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	n := NewNetwork(NetworkOptions{Proxy: by, Connect: time.Minute})
	defer n.Close()
	refusal := errors.New("refused")
	c := n.SignInClient(func(_ string, to netip.Addr) error {
		if to != netip.MustParseAddr("10.1.2.3") {
			t.Errorf("checked %v", to)
		}
		return refusal
	})
	if _, err := c.Get("https://10.1.2.3/token"); !errors.Is(err, refusal) {
		t.Errorf("error %v, want that of the check", err)
	}
}

// What a sign-in may connect to depends on where the server is.
//
// req: S18
func TestWhereTheServerIs(t *testing.T) {
	c, r := connected(t, nil, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	n := c.o.Network
	if got := n.Server(); got.IsValid() {
		t.Errorf("before the first connection Server = %v", got)
	}
	c.send(1)
	<-r.got
	if got, want := n.Server(), netip.MustParseAddr("127.0.0.1"); got != want {
		t.Errorf("Server = %v, want %v", got, want)
	}
}
