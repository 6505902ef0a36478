package streamhttp

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Why an exchange was ended from this side.
var (
	errOver  = errors.New("streamhttp: the exchange is over")
	errIdle  = errors.New("streamhttp: the stream is silent")
	errToken = errors.New("streamhttp: the token cannot be sent")
)

// A reach is how far an attempt has come.
type reach struct {
	proxied   bool  // by way of a proxy
	insecure  bool  // one side has refused the other in the handshake
	connected bool  // there was a connection
	shared    bool  // that is one of HTTP/2
	conn      *conn // that connection
	before    int64 // bytes that were written to it earlier
	wroteHead bool
	earlier   bool // an earlier attempt has reached the server
}

// got takes note of the connection of the attempt.
func (r *reach) got(c net.Conn) {
	r.connected = true
	if t, ok := c.(*tls.Conn); ok {
		r.shared = t.ConnectionState().NegotiatedProtocol == "h2"
		c = t.NetConn()
	}
	if r.conn, _ = c.(*conn); r.conn != nil {
		r.before = r.conn.written.Load()
	}
}

// isSent reports whether the server may have read some of the request, which has ended by
// err (U10).
func (r *reach) isSent(err error) bool {
	switch {
	case r.earlier:
		return true
	case !r.connected:
		return false
	case r.shared || r.conn == nil:
		return r.wroteHead && !isUnread(err)
	}
	return r.conn.written.Load() > r.before
}

// isUnread reports whether err says that a server of HTTP/2 has not looked at a request:
// it has refused the stream, or has closed the connection for what came after others. The
// package net/http tells that only by a text, in which nothing of the server stands; if
// the text were another one, the request would count as sent.
func isUnread(err error) bool {
	rest, ok := strings.CutPrefix(err.Error(), "http2: Transport: cannot retry err [")
	return ok && (strings.HasPrefix(rest, "http2: Transport received Server's graceful shutdown GOAWAY]") ||
		strings.HasPrefix(rest, "stream error: ") && strings.Contains(rest, "; REFUSED_STREAM; received from peer]"))
}

// failure classifies err, which came instead of a response.
func (r *reach) failure(err error) *mcpwire.Failure {
	f := &mcpwire.Failure{Cause: mcpwire.CauseNetwork, Sent: r.isSent(err)}
	switch {
	case errors.Is(err, errToken):
		f.Cause = mcpwire.CauseInvalidToken
	case r.connected:
	case r.insecure:
		f.Cause = mcpwire.CauseTLS
	case r.proxied:
		f.Cause = mcpwire.CauseProxy
	}
	return f
}

// isRefusal reports whether err, of a handshake, is about what one of its sides has said,
// and not about the way between them.
func isRefusal(err error) bool {
	_, network := errors.AsType[net.Error](err)
	op, isOp := errors.AsType[*net.OpError](err)
	switch {
	case isOp && op.Op == "remote error": // an alert
		return true
	case network, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return false
	}
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, net.ErrClosed)
}

// broken classifies err, which came where a response should go on.
func broken(ctx context.Context, err error) *mcpwire.Failure {
	f := &mcpwire.Failure{Cause: mcpwire.CauseUpstreamClosed, Sent: true}
	switch n, isNet := errors.AsType[net.Error](err); {
	case context.Cause(ctx) == errIdle:
		f.Cause = mcpwire.CauseTimeout
	case isNet && n.Timeout(): // the connection is dead
		f.Cause = mcpwire.CauseNetwork
	}
	return f
}

// retryAfter reads what a server says about when to come again: seconds, or a date.
func retryAfter(now time.Time, h http.Header) time.Duration {
	text := h.Get("Retry-After")
	var d time.Duration
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) { // which gives the most
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
