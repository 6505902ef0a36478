package signin

import (
	"net/netip"
	"net/url"
	"testing"
)

// The server must not send the bridge to where it is not itself.
//
// req: S18
func TestAddressPolicy(t *testing.T) {
	const public, private, loopback, forbidden = "93.184.215.14", "10.1.2.3", "127.0.0.1", "169.254.169.254"
	for _, tt := range []struct {
		name, to                                     string
		byPublic, byPrivate, byLoopback, byHostnamed bool // allowed
	}{
		{"public", "8.8.8.8", true, true, true, true},
		{"public, version 6", "2606:4700::1111", true, true, true, true},
		{"10/8", "10.0.0.1", false, true, true, true},
		{"172.16/12", "172.31.255.255", false, true, true, true},
		{"beside 172.16/12", "172.32.0.0", true, true, true, true},
		{"192.168/16", "192.168.0.1", false, true, true, true},
		{"of a provider", "100.64.0.1", false, true, true, true},
		{"unique local", "fd00::1", false, true, true, true},
		{"site-local", "fec0::1", false, true, true, true},
		{"benchmark", "198.18.0.1", false, true, true, true},
		{"loopback", "127.9.9.9", false, false, true, true},
		{"loopback, version 6", "::1", false, false, true, true},
		{"loopback, mapped", "::ffff:127.0.0.1", false, false, true, true},
		{"private, mapped", "::ffff:10.0.0.1", false, true, true, true},
		{"private, translated", "64:ff9b::a00:1", false, true, true, true},
		{"public, translated", "64:ff9b::808:808", true, true, true, true},
		{"private, by 6to4", "2002:a00:1::1", false, true, true, true},
		{"metadata of a cloud", forbidden, false, false, false, false},
		{"metadata of a cloud, mapped", "::ffff:169.254.169.254", false, false, false, false},
		{"metadata of a cloud, translated", "64:ff9b::a9fe:a9fe", false, false, false, false},
		{"link-local, version 6", "fe80::1%eth0", false, false, false, false},
		{"multicast", "224.0.0.1", false, false, false, false},
		{"multicast, version 6", "ff02::1", false, false, false, false},
		{"unspecified", "0.0.0.0", false, false, false, false},
		{"unspecified, version 6", "::", false, false, false, false},
		{"this network", "0.1.2.3", false, false, false, false},
		{"embedded", "::a00:1", false, false, false, false},
		{"broadcast", "255.255.255.255", false, false, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, by := range []struct {
				server, host string
				want         bool
			}{
				{public, "as.example", tt.byPublic}, {private, "as.example", tt.byPrivate}, {loopback, "as.example", tt.byLoopback},
				{forbidden, "as.example", tt.byPublic}, {public, "AS.intranet.example", tt.byHostnamed}, {public, "x.as.intranet.example", tt.byPublic},
			} {
				p := AddressPolicy{PrivateHosts: []string{"as.intranet.example"}, Server: func() netip.Addr { return netip.MustParseAddr(by.server) }}
				if got := p.Check(by.host, netip.MustParseAddr(tt.to)) == nil; got != by.want {
					t.Errorf("server at %s, host %s: allowed = %v, want %v", by.server, by.host, got, by.want)
				}
			}
		})
	}
}

// Behind a proxy nobody knows where the server is, but for what its URL says.
//
// req: S18
func TestAddressPolicyByURL(t *testing.T) {
	for _, tt := range []struct {
		server, target string
		want           bool
	}{
		{"https://mcp.example/", "https://10.0.0.1/", false},
		{"https://mcp.example/", "https://[::1]/", false},
		{"https://mcp.example/", "https://localhost/", false},
		{"https://mcp.example/", "https://a.LOCALHOST/", false},
		{"https://mcp.example/", "https://as.example/", true},
		{"https://mcp.example/", "https://as.example./", true},
		{"https://mcp.example/", "https://localhost./", false},
		{"https://mcp.example/", "https://10.0.0.1./", false},
		{"https://mcp.example/", "https://2852039166/", false}, // 169.254.169.254, as a proxy may read it
		{"https://mcp.example/", "https://0xA9FEA9FE/", false},
		{"https://mcp.example/", "https://127.1/", false},
		{"https://mcp.example/", "https://0251.0376.0251.0376/", false},
		{"https://mcp.example/", "https://169.254.43518./", false},
		{"https://mcp.example/", "https://8.8.8.8/", true},
		{"https://mcp.example/", "https://as.3example/", true},
		{"http://localhost/", "https://127.1/", false},
		{"https://10.0.0.2/", "https://10.0.0.1/", true},
		{"https://10.0.0.2/", "https://127.0.0.1/", false},
		{"http://localhost/", "https://127.0.0.1/", true},
		{"http://127.0.0.1/", "https://169.254.1.1/", false},
	} {
		server, _ := url.Parse(tt.server)
		target, _ := url.Parse(tt.target)
		p := AddressPolicy{URL: server, Server: func() netip.Addr { return netip.Addr{} }}
		if got := p.checkURL(target) == nil; got != tt.want {
			t.Errorf("server %s: %s allowed = %v, want %v", tt.server, tt.target, got, tt.want)
		}
	}
}
