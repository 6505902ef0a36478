package streamhttp

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// An older is what an exchange with a server of a revision before 2026-07-28 has beside
// the rest (L10).
type older struct {
	session *session
	opens   bool     // the request opens the session
	verb    string   // empty: POST
	stream  bool     // it belongs to no request
	quiet   bool     // it is a notification
	before  *message // goes first; nil: nothing does
	ears    *ears    // are to be open first; nil: there are none

	lastID string        // of the events so far: the stream can go on behind that one
	retry  time.Duration // that the server wants to be left alone for before
	pause  pause
	broken bool // the stream has ended, and not for what was in it
}

// olderOf returns that of a message, or nil if it is one of 2026-07-28. The caller holds
// the lock.
func (c *Client) olderOf(f *mcpwire.Frame) *older {
	switch {
	case f.Opens:
		c.newSession()
		return &older{session: c.session, opens: true}
	case isModern(f):
		return nil
	case len(f.Headers) > 0:
		c.session.version = f.Headers
	default: // a cancellation does not say it
		f.Headers = c.session.version
	}
	c.session.initialized = true
	return &older{session: c.session, before: c.session.last, ears: c.session.ears, quiet: f.Exchange == 0 && !isResponse(f)}
}

func isModern(f *mcpwire.Frame) bool {
	for _, h := range f.Headers {
		if h.Name == methodHeader {
			return true
		}
	}
	return false
}

// isResponse reports whether a frame answers what the server has asked.
func isResponse(f *mcpwire.Frame) bool {
	m, err := f.Msg, error(nil)
	if m == nil {
		m, err = jsonrpc.Parse(f.Lit, nil)
	}
	return err == nil && m.Kind == jsonrpc.KindResponse
}

// isStream reports whether the exchange is a stream that nobody waits for.
func (o *older) isStream() bool { return o.stream && o.session.sse == nil }

// isSent reports whether the server may have read some of the request. One that it did not
// let in was not sent.
func (x *exchange) isSent() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.reach.connected || x.reach.earlier
}

// addTo adds the headers of the session, and those of a stream.
func (o *older) addTo(h http.Header) {
	if o.verb != "" {
		delete(h, contentType)
	}
	if o.verb == http.MethodGet {
		h["Accept"] = []string{eventsType}
	}
	if id := o.session.named(); id != nil {
		h[sessionHeader] = []string{id()}
	}
	if o.lastID != "" {
		h[lastEventHeader] = []string{o.lastID}
	}
}

// endpoint returns where messages are sent, if that is not the URL of the server.
func (o *older) endpoint() *url.URL {
	if o.session.sse == nil || o.verb != "" {
		return nil
	}
	return o.session.sse.endpoint
}

// reader says how what the server sends is read.
func (x *exchange) reader() *jsonrpc.ReaderOptions {
	if x.older == nil {
		return x.c.o.Reader
	}
	return x.c.batches
}

// runOlder is run for an older server.
func (x *exchange) runOlder(r Receiver) *mcpwire.Failure {
	o := x.older
	switch {
	case o.stream && o.session.sse != nil:
		o.session.sse.run(r)
		return nil
	case o.stream:
		x.keepStream(r)
		return nil
	case !o.before.wait(x.ctx, x.admission), !o.ears.wait(x.ctx):
		return nil
	case o.session.sse != nil:
		return x.runSSE(r)
	}
	res, f := x.send()
	if f != nil {
		return f
	}
	defer res.close()
	if f = x.refused(r, res); f == nil {
		f = x.answered(r, res)
	}
	if f != nil {
		f.InSession = !o.opens && o.session.named() != nil && !o.broken
	}
	return f
}

// answered hands over a response, and what comes of its stream when that is opened again.
func (x *exchange) answered(r Receiver, res *response) *mcpwire.Failure {
	o := x.older
	if o.opens && res.StatusCode == http.StatusOK && !o.session.adopt(res.Header) {
		res.leave()
		return &mcpwire.Failure{Cause: mcpwire.CauseInvalidUpstreamMessage, Status: res.StatusCode, Sent: true}
	}
	f := x.respond(r, res)
	if f == nil || !o.broken {
		return f
	}
	res.close()
	return x.resume(r, f)
}

// ended takes note of how the stream of the exchange can go on.
func (x *exchange) ended(stream *jsonrpc.EventReader) {
	if x.older == nil {
		return
	}
	o := x.older
	o.broken = true
	if id := stream.LastID(); isHeaderText(id) {
		o.lastID = cmp.Or(id, o.lastID)
	}
	if d := stream.Retry(); d > 0 {
		o.retry = min(max(d, leastRetry), maxRetryAfter)
		o.pause.asked()
	}
}

// isHeaderText reports whether a header can hold text.
func isHeaderText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F })
}
