package oauthloopback

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// These tests, and those of the other files with rows, are named after the rows of the table in the README.

// req: S09
func TestRow1HeadTooLarge(t *testing.T) {
	r := listen(t, config())
	sized := func(size int) string {
		head := request(r, "GET", "/", "X: ")
		return strings.Replace(head, "X: ", "X: "+strings.Repeat("x", size-len(head)), 1)
	}
	for _, tt := range []struct {
		name         string
		size, status int
	}{
		{"one byte less", 16384 - 1, 404}, {"as large as may be", 16384, 404}, {"one byte more", 16384 + 1, 431},
		{"four times", 4 * 16384, 431},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := send(t, r, sized(tt.size))
			if got.status != tt.status {
				t.Errorf("a head of %d bytes: status %d, want %d", tt.size, got.status, tt.status)
			}
			if tt.status == 431 {
				wantAnswer(t, got, 431, titleMuch)
			}
		})
	}
	stillWaits(t, r)
}

// A target of its own length counts like a field, and a head that goes on for ever is
// answered before its end.
//
// req: S09
func TestRow1HeadWithoutEnd(t *testing.T) {
	r := listen(t, config())
	c := dial(t, r)
	io.WriteString(c, "GET /"+strings.Repeat("a", 16384))
	wantAnswer(t, receive(t, c, false), 431, titleMuch)
	stillWaits(t, r)
}

// req: S09
func TestRow2HeadNotComplete(t *testing.T) {
	r := listen(t, config())
	for _, part := range []string{"", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: " + r.host + "\r\n", request(r, "GET", "/callback"+codeQuery)[:60]} {
		c := dial(t, r)
		io.WriteString(c, part)
		c.(interface{ CloseWrite() error }).CloseWrite()
		if all, err := io.ReadAll(c); err != nil || len(all) > 0 {
			t.Errorf("%q: got %q, %v; want a silent end", part, all, err)
		}
	}
	stillWaits(t, r)
}

// req: S09
func TestRow3NotHTTP(t *testing.T) {
	r := listen(t, config())
	for name, raw := range map[string]string{
		"no words":                 "hello\r\n\r\n",
		"two words":                "GET /\r\n\r\n",
		"control characters":       "GET /\x01 HTTP/1.1\r\nHost: " + r.host + "\r\n\r\n",
		"host twice":               request(r, "GET", "/callback"+codeQuery, "Host: "+r.host),
		"hello of TLS, no line":    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"preface of HTTP/2":        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"another version":          "GET /callback" + codeQuery + " HTTP/2.0\r\nHost: " + r.host + "\r\n\r\n",
		"field without a colon":    "GET / HTTP/1.1\r\nHost " + r.host + "\r\n\r\n",
		"blank before the colon":   "GET / HTTP/1.1\r\nHost : " + r.host + "\r\n\r\n",
		"empty line first":         "\r\n" + request(r, "GET", "/"),
		"bad transfer encoding":    request(r, "GET", "/callback"+codeQuery, "Transfer-Encoding: odd"),
		"two lengths":              request(r, "GET", "/callback"+codeQuery, "Content-Length: 1", "Content-Length: 2"),
		"a target without a slash": request(r, "GET", "callback"+codeQuery),
	} {
		t.Run(name, func(t *testing.T) { wantAnswer(t, send(t, r, raw), 400, titleRequest) })
	}
	stillWaits(t, r)
}

// A page whose host name was made to lead here has another Host than ours.
//
// req: S08
func TestRow4AnotherHost(t *testing.T) {
	r := listen(t, config())
	port := r.host[strings.IndexByte(r.host, ':'):]
	raw := map[string]string{
		"none":                         "GET /callback" + codeQuery + " HTTP/1.1\r\n\r\n",
		"HTTP/1.0":                     "GET /callback" + codeQuery + " HTTP/1.0\r\n\r\n",
		"absolute form":                request(r, "GET", "http://"+r.host+"/callback"+codeQuery),
		"absolute form without a host": request(r, "GET", "http:///callback"+codeQuery),
		"absolute form of a file":      request(r, "GET", "file:/callback"+codeQuery),
		"CONNECT":                      request(r, "CONNECT", r.host),
		"CONNECT to a path":            request(r, "CONNECT", "/"),
	}
	for name, host := range map[string]string{
		"empty": "", "localhost": "localhost" + port, "no port": "127.0.0.1", "another port": "127.0.0.1:1", "IPv6": "[::1]" + port,
		"a name that leads here": "evil.example" + port, "a dot behind": "127.0.0.1." + port, "another spelling": "127.1" + port,
	} {
		raw[name] = "GET /callback" + codeQuery + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
	}
	for name, raw := range raw {
		t.Run(name, func(t *testing.T) { wantAnswer(t, send(t, r, raw), 400, titleRequest) })
	}
	stillWaits(t, r)
}

// req: S08
func TestRow4aPartOfAPage(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	for _, destination := range []string{"iframe", "image", "empty", "script", "Document", ""} {
		for _, target := range []string{"/callback" + codeQuery, start} {
			wantAnswer(t, get(t, r, target, "Sec-Fetch-Dest: "+destination), 404, titleNotFound)
		}
	}
	wantAnswer(t, get(t, r, start, "Sec-Fetch-Dest: document", "sec-fetch-dest: image"), 404, titleNotFound)
	stillWaits(t, r)
	wantAnswer(t, get(t, r, "/callback"+codeQuery, "Sec-Fetch-Dest: document"), 200, titleDone)
}

// req: S08
func TestRow20AnythingElse(t *testing.T) {
	r := listen(t, config())
	started(t, r)
	for _, target := range []string{
		"/", "/favicon.ico", "/%63allback" + codeQuery, "//callback" + codeQuery, "/callback/" + codeQuery, "/./callback" + codeQuery,
		"/Callback" + codeQuery, "/callback%3F" + codeQuery[1:], "/callback;x" + codeQuery, "/start", "/st%61rt/x", "/.well-known/oauth-authorization-server",
	} {
		wantAnswer(t, get(t, r, target), 404, titleNotFound)
		wantAnswer(t, send(t, r, request(r, "POST", target)), 404, titleNotFound)
	}
	wantAnswer(t, send(t, r, request(r, "OPTIONS", "*")), 404, titleNotFound)
	if got := send(t, r, request(r, "HEAD", "/")); got.status != 404 || got.body != "" {
		t.Errorf("HEAD: %d with %d bytes, want 404 without a body", got.status, len(got.body))
	}
	stillWaits(t, r)
}

// Nothing of a request stands in what is answered, but for the one redirect.
//
// req: S09
func TestNothingIsEchoed(t *testing.T) {
	r := listen(t, config())
	const mark = "zQmarkQz"
	for _, raw := range []string{
		request(r, "GET", "/"+mark, "X-"+mark+": "+mark), request(r, mark, "/"), request(r, "GET", "/callback?state="+mark+"&code="+mark),
		"GET / HTTP/1.1\r\nHost: " + mark + "\r\n\r\n", mark + "\r\n\r\n", request(r, "GET", "/start/"+mark),
		request(r, "GET", "/callback?error=access_denied&error_description="+mark+"&state="+testState),
		request(r, "GET", "/callback?code="+mark+"&state="+testState),
	} {
		got := send(t, r, raw)
		if strings.Contains(got.body, mark) || got.status == 0 {
			t.Errorf("%q is answered with %q", raw, got.body)
		}
		for name, values := range got.header {
			if strings.Contains(name+strings.Join(values, ""), mark) {
				t.Errorf("%q is answered with %s: %q", raw, name, values)
			}
		}
	}
}

// Port 80 is left out of the Host field.
func TestPort80(t *testing.T) {
	r := &Receiver{host: "127.0.0.1:80"}
	for host, want := range map[string]bool{"127.0.0.1": true, "127.0.0.1:80": true, "127.0.0.1:": false, "localhost": false} {
		head := &http.Request{RequestURI: "/", Host: host}
		if got := r.named(head); got != want {
			t.Errorf("Host %s: %v, want %v", host, got, want)
		}
	}
}

// A response that cannot be read does not hold up the result.
func TestReaderOfNothing(t *testing.T) {
	r := listen(t, config())
	c := dial(t, r)
	io.WriteString(c, request(r, "GET", "/callback"+codeQuery))
	start := time.Now()
	wantCode(t, r)
	if took := time.Since(start); took > patience {
		t.Errorf("it took %v", took)
	}
}
