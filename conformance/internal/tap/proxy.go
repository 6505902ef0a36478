package tap

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A Proxy stands between a client and a server over Streamable HTTP, and records the
// messages of both: what is POSTed, and the JSON or the events that answer it. It
// changes nothing but the Host of a request.
//
// Each exchange counts as a process of its own in the record. It ends in the direction
// of the server if the client gave up on it, and else in that of the client.
type Proxy struct {
	origin    *url.URL
	transport *http.Transport
	record    io.Writer
	errs      *log.Logger

	mu        sync.Mutex // guards the fields below
	exchanges []Exchange
	failed    error
}

// An Exchange is what a [Proxy] saw of one request.
type Exchange struct {
	Proto  string // HTTP/1.1 or HTTP/2.0
	Method string
	Path   string
}

// NewProxy returns a Proxy to the origin of a server that appends its records to
// record, and logs its errors to errs.
func NewProxy(origin *url.URL, record io.Writer, errs *log.Logger) *Proxy {
	return &Proxy{origin: origin, transport: &http.Transport{DisableCompression: true}, record: record, errs: errs}
}

// Exchanges returns what was asked so far, and the error of the record, if there was one.
func (p *Proxy) Exchanges() ([]Exchange, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.exchanges), p.failed
}

// CloseIdleConnections closes the connections to the server that are not in use.
func (p *Proxy) CloseIdleConnections() { p.transport.CloseIdleConnections() }

// ServeHTTP passes on one request and its answer.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone, and has asked nothing
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	rec := p.enter(r)
	if r.Method == http.MethodPost {
		p.note(rec.Line(wire.ToServer, body, false))
	}
	exchange := httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(p.origin) },
		Transport:     p.transport,
		FlushInterval: -1,
		ErrorLog:      p.errs,
		ModifyResponse: func(answer *http.Response) error {
			answer.Body = newBody(answer, func(message []byte) { p.note(rec.Line(wire.ToClient, message, false)) },
				func(dir wire.Dir) { p.note(rec.End(dir)) })
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.note(rec.End(endOf(r, err)))
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	exchange.ServeHTTP(w, r)
}

// enter gives the exchange a number and its record.
func (p *Proxy) enter(r *http.Request) *wire.Writer {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exchanges = append(p.exchanges, Exchange{r.Proto, r.Method, r.URL.Path})
	return wire.NewWriter(p.record, len(p.exchanges))
}

func (p *Proxy) note(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = err
	}
}
