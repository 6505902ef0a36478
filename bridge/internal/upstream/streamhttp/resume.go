package streamhttp

import (
	"net/http"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A fate is what has become of a stream.
type fate uint8

const (
	streamOver   fate = iota // for good
	streamLost               // and may be opened again
	streamBarred             // until somebody signs in
)

// resume goes on with the response of a request whose stream has broken off by f, behind
// the last event that had an id (L10). Nothing is sent again. The time that the request has
// bounds how long it tries.
func (x *exchange) resume(r Receiver, f *mcpwire.Failure) *mcpwire.Failure {
	o := x.older
	o.verb = http.MethodGet
	for what := streamLost; what == streamLost && o.lastID != "" && x.ctx.Err() == nil; {
		if !sleep(x.ctx, o.pause.next(o.retry)) {
			return nil
		}
		x.note(func(r *reach) { r.earlier = true })
		what, f = x.reopen(r)
	}
	if f != nil {
		f.Sent, f.Again = true, false
	}
	return f
}

// reopen asks for a stream by GET and hands over what comes on it.
func (x *exchange) reopen(r Receiver) (fate, *mcpwire.Failure) {
	o := x.older
	o.broken = false
	begun, id := time.Now(), o.lastID
	res, f := x.send()
	if o.isStream() {
		o.ears.opened()
	}
	if f != nil {
		return streamLost, f
	}
	defer res.close()
	switch {
	case x.isShut(res):
		return x.bar(r, res)
	case isBusy(res.StatusCode):
		o.pause.wait(retryAfter(time.Now(), res.Header))
		res.leave()
		return streamLost, &mcpwire.Failure{Status: res.StatusCode}
	case res.StatusCode != http.StatusOK || isEncoded(res) || mediaType(res) != eventsType:
		res.leave()
		return streamOver, &mcpwire.Failure{Cause: mcpwire.CauseUpstreamClosed}
	}
	f = x.events(r, res)
	if time.Since(begun) >= steady || o.lastID != id {
		o.pause.good = true
	}
	if f != nil && (o.broken || o.stream) {
		return streamLost, f
	}
	return streamOver, f
}

// isBusy reports whether a status says to come again later.
func isBusy(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented:
		return false
	}
	return status >= http.StatusInternalServerError
}

// bar takes a response to a GET that was not let in.
func (x *exchange) bar(r Receiver, res *response) (fate, *mcpwire.Failure) {
	res.close()
	if !x.isQuiet() {
		r.Extend(x.id, x.c.o.Access.Patience())
	}
	v := x.appeal(res)
	if v.Again && (x.isQuiet() || v.Admission > x.admission) {
		x.admission = v.Admission
		return streamLost, nil
	}
	return streamBarred, &mcpwire.Failure{Cause: v.Cause, After: v.After, Status: res.StatusCode}
}

// keepStream hands over what an older server says outside of responses, as long as the
// session lasts. A server that has no such stream says so by any status that is not of
// passing trouble.
func (x *exchange) keepStream(r Receiver) {
	defer x.older.ears.opened()
	if !x.older.before.wait(x.ctx, 0) {
		return
	}
	defer halt.After(earsTime, x.older.ears.opened)()
	for x.ctx.Err() == nil {
		signed := x.c.nextSignIn()
		switch what, _ := x.reopen(r); what {
		case streamOver:
			return
		case streamLost:
			r.Flush(false)
			sleep(x.ctx, x.older.pause.next(x.older.retry))
		case streamBarred:
			select {
			case <-signed:
			case <-x.ctx.Done():
			}
		}
	}
}

// nextSignIn returns what is closed with the next sign-in.
func (c *Client) nextSignIn() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.signed
}

// SignedIn says that requests go out with a new token.
func (c *Client) SignedIn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.signed)
	c.signed = make(chan struct{})
}
