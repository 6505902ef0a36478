package signin

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// An attempt is one sign-in, from the challenge to the token.
type attempt struct {
	o         *Options
	account   *account
	discovery *discovery
	challenge Challenge
	before    scopes        // of the sign-in that this one follows
	seen      kept          // that sign-in, or nothing
	consent   Consent       // nil: the browser is opened
	prepared  time.Duration // that the requests before the user is asked have taken
	asked     bool          // the user was shown something
	pending   *pending      // once everything is decided
}

// run signs in. If somebody else has done so meanwhile, it is that sign-in.
func (a *attempt) run(ctx context.Context) (kept, *Error) {
	found, s, err := a.discover(ctx)
	if err != nil {
		return kept{}, err
	}
	release, ended := a.lock(ctx)
	if ended != nil {
		return kept{}, ended
	}
	defer release()
	if k, ok := a.account.load(ctx); ok && a.isAnswer(k) {
		return k, nil
	}
	receiver, err := a.listen(ctx)
	if err != nil {
		return kept{}, err
	}
	defer receiver.Close()
	u, err := a.prepare(ctx, receiver, found, s)
	if err != nil {
		return kept{}, err
	}
	redirect, failure := a.flow().Run(ctx, receiver, u)
	if failure != nil {
		return kept{}, fromLoopback(failure)
	}
	return a.finish(ctx, redirect)
}

// preparing limits the requests before the user is asked, which share a time. The wait for
// another process between them does not count.
func (a *attempt) preparing(ctx context.Context) (limited context.Context, done func()) {
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, prepareTime-a.prepared)
	return limited, func() {
		cancel()
		a.prepared += time.Since(began)
	}
}

// discover finds out who gives tokens.
func (a *attempt) discover(ctx context.Context) (resource, authServer, *Error) {
	ctx, done := a.preparing(ctx)
	defer done()
	r, err := a.discovery.resource(ctx, a.challenge)
	if err != nil {
		return r, authServer{}, err
	}
	issuer, err := chooseIssuer(r.issuers, a.o.Client.Issuer, a.seen.issuer)
	if err != nil {
		return r, authServer{}, err
	}
	s, err := a.discovery.authServer(ctx, issuer)
	return r, s, err
}

// isAnswer reports whether a sign-in that is kept has come after the one that this follows,
// and is for what this one would ask for.
func (a *attempt) isAnswer(k kept) bool {
	return k.follows(a.seen) && !k.access.IsZero() && !k.access.Equal(a.seen.access) && k.requested.covers(parseScopes(a.challenge.Scope))
}

// lock waits for other processes as long as for a user, or until one of them has signed in
// for this one: it may go on to ask for more, which need not be waited for.
func (a *attempt) lock(ctx context.Context) (release func(), err *Error) {
	limited, cancel := context.WithTimeout(ctx, a.o.Timeout)
	defer cancel()
	say := sync.OnceFunc(func() { a.o.tell(Event{Kind: Waits}) })
	release, ended := lockPort(limited, a.o.PortLock, func() bool {
		say()
		k, ok := a.account.load(limited)
		return ok && a.isAnswer(k)
	})
	switch {
	case ctx.Err() != nil:
		return release, &Error{Cause: mcpwire.CauseSignInAborted, err: ctx.Err()}
	case ended != nil:
		return release, &Error{Cause: mcpwire.CauseRedirectPortInUse, Port: a.o.RedirectPort}
	}
	return release, nil
}

// listen makes the receiver, whose state is that of the attempt.
func (a *attempt) listen(ctx context.Context) (*oauthloopback.Receiver, *Error) {
	a.pending = &pending{state: newState(), verifier: newVerifier()}
	r, err := oauthloopback.Listen(ctx, oauthloopback.Config{
		Port: a.o.RedirectPort, State: oauthloopback.NewSecret(a.pending.state.Expose()), Timeout: a.o.Timeout, AppName: appName,
		AllowLoopbackHTTP: a.o.AllowLoopbackHTTP, OnEvent: a.event, Go: a.o.Go,
	})
	if err != nil {
		return nil, fromLoopback(err)
	}
	return r, nil
}

// prepare decides what to ask for, and makes the URL of the request.
func (a *attempt) prepare(ctx context.Context, r *oauthloopback.Receiver, found resource, s authServer) (oauthloopback.AuthURL, *Error) {
	ctx, done := a.preparing(ctx)
	defer done()
	p := a.pending
	p.server, p.resource, p.redirect = s, a.o.resource(found), r.RedirectURI()
	reg := &registration{web: a.account.web, clients: clientStore{a.account.vault}, options: a.o.Client, redirect: p.redirect}
	var err *Error
	if p.client, err = reg.client(ctx, s); err != nil {
		err.Redirect = p.redirect
		return oauthloopback.AuthURL{}, err
	}
	p.scopes = want{a.before, parseScopes(a.challenge.Scope), found.scopes, a.o.Scopes}.scopes()
	if s.hasOffline() && !reg.clients.get(ctx, s.issuer, p.redirect).omitOffline {
		p.consent = true
		p.scopes = p.scopes.union([]string{scopeOffline})
	}
	u, failure := r.AuthURL(p.url())
	if failure != nil {
		return u, fromLoopback(failure)
	}
	return u, nil
}

// flow says how the user gets to the URL.
func (a *attempt) flow() oauthloopback.Flow {
	f := oauthloopback.Flow{Opener: a.o.Opener, Show: func(u oauthloopback.AuthURL) {
		a.asked = true
		a.o.Show(u)
	}}
	switch {
	case a.consent != nil:
		f.Delivery = oauthloopback.DeliverUser
		f.Ask = func(ctx context.Context, u oauthloopback.AuthURL) error {
			return a.consent.Ask(ctx, u, a.more())
		}
	case !a.o.NoBrowser:
		f.Delivery = oauthloopback.DeliverBrowser
	}
	return f
}

// more are the scopes, if it is for them that the server wants another sign-in.
func (a *attempt) more() string {
	if a.challenge.Error != insufficientScope {
		return ""
	}
	return a.pending.scopes.String()
}

// finish looks at a redirect, in this order: what it answers, who it is from, whether it is
// an error, and then at its code.
func (a *attempt) finish(ctx context.Context, redirect oauthloopback.Redirect) (kept, *Error) {
	p := a.pending
	if err := p.checkState(redirect.State()); err != nil {
		return kept{}, err
	}
	if err := p.checkIssuer(redirect.Iss()); err != nil {
		return kept{}, err
	}
	if code := redirect.ErrorCode(); code != "" {
		return kept{}, a.refused(ctx, code)
	}
	code := tokenvault.NewSecret([]byte(redirect.Code()))
	t, err := a.account.web.tokenRequest(ctx, p.server.token, p.exchangeForm(code), p.client.auth())
	if err != nil {
		a.disowned(ctx, err)
		return kept{}, err
	}
	k := a.account.save(ctx, p.record(t))
	a.o.tell(Event{Kind: SignedIn})
	if a.consent != nil {
		a.consent.Over()
	}
	return k, nil
}

// refused is the error of a redirect with an error code. A server that lists offline_access
// and refuses it is not asked for that again.
func (a *attempt) refused(ctx context.Context, code string) *Error {
	e := because(mcpwire.CauseSignInError)
	if isErrorCode(code) {
		e.Code = code
	}
	switch code {
	case "access_denied":
		return because(mcpwire.CauseSignInDenied)
	case "invalid_scope":
		if p := a.pending; p.consent {
			clients := clientStore{a.account.vault}
			k := clients.get(ctx, p.server.issuer, p.redirect)
			k.omitOffline = true
			clients.put(ctx, p.server.issuer, p.redirect, k)
		}
	}
	return e
}

// disowned forgets a client that its server does not know any more.
func (a *attempt) disowned(ctx context.Context, err *Error) {
	if p := a.pending; err.Code == "invalid_client" && p.client.source == sourceRegistered {
		clientStore{a.account.vault}.forget(ctx, p.server.issuer, p.redirect, p.client.id)
	}
}

// exitOf returns the exit code of the program that opens browsers.
func exitOf(e oauthloopback.Event) int {
	if e.Err == nil {
		return 0
	}
	return e.Err.ExitCode
}

func (a *attempt) event(e oauthloopback.Event) {
	switch e.Kind {
	case oauthloopback.BrowserFailed:
		a.o.tell(Event{Kind: BrowserFailed, ExitCode: exitOf(e)})
	case oauthloopback.LateStart:
		a.o.tell(Event{Kind: LateStart})
	}
}

// reasons are the causes of what ends the wait for a redirect.
var reasons = map[oauthloopback.Reason]mcpwire.Cause{
	oauthloopback.ReasonAddressInUse: mcpwire.CauseRedirectPortInUse,
	oauthloopback.ReasonInvalidURL:   mcpwire.CauseInvalidAuthorizationURL,
	oauthloopback.ReasonTimeout:      mcpwire.CauseSignInTimeout,
	oauthloopback.ReasonAborted:      mcpwire.CauseSignInAborted,
	oauthloopback.ReasonStartReused:  mcpwire.CauseSignInStartReused,
	oauthloopback.ReasonDeclined:     mcpwire.CauseSignInDeclined,
}

// fromLoopback is the error of the receiver, or of a question that could not be put.
func fromLoopback(err error) *Error {
	e, ok := errors.AsType[*oauthloopback.Error](err)
	if !ok {
		return because(mcpwire.CauseSignInError)
	}
	cause, ok := reasons[e.Reason]
	if !ok {
		cause = mcpwire.CauseSignInError
	}
	out := &Error{Cause: cause, err: e.Err}
	if cause == mcpwire.CauseRedirectPortInUse {
		out.Port = e.Port
	}
	return out
}
