package bridge

import (
	"context"
	"errors"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/bridge/internal/signin"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/streamhttp"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// slack is what a sign-in may take beside the user: the requests to find out who to ask, to
// make oneself known there, and for the token. Each of them has a limit that is shorter.
const slack = 2 * time.Minute

// access lets requests in at a server by a sign-in.
type access struct {
	coordinator *signin.Coordinator
	host        string           // of the server
	session     *session.Session // once it has begun
	patience    time.Duration    // for the user, and for the one of another process before

	stop    chan struct{}
	stopped <-chan struct{} // closed when nobody tells the session any more
}

// Patience is how long Refused may take.
func (a *access) Patience() time.Duration { return a.patience }

// Token returns the token of a request.
func (a *access) Token(ctx context.Context) (string, uint64) {
	token, generation := a.coordinator.Token(ctx)
	return token.Expose(), generation
}

// Refused signs in, if that lets a request in.
func (a *access) Refused(ctx context.Context, r streamhttp.Refusal) streamhttp.Verdict {
	if r.Quiet {
		return streamhttp.Verdict{Again: a.coordinator.IsNewer(ctx, r.Generation)}
	}
	budget := signin.Budget(r.Admission)
	err := a.coordinator.Challenged(ctx, signin.Refusal{Status: r.Status, Header: r.Header, Gen: r.Generation}, &budget)
	if err == nil {
		return streamhttp.Verdict{Again: true, Admission: mcpwire.Admission(budget)}
	}
	e, ok := errors.AsType[*signin.Error](err)
	if !ok {
		return streamhttp.Verdict{Cause: mcpwire.CauseSignInError}
	}
	return streamhttp.Verdict{Cause: e.Cause, After: e.After}
}

// initialized says that the client is at work: from now on nothing is opened that the person
// was not asked about, which is impossible where the client cannot ask.
func (a *access) initialized(canAsk bool) {
	if canAsk {
		a.coordinator.Initialized(&consent{a.session, a.host})
	} else {
		a.coordinator.Initialized(nil)
	}
}

// begin tells s, and the client of the server, of each new token, until close.
func (a *access) begin(s *session.Session, c *streamhttp.Client) {
	a.session = s
	a.stopped = s.Go(func() {
		e := s.NewEntrant()
		for {
			_, changed := a.coordinator.Generation()
			select {
			case <-changed:
				c.SignedIn()
				e.SignedIn()
				e.Flush(false)
			case <-a.stop:
				return
			}
		}
	})
}

// lastRefresh is what a refresh that is on its way gets at the end of a session.
const lastRefresh = 2 * time.Second

// settle waits for the answer to a refresh.
func (a *access) settle() { a.coordinator.Settle(lastRefresh) }

// close gives up a sign-in that is on its way.
func (a *access) close() {
	close(a.stop)
	<-a.stopped
	a.coordinator.Close()
}
