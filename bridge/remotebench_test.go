package bridge

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// benchSites are the ways in which a site is reached.
var benchSites = []struct {
	name         string
	https, http2 bool
}{{"http", false, false}, {"https", true, false}, {"http2", true, true}}

// echoSite answers each request at once, as cheaply as it can.
func echoSite(b *testing.B, https, http2 bool) (*httptest.Server, Remote) {
	ca := newAuthority(b)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header()["Content-Type"] = []string{"application/json"}
		io.WriteString(w, answerTo(&query{method: r.Header.Get("Mcp-Method"), id: requestID(string(body))}))
	}))
	s.EnableHTTP2 = http2
	s.Config.ErrorLog = quiet
	if https {
		s.TLS = &tls.Config{Certificates: []tls.Certificate{ca.issue(b, nil, "127.0.0.1")}}
		s.StartTLS()
	} else {
		s.Start()
	}
	b.Cleanup(s.Close)
	return s, Remote{URL: NewSecret(s.URL), CA: ca.pem}
}

// BenchmarkRemoteCall is a call through the bridge to a server at a URL, one after another
// and with 64 in flight.
func BenchmarkRemoteCall(b *testing.B) {
	for _, site := range benchSites {
		for _, flight := range []int{1, 64} {
			b.Run(site.name+"/"+strconv.Itoa(flight), func(b *testing.B) {
				_, r := echoSite(b, site.https, site.http2)
				k := bridged(b, Config{Upstream: r}).open()
				line := callLine(7, "echo", `{"text":"hello"}`)
				b.ReportAllocs()
				b.ResetTimer()
				sent, received := 0, 0
				for received < b.N {
					for ; sent < b.N && sent-received < flight; sent++ {
						k.send(strings.Replace(line, `"id":7`, `"id":`+strconv.Itoa(sent%1000+10), 1))
					}
					if k.receive() == "" {
						b.Fatal("no answer")
					}
					received++
				}
				b.StopTimer()
				k.in.Close()
				k.ended()
			})
		}
	}
}

// BenchmarkBarePost is the same request by net/http alone.
func BenchmarkBarePost(b *testing.B) {
	for _, site := range benchSites {
		b.Run(site.name, func(b *testing.B) {
			s, r := echoSite(b, site.https, site.http2)
			roots := x509.NewCertPool()
			roots.AppendCertsFromPEM(r.CA)
			c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
			defer c.CloseIdleConnections()
			body := []byte(callLine(7, "echo", `{"text":"hello"}`))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				res, err := c.Post(s.URL, "application/json", bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		})
	}
}
