package streamhttp

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Access is how the server is made to let requests in. Its methods may be called at the
// same time.
type Access interface {
	// Token returns the token that goes with a request, or an empty one, and which one it
	// is. It may wait.
	Token(ctx context.Context) (token string, generation uint64)

	// Refused takes a response to a request that was not let in. It may wait for a person,
	// for Patience at most, and returns early when ctx is done.
	Refused(ctx context.Context, r Refusal) Verdict
	Patience() time.Duration
}

// A Refusal is a response of the status 401 or 403.
type Refusal struct {
	Status     int
	Header     http.Header
	Generation uint64 // of the token that was sent
	Admission  mcpwire.Admission

	// Quiet says that nobody is to be asked for anything on account of this request.
	Quiet bool
}

// A Verdict is what came of a [Refusal]: the request would be let in now, after Admission,
// or it fails for Cause. The zero Verdict is none: the response stands for itself.
type Verdict struct {
	Again     bool
	Admission mcpwire.Admission
	Cause     mcpwire.Cause
	After     mcpwire.Cause // see [mcpwire.Failure]
}

// authorize adds the token of the request, if there is one (U15).
func (x *exchange) authorize(h http.Header) error {
	if x.c.o.Access == nil {
		return nil
	}
	var token string
	token, x.generation = x.c.o.Access.Token(x.ctx)
	switch {
	case x.ctx.Err() != nil:
		return x.ctx.Err()
	case token == "":
		return nil
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errToken
	}
	h[authorization] = []string{"Bearer " + token}
	return nil
}

// refused sees to a request that was not let in. It returns nil for any other response. A
// body that answers the request does so only where nothing else is to be said of it than
// that it is forbidden.
func (x *exchange) refused(r Receiver, res *response) *mcpwire.Failure {
	if !x.isShut(res) {
		return nil
	}
	f := x.refusal(r, res)
	res.close()
	if !x.isQuiet() {
		r.Extend(x.id, x.c.o.Access.Patience())
	}
	v := x.appeal(res)
	f.Cause, f.After, f.Again, f.Admission = v.Cause, v.After, v.Again, v.Admission
	if f.Cause != "" && f.Cause != mcpwire.CauseUpstreamForbidden {
		f.Message = nil
	}
	return f
}

// isShut reports whether the request was not let in, and something may come of that.
func (x *exchange) isShut(res *response) bool {
	return x.c.o.Access != nil && (res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden)
}

// appeal shows a response to whoever may have the request let in.
func (x *exchange) appeal(res *response) Verdict {
	x.note(func(r *reach) { *r = reach{} }) // nothing of it has run
	return x.c.o.Access.Refused(x.ctx, Refusal{
		Status: res.StatusCode, Header: res.Header, Generation: x.generation, Admission: x.admission, Quiet: x.isQuiet(),
	})
}

// isQuiet reports whether the request is one that nobody waits for: then nobody is asked
// for anything on account of it.
func (x *exchange) isQuiet() bool {
	return x.method() == methodListen || x.older != nil && (x.older.isStream() || x.older.quiet)
}

// methodListen is the method of the request that nobody waits for.
const methodListen = "subscriptions/listen"
