package streamhttp

import (
	"context"
	"crypto/tls"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// An exchange is one request, and the response to it.
type exchange struct {
	c       *Client
	id      mcpwire.Exchange
	headers mcpwire.Headers
	body    *body  // nil for a request that has none
	older   *older // what it has beside that at a server of an older revision; else nil

	admission  mcpwire.Admission
	generation uint64 // of the token that was sent last

	ctx    context.Context
	cancel context.CancelCauseFunc

	mu      sync.Mutex // guards the fields below; its holder may be inside the door
	over    bool       // the session wants nothing of it any more
	handing bool       // its goroutine hands something over
	reach   reach
}

func newExchange(c *Client, f *mcpwire.Frame, o *older) *exchange {
	x := &exchange{c: c, id: f.Exchange, headers: f.Headers, admission: f.Admission, older: o}
	x.body = newBody(f, func(size int) { c.waiting.Add(-int64(size)) })
	x.ctx, x.cancel = context.WithCancelCause(c.ctx)
	return x
}

// finish says that the session wants nothing of the exchange any more. If it says so in
// answer to what the exchange has just handed over, the rest of the response is on its
// way, and the exchange ends by itself.
func (x *exchange) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.over = true
	if !x.handing {
		x.cancel(errOver)
	}
}

func (x *exchange) isOver() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.over
}

// hand hands over by calling f. It reports whether nothing more is wanted.
func (x *exchange) hand(f func()) (over bool) {
	x.mu.Lock()
	if x.over {
		x.mu.Unlock()
		return true
	}
	x.handing = true
	x.mu.Unlock()
	f()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.handing = false
	return x.over
}

// run sends the request and hands over the response. It returns how that has ended, and
// nil if it is over for the session.
func (x *exchange) run(r Receiver) *mcpwire.Failure {
	defer x.cancel(errOver)
	if x.isOver() {
		return nil
	}
	if x.older != nil {
		return x.runOlder(r)
	}
	res, f := x.send()
	if f != nil {
		return f
	}
	defer res.close()
	if f := x.refused(r, res); f != nil {
		return f
	}
	return x.respond(r, res)
}

// send sends the request, to wherever redirects lead it, and waits for the head of the
// response.
func (x *exchange) send() (*response, *mcpwire.Failure) {
	target := x.target()
	for hop := 0; ; hop++ {
		res, f := x.attempt(target)
		if f != nil {
			return nil, f
		}
		next := x.next(target, res, hop)
		if next == nil {
			return res, nil
		}
		res.leave()
		target = next
	}
}

func (x *exchange) target() *url.URL {
	if x.older != nil {
		if to := x.older.endpoint(); to != nil {
			return to
		}
	}
	return x.c.o.URL()
}

// A response is what came for one attempt.
type response struct {
	*http.Response
	end context.CancelFunc // makes reads of the body fail
}

// attempt sends the request to target and waits for the head of the response.
func (x *exchange) attempt(target *url.URL) (*response, *mcpwire.Failure) {
	ctx, end := context.WithCancel(x.ctx)
	res, err := x.roundTrip(ctx, end, target)
	if err != nil {
		end()
		x.mu.Lock()
		defer x.mu.Unlock()
		return nil, x.reach.failure(err)
	}
	if x.c.cookies != nil {
		x.c.cookies.set(time.Now(), target, res)
	}
	return &response{res, end}, nil
}

func (x *exchange) roundTrip(ctx context.Context, end func(), target *url.URL) (*http.Response, error) {
	h := maps.Clone(x.c.headers())
	if err := x.authorize(h); err != nil { // which may wait
		return nil, err
	}
	x.addTo(h, target)
	n := x.c.o.Network
	proxied := n.isProxied(target)
	x.begin(proxied)
	connected := halt.After(n.connect, end)
	defer connected()
	// There is no GetBody: nothing is sent again here, where nobody knows whether it has run.
	req := &http.Request{Method: http.MethodPost, URL: target, Host: target.Host, Header: h}
	if x.older != nil && x.older.verb != "" {
		req.Method = x.older.verb
	} else {
		req.Body, req.ContentLength = x.body.reader(), int64(x.body.size)
	}
	trace := x.trace(ctx, func(c net.Conn) {
		connected()
		n.met(c, proxied)
	})
	return n.RoundTrip(req.WithContext(trace))
}

// addTo adds the headers of the request itself.
func (x *exchange) addTo(h http.Header, target *url.URL) {
	for _, own := range x.headers {
		h[own.Name] = []string{own.Value}
	}
	if x.older != nil {
		x.older.addTo(h)
	}
	if x.c.cookies == nil {
		return
	}
	if v := x.c.cookies.header(time.Now(), target); v != "" {
		h[cookieName] = []string{v}
	}
}

// begin starts an attempt. What was sent in an earlier one stays so.
func (x *exchange) begin(proxied bool) {
	x.note(func(r *reach) { *r = reach{proxied: proxied, earlier: r.connected || r.earlier} })
}

// note takes note of how far the attempt has come.
func (x *exchange) note(change func(r *reach)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change(&x.reach)
}

// trace takes note of how far the attempt comes, and calls connected once it has a
// connection.
func (x *exchange) trace(ctx context.Context, connected func(net.Conn)) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			connected(got.Conn)
			x.note(func(r *reach) { r.got(got.Conn) })
		},
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if isRefusal(err) {
				x.note(func(r *reach) { r.insecure = true })
				x.c.distrust(err)
			}
		},
		WroteHeaders: func() { x.note(func(r *reach) { r.wroteHead = true }) },
	})
}

// method returns the method of the request.
func (x *exchange) method() string {
	for _, h := range x.headers {
		if strings.EqualFold(h.Name, "Mcp-Method") {
			return h.Value
		}
	}
	return ""
}
