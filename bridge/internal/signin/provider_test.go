package signin

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/tokenvault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A provider is a server that wants a sign-in.
type provider struct{ *signintest.Provider }

type object = signintest.Object

func newProvider(t testing.TB) *provider { return &provider{signintest.New(t)} }

func (p *provider) wantRequests(t testing.TB, want ...string) {
	t.Helper()
	if got := p.Requests(); !slices.Equal(got, want) {
		t.Errorf("requests %q, want %q", got, want)
	}
}

// parsed returns the URL of a path.
func (p *provider) parsed(t testing.TB, path string) *url.URL {
	t.Helper()
	u, err := url.Parse(p.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// web is a client as the bridge makes it.
func (p *provider) web(t testing.TB) web {
	t.Cleanup(p.Client().CloseIdleConnections)
	return web{p.Client()}
}

// discovery finds out who gives tokens for a path of the provider.
func (p *provider) discovery(t testing.TB, path string) *discovery {
	server := p.parsed(t, path)
	return &discovery{
		web: p.web(t), server: server,
		policy: AddressPolicy{URL: server, Server: func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }},
	}
}

// fuzzed is a discovery that asks nobody.
func fuzzed(t testing.TB) *discovery {
	server, err := url.Parse("https://h.example/mcp")
	if err != nil {
		t.Fatal(err)
	}
	return &discovery{server: server, policy: AddressPolicy{URL: server, Server: func() netip.Addr { return netip.Addr{} }}}
}

// newVault keeps records in memory.
func newVault(t testing.TB) *tokenvault.Vault {
	t.Helper()
	v, err := tokenvault.Open(context.Background(), tokenvault.Config{Mode: tokenvault.Memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// contextWith makes a library use a client.
func contextWith(t testing.TB, c *http.Client) context.Context {
	return context.WithValue(t.Context(), oauth2.HTTPClient, c)
}
