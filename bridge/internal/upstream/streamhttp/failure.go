package streamhttp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Why an exchange was ended from this side.
var (
	errOver    = errors.New("streamhttp: the exchange is over")
	errConnect = errors.New("streamhttp: connecting takes too long")
	errIdle    = errors.New("streamhttp: the stream is silent")
	errToken   = errors.New("streamhttp: the token cannot be sent")

	errMayHaveRun = errors.New("streamhttp: the request may have run")
)

// A reach is how far an attempt has come.
type reach struct {
	proxied   bool // by way of a proxy
	connected bool // there was a connection
	insecure  bool // one side has refused the other in the handshake
	sent      bool // the head went out, so that the server may have read the request
}

// failure classifies err, which came instead of a response.
func (r *reach) failure(err error) *mcpwire.Failure {
	f := &mcpwire.Failure{Cause: mcpwire.CauseNetwork, Sent: r.sent}
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
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
