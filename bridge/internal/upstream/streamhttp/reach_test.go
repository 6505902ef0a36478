package streamhttp

import (
	"errors"
	"net/url"
	"testing"
)

// Whether a server may have read some of a request.
//
// req: U10
func TestU10Reach(t *testing.T) {
	wrote := func(n int64) *conn {
		c := &conn{}
		c.written.Store(n)
		return c
	}
	other := errors.New("EOF")
	refused := errors.New("http2: Transport: cannot retry err [stream error: stream ID 3; REFUSED_STREAM; received from peer] after Request.Body was written; define Request.GetBody to avoid this error")
	for _, tt := range []struct {
		name string
		r    reach
		err  error
		want bool
	}{
		{"no connection", reach{}, other, false},
		{"no connection, after a redirect", reach{earlier: true}, other, true},
		{"a connection, and nothing written", reach{connected: true, wroteHead: true, conn: wrote(7), before: 7}, other, false},
		{"a byte written", reach{connected: true, conn: wrote(8), before: 7}, other, true},
		{"a connection that is not ours", reach{connected: true, wroteHead: true}, other, true},
		{"HTTP/2, before the head", reach{connected: true, shared: true, conn: wrote(8)}, other, false},
		{"HTTP/2, behind the head", reach{connected: true, shared: true, wroteHead: true, conn: wrote(8)}, other, true},
		{"HTTP/2, refused", reach{connected: true, shared: true, wroteHead: true, conn: wrote(8)}, refused, false},
		{"HTTP/1.1 does not say that", reach{connected: true, wroteHead: true, conn: wrote(8)}, refused, true},
		{"HTTP/2, refused after a redirect", reach{connected: true, shared: true, wroteHead: true, earlier: true}, refused, true},
	} {
		if got := tt.r.isSent(tt.err); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

// Which servers are reached by a proxy, and by which.
//
// req: U05
func TestU05ParseProxy(t *testing.T) {
	const proxy = "http://proxy.example:3128"
	for _, tt := range []struct {
		env  []string
		url  string
		want string
	}{
		{nil, "https://example.com/", ""},
		{[]string{"HTTPS_PROXY=" + proxy}, "https://example.com/", proxy},
		{[]string{"HTTPS_PROXY=" + proxy}, "https://10.0.0.1:8443/", proxy},
		{[]string{"HTTPS_PROXY=proxy.example:3128"}, "https://example.com/", proxy},
		{[]string{"HTTPS_PROXY=a.example", "HTTPS_PROXY=" + proxy}, "https://example.com/", proxy},
		{[]string{"ALL_PROXY=" + proxy}, "http://localhost/", ""},
		{[]string{"ALL_PROXY=" + proxy}, "http://127.0.0.1/", ""},
		{[]string{"ALL_PROXY=" + proxy}, "http://a.localhost/", ""},
		{[]string{"ALL_PROXY=" + proxy}, "https://a.localhost/", ""},
		{[]string{"ALL_PROXY=" + proxy}, "https://127.0.0.2/", ""},
		{[]string{"ALL_PROXY=" + proxy}, "https://[::1]/", ""},
		{[]string{"HTTP_PROXY=" + proxy}, "https://example.com/", ""},
		{[]string{"ALL_PROXY=" + proxy, "NO_PROXY=example.com"}, "https://a.example.com/", ""},
		{[]string{"ALL_PROXY=" + proxy, "no_proxy=.example.com:8443"}, "https://a.example.com:8443/", ""},
		{[]string{"ALL_PROXY=" + proxy, "NO_PROXY=10.0.0.0/8"}, "https://10.1.2.3/", ""},
		{[]string{"ALL_PROXY=" + proxy, "NO_PROXY=10.0.0.0/8"}, "https://11.1.2.3/", proxy},
	} {
		find, err := ParseProxy(tt.env)
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(tt.url)
		p, err := find(u)
		got := ""
		if p != nil {
			got = p.String()
		}
		if err != nil || got != tt.want {
			t.Errorf("%v: %s is reached by %q, %v, want %q", tt.env, tt.url, got, err, tt.want)
		}
	}
}
