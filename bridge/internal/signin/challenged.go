package signin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A Budget is what was done for one request, of which each is done once. It only grows.
type Budget uint8

const (
	adopted Budget = 1 << iota // it was sent with a newer token
	refreshed
	signedIn
	steppedUp
)

// spend notes that something is done. It reports false if it was done before.
func (b *Budget) spend(what Budget) bool {
	if *b&what != 0 {
		return false
	}
	*b |= what
	return true
}

// A Refusal is a response with the status 401 or 403.
type Refusal struct {
	Status int
	Header http.Header
	Gen    uint64 // of the token that was sent
}

// Challenged answers a refusal. Nil says that the request is to be sent again, with the
// token that there is then; otherwise the request has failed for good. It returns early
// with the cause [mcpwire.CauseSignInAborted] if ctx ends, and stops no sign-in that others
// wait for.
func (c *Coordinator) Challenged(ctx context.Context, r Refusal, b *Budget) error {
	var err *Error
	if challenge := ParseChallenge(r.Header); r.Status == http.StatusForbidden {
		err = c.forbidden(ctx, challenge, r.Gen, b)
	} else {
		err = c.unauthorized(ctx, challenge, r.Gen, b)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.wanted = nil
		return nil
	}
	switch err.Cause {
	case mcpwire.CauseSignInAborted:
	case mcpwire.CauseSignInCooldown:
		if c.wanted != nil {
			err.After = c.wanted.Cause
		}
	default:
		c.wanted = err
	}
	return err
}

// IsNewer reports whether there is a newer token than the one that a refused request was
// sent with. Nobody is asked for one.
func (c *Coordinator) IsNewer(ctx context.Context, gen uint64) bool {
	_, _, newer := c.newer(ctx, gen)
	return newer
}

// unauthorized answers a 401: by a token that is there already, by a refresh, or by a
// sign-in.
func (c *Coordinator) unauthorized(ctx context.Context, challenge Challenge, gen uint64, b *Budget) *Error {
	k, now, isNewer := c.newer(ctx, gen)
	if isNewer && b.spend(adopted) {
		return nil
	}
	stays := now != 0 && c.issuerStays(ctx, k, challenge)
	if stays && !k.refresh.IsZero() && isOld(k, time.Now()) && b.spend(refreshed) {
		_, _, err := c.refresh(ctx, k, now, true)
		if err == nil {
			return nil
		}
		if e, helps := signInHelps(err); !helps {
			return e
		}
		c.disowned(ctx, k, err)
	}
	if stays && c.isLoop(k, nil) || !b.spend(signedIn) {
		return because(mcpwire.CauseUpstreamUnauthorized)
	}
	return c.signIn(ctx, challenge, k)
}

// insufficientScope is the error of a challenge that wants more scopes (RFC 6750).
const insufficientScope = "insufficient_scope"

// forbidden answers a 403. Only one that names scopes which the token does not have, and
// which can be asked for beside those of before, is a reason to ask the user.
func (c *Coordinator) forbidden(ctx context.Context, challenge Challenge, gen uint64, b *Budget) *Error {
	if challenge.Error != insufficientScope {
		return because(mcpwire.CauseUpstreamForbidden)
	}
	k, _, isNewer := c.newer(ctx, gen)
	asked := parseScopes(challenge.Scope)
	switch {
	case isNewer && b.spend(adopted):
		return nil
	case k.granted.covers(asked), c.isLoop(k, asked), !k.requested.union(asked).covers(asked), !b.spend(steppedUp):
		return because(mcpwire.CauseInsufficientScope)
	}
	return c.signIn(ctx, challenge, k)
}

// newer returns what is used now, and whether that is newer than gen: since somebody in
// this process got it, or in another.
func (c *Coordinator) newer(ctx context.Context, gen uint64) (k kept, now uint64, isNewer bool) {
	k, now = c.have(ctx)
	if now > gen {
		return k, now, true
	}
	stored, ok := c.account.load(ctx)
	switch {
	case ok && stored.follows(k) && !stored.access.IsZero() && !stored.access.Equal(k.access):
		return stored, c.adopt(now, stored), true
	case ok && now == 0:
		return stored, now, false // without tokens, but with what was asked for
	}
	return k, now, false
}

// issuerStays reports whether the server still names the authorization server that the
// token is of. What cannot be read says nothing.
func (c *Coordinator) issuerStays(ctx context.Context, k kept, challenge Challenge) bool {
	r, err := c.discovery.resource(ctx, challenge)
	return err != nil || slices.ContainsFunc(r.issuers, func(issuer string) bool {
		return issuer == k.issuer || k.issuer == c.o.Client.Issuer && differInSlash(issuer, k.issuer)
	})
}

// signInHelps reports whether a sign-in helps after a refresh that gave nothing: where what
// was kept is worthless or gone, and not where it cannot be reached for the moment. If not,
// the error is what to tell.
func signInHelps(err error) (*Error, bool) {
	e, ok := errors.AsType[*refreshError](err)
	switch {
	case ok && e.signIn, errors.Is(err, tokenvault.ErrNotFound), errors.Is(err, tokenvault.ErrDamaged):
		return nil, true
	case ok:
		return e.why, false
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{Cause: mcpwire.CauseSignInAborted, err: err}, false
	}
	return because(mcpwire.CauseRefreshFailed), false
}

// disowned forgets a client that its server does not know any more.
func (c *Coordinator) disowned(ctx context.Context, k kept, err error) {
	e, ok := errors.AsType[*refreshError](err)
	if ok && k.client.source == sourceRegistered && (e.why.Code == "invalid_client" || e.why.Code == "unauthorized_client") {
		clientStore{c.o.Vault}.forget(ctx, k.issuer, k.redirect, k.client.id)
	}
}

// isLoop reports whether a server asks again for what the user has just agreed to.
func (c *Coordinator) isLoop(k kept, asked scopes) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.success.IsZero() && time.Since(c.success) < cooldown && k.requested.covers(asked)
}
