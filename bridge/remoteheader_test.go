package bridge

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// Names that belong to the protocol or to the connection are refused, however they are
// written, and so are values that a header cannot hold.
//
// req: P08
func TestP08Headers(t *testing.T) {
	refused := []string{
		"Host", "Connection", "Content-Length", "Transfer-Encoding", "Accept", "Content-Type", "Accept-Encoding", "DPoP",
		"TE", "Trailer", "Upgrade", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Expect", "Cookie2", "Last-Event-ID",
		"Mcp-Method", "Mcp-Name", "Mcp-Param-X", "MCP-Protocol-Version", "Mcp-Session-Id", "mcp-",
	}
	for _, name := range refused {
		for _, written := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			if CheckHeader(Header{written, NewSecret("value")}) == nil {
				t.Errorf("%s is taken", written)
			}
		}
	}
	for _, name := range []string{"", " ", "a b", "a:b", "a\n", "a(b", "\u00E9", "a\x00"} {
		if CheckHeader(Header{name, NewSecret("value")}) == nil {
			t.Errorf("name %q is taken", name)
		}
	}
	for _, value := range []string{"", " ", " s3cret", "s3cret ", "s3cret\n", "s3\rcret", "s3cret\x00", "s3cr\u00E9t", "s3cret\x7F", "\ts3cret", "s3cret\r\nX: y"} {
		err := CheckHeader(Header{"X-Key", NewSecret(value)})
		if err == nil || strings.Contains(err.Error(), "s3") {
			t.Errorf("value %q: %v, want an error without it", value, err)
		}
	}
	for _, name := range []string{"Authorization", "Cookie", "X-Key", "User-Agent", "MCPX", "x_y", "Accept-Language"} {
		if err := CheckHeader(Header{name, NewSecret("a\tb c~!")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A session is not begun with a header that is refused, and the error holds no value.
//
// req: P08, U15
func TestP08RemoteWithRefusedHeaders(t *testing.T) {
	for _, h := range []Header{{"Mcp-Name", NewSecret("s3cret")}, {"X-Key", NewSecret("s3cret\n")}, {"s3cret:", NewSecret("v")}} {
		err := Run(t.Context(), Config{Front: Stdio{In: strings.NewReader(""), Out: &log{}}, Upstream: Remote{URL: NewSecret("https://s3cret/"), Headers: []Header{h}}})
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("Run = %v, want an error without the value", err)
		}
	}
}

// req: P10
func TestP10URLs(t *testing.T) {
	good := []string{
		"https://example.com", "https://example.com/mcp?key=s3cret", "HTTPS://EXAMPLE.com:8443/", "https://[2001:db8::1]/", "https://10.0.0.1/",
		"https://b\u00FCcher.example/", "https://example.com/a%20b",
		"http://localhost/", "http://LOCALHOST:8080", "http://a.localhost/", "http://a.b.localhost:1/", "http://127.0.0.1", "http://127.255.255.254:9/", "http://[::1]:80/",
	}
	bad := []string{
		"", "s3cret", "//s3cret/", "/s3cret", "ftp://s3cret/", "ws://s3cret/", "file:///s3cret", "https:s3cret", "https://", "https:///s3cret", "https://:443/s3cret",
		"https://s3cret@example.com/", "https://user:s3cret@example.com/", "https://@example.com/s3cret", "https://example.com/#s3cret", "https://example.com/s3cret#",
		"https://example.com:s3cret/", "https://example.com:65536/s3cret", "https://example.com:0/s3cret", "https://example.com:/s3cret", "https://example.com:+1/s3cret",
		"https://exa mple.com/s3cret", "https://example.com/s3 cret", "https://example.com\\s3cret", "https://example.com/s3cret\n", "\thttps://example.com/s3cret", "https://example.com/%zz/s3cret",
		"http://example.com/s3cret", "http://10.0.0.1/s3cret", "http://192.168.0.1/s3cret", "http://localhost.example.com/s3cret", "http://.localhost/s3cret", "http://notlocalhost/s3cret",
		"http://127.0.0.1.example.com/s3cret", "http://127.1/s3cret", "http://0x7f.0.0.1/s3cret", "http://2130706433/s3cret", "http://0.0.0.0/s3cret", "http://[::]/s3cret",
		"http://[::ffff:127.0.0.1]/s3cret", "http://[::1%25lo]/s3cret", "http://[::2]/s3cret", "http://localhost./s3cret", "http://128.0.0.1/s3cret",
	}
	for _, u := range good {
		if err := CheckURL(u); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
	for _, u := range bad {
		err := CheckURL(u)
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want an error without it", u, err)
			continue
		}
		run := Run(t.Context(), Config{Front: Stdio{In: strings.NewReader(""), Out: &log{}}, Upstream: Remote{URL: NewSecret(u)}})
		if run == nil || strings.Contains(run.Error(), "s3cret") {
			t.Errorf("Run with %s: %v, want an error without it", u, run)
		}
	}
}

// Names that mean this machine are not looked up: what a name server says of them is of
// no interest.
//
// req: P10
func TestP10LocalNames(t *testing.T) {
	s := &site{}
	s.Server = httptest.NewServer(s)
	defer s.Close()
	_, port, _ := strings.Cut(s.Listener.Addr().String(), ":")
	for _, host := range []string{"localhost", "no-such-name.of-trestle.localhost", "LocalHost"} {
		k := bridged(t, Config{Upstream: Remote{URL: NewSecret("http://" + host + ":" + port + "/mcp")}}).open()
		k.wantNext()
		k.leaveSite()
	}
}

// Each request has these headers and no others.
//
// req: W15, U08
func TestT195Headers(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, http2, nil)
			r := s.remote()
			r.Headers = []Header{{"x-key", NewSecret("one two")}, {"Authorization", NewSecret("Bearer token")}, {"Idempotency-Key", NewSecret("i")}}
			k := bridged(t, Config{Upstream: r}).open()
			k.call("caf\u00E9", `{"a":1}`)
			k.receive()
			k.leaveSite()
			want := map[string]string{
				"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Accept-Encoding": "identity", "User-Agent": "trestle",
				"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover",
				"X-Key": "one two", "Authorization": "Bearer token", "Idempotency-Key": "i",
			}
			discover, call := s.queries("server/discover")[0], s.queries("caf\u00E9")[0]
			want["Content-Length"] = fmt.Sprint(len(discover.body))
			wantHeaders(t, discover, want)
			want["Mcp-Method"], want["Mcp-Name"], want["Content-Length"] = "tools/call", "=?base64?Y2Fmw6k=?=", fmt.Sprint(len(call.body))
			wantHeaders(t, call, want)
		})
	}
}

func wantHeaders(t *testing.T, q *query, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(q.Header)) {
		if got := strings.Join(q.Header[name], " "); got != want[name] {
			t.Errorf("%s: %s is %q, want %q", q.method, name, got, want[name])
		}
	}
	if len(q.Header) != len(want) {
		t.Errorf("%s: headers %v, want %v", q.method, q.Header, want)
	}
	if q.Method != "POST" || q.URL.Path != "/mcp" {
		t.Errorf("%s %s, want POST /mcp", q.Method, q.URL)
	}
}

// A cookie goes back to the origin that has set it, as long as it lives and as far as its
// path reaches; a header of the configuration takes its place.
//
// req: U12
func TestU12Cookies(t *testing.T) {
	set := func(lines ...string) func(http.ResponseWriter, *query) {
		return func(w http.ResponseWriter, q *query) {
			w.Header()["Set-Cookie"] = lines
			sendJSON(w, 200, result(q.id, text("done")))
		}
	}
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("n%d=v", i)
	}
	s := newSite(t, true, map[string]func(http.ResponseWriter, *query){
		"set":     set("lb=machine1; Path=/; Secure; HttpOnly", "here=1; path=/mcp", "elsewhere=1; Path=/other", "prefix=1; Path=/mc", "dir=1"),
		"change":  set("lb=machine2; Path=/", "here=; Path=/mcp; Max-Age=0", "dir=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
		"foreign": set("foreign=1; Domain=example.com", "own=1; Domain=127.0.0.1", "huge="+strings.Repeat("x", 5000), "=nameless", "bad name=1"),
		"refused": func(w http.ResponseWriter, _ *query) {
			w.Header().Set("Set-Cookie", "late=1; Path=/; Max-Age=99999999999")
			w.WriteHeader(503)
		},
		"quoted": set(`q="a b"; Path=/`, "late=; Path=/; Max-Age=0"),
		"many":   set(many...),
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	last := func() string {
		t.Helper()
		k.wantNext()
		q := s.queries("echo")
		return q[len(q)-1].Header.Get("Cookie")
	}
	for _, tt := range []struct{ call, want string }{
		{"echo", ""},
		{"set", "lb=machine1; here=1; dir=1"},
		{"change", "lb=machine2"},
		{"foreign", "lb=machine2; own=1"},
		{"refused", "lb=machine2; own=1; late=1"},
		{"quoted", `lb=machine2; own=1; q="a b"`},
	} {
		k.call(tt.call, `{}`)
		k.receive()
		if got := last(); got != tt.want {
			t.Errorf("after %s: Cookie %q, want %q", tt.call, got, tt.want)
		}
	}
	k.call("many", `{}`)
	k.receive()
	if got := strings.Count(last(), "="); got != 32 {
		t.Errorf("%d cookies are kept, want 32", got)
	}
	k.leaveSite()

	r := s.remote()
	r.Headers = []Header{{"cookie", NewSecret("mine=1")}}
	k = bridged(t, Config{Upstream: r}).open()
	k.call("set", `{}`)
	k.receive()
	if got := last(); got != "mine=1" {
		t.Errorf("Cookie %q, want that of the configuration", got)
	}
	k.leaveSite()
}

// Whatever a Remote lacks is said before anything is begun.
func TestRemoteThatCannotWork(t *testing.T) {
	good := Remote{URL: NewSecret("https://example.com/")}
	for _, tt := range []struct {
		name   string
		change func(r *Remote)
		want   string
	}{
		{"no URL", func(r *Remote) { r.URL = Secret{} }, "bridge: Remote.URL is no URL of https"},
		{"no certificate", func(r *Remote) { r.CA = []byte("s3cret") }, "bridge: Remote.CA holds no certificate in PEM"},
		{"header that is there twice", func(r *Remote) { r.Headers = []Header{{"X-Key", NewSecret("s3cret")}, {"x-key", NewSecret("s3cret")}} }, "bridge: Remote.Headers: one is there twice"},
		{"proxy of another kind", func(r *Remote) { r.Proxy = []string{"ALL_PROXY=socks5://s3cret"} }, "bridge: Remote.Proxy: the variable ALL_PROXY names no proxy of http or https"},
		{"negative response", func(r *Remote) { r.Response = -1 }, "bridge: Remote.Response is not from 0 to 512 MiB"},
		{"long response", func(r *Remote) { r.Response = mostBytes + 1 }, "bridge: Remote.Response is not from 0 to 512 MiB"},
		{"negative time to connect", func(r *Remote) { r.Connect = -1 }, "bridge: Remote.Connect is negative"},
		{"negative silence", func(r *Remote) { r.Idle = -1 }, "bridge: Remote.Idle is negative"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := good
			tt.change(&r)
			if err := Run(t.Context(), Config{Front: Stdio{In: strings.NewReader(""), Out: &log{}}, Upstream: r}); err == nil || err.Error() != tt.want {
				t.Errorf("Run = %v, want %s", err, tt.want)
			}
		})
	}
}
