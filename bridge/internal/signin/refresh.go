package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// An account is the sign-in of an account at a server, as it is kept.
type account struct {
	start   func(f func()) <-chan struct{} // starts a goroutine that recovers
	web     web
	vault   tokenvault.Store
	id      tokenvault.ID
	server  *url.URL
	options ClientOptions
	label   string

	spending spending
}

// kept is a record in one version.
type kept struct {
	record
	rev    tokenvault.Revision
	saved  time.Time
	unkept bool // it could not be stored
}

// follows reports whether k, which is stored, has come after seen. Times say so only where
// seen was not stored: clocks are set back.
func (k kept) follows(seen kept) bool {
	return k.rev != seen.rev && !(seen.unkept && k.saved.Before(seen.saved))
}

// load returns the sign-in that is kept, if there is one of the client that is meant.
func (a *account) load(ctx context.Context) (kept, bool) {
	e, err := a.vault.Get(ctx, a.id)
	if err != nil {
		return kept{}, false
	}
	return a.read(e)
}

func (a *account) read(e tokenvault.Entry) (kept, bool) {
	r, ok := decodeRecord(e)
	return kept{record: r, rev: e.Rev, saved: e.SavedAt}, ok && r.isFor(a.options)
}

// save keeps a sign-in that is new, whatever was there, if it can.
func (a *account) save(ctx context.Context, r record) kept {
	rev, err := a.vault.Put(ctx, a.id, r.encode(a.server), tokenvault.PutOptions{
		ExpiresAt: r.expires, Label: a.label,
		Meta: map[string]string{kindKey: kindSignIn, metaOrigin: originOf(a.server), "issuer": r.issuer},
	})
	return kept{r, rev, time.Now(), err != nil}
}

// A refreshError is why there is no new token.
type refreshError struct {
	why     *Error
	unspent bool // the refresh token was surely not spent
	signIn  bool // only a new sign-in helps
}

// errSpent is the error of a sign-in that nothing can be made of any more.
func errSpent() *refreshError {
	return &refreshError{why: because(mcpwire.CauseRefreshFailed), unspent: true, signIn: true}
}

// Is makes a refreshError an ErrKeep for the vault, where that is true.
func (e *refreshError) Is(target error) bool { return target == tokenvault.ErrKeep && e.unspent }

// Error returns the text of what it comes of.
func (e *refreshError) Error() string { return e.why.Error() }

// Unwrap returns that.
func (e *refreshError) Unwrap() error { return e.why }

// refresh spends the refresh token of a version, or takes over what somebody else has got
// for it meanwhile. dead says that the access token of that version is of no use any more.
//
// A record that could not be stored is good, and only the caller has it. A *refreshError
// says whether a sign-in helps.
func (a *account) refresh(ctx context.Context, seen kept, dead bool) (kept, error) {
	auth, ok := a.auth(ctx, seen.record)
	if !ok {
		return seen, errSpent()
	}
	e, _, err := a.vault.Refresh(ctx, a.id, seen.rev, func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		r, ok := decodeRecord(e)
		if !ok || r.refresh.IsZero() {
			return tokenvault.Secret{}, time.Time{}, errSpent()
		}
		err := error(&refreshError{why: because(mcpwire.CauseSignInAborted)}) // of a panic
		<-a.start(func() { r, err = a.spend(ctx, r, auth, dead) })
		if err != nil {
			return tokenvault.Secret{}, time.Time{}, err
		}
		return r.encode(a.server), r.expires, nil
	})
	if err != nil && !errors.Is(err, tokenvault.ErrNotPersisted) {
		return seen, err
	}
	got, ok := a.read(e)
	got.unkept = err != nil
	switch {
	case !ok, !got.follows(seen), got.access.IsZero(), got.refresh.IsZero() && got.access.Equal(seen.access):
		return got, errSpent()
	}
	return got, nil
}

// spend makes the request. A refresh token that the server does not take any more is
// cleared; who has signed in, and for what, stays.
func (a *account) spend(ctx context.Context, r record, auth ClientAuth, dead bool) (record, error) {
	endpoint, err := url.Parse(r.endpoint)
	if err != nil {
		return r, errSpent()
	}
	form := url.Values{"grant_type": {grantRefresh}, "refresh_token": {r.refresh.Expose()}}
	if r.resource != "" {
		form.Set("resource", r.resource)
	}
	defer a.spending.begin()()
	t, failure := a.web.tokenRequest(ctx, endpoint, form, auth)
	switch {
	case failure == nil:
		return r.with(t), nil
	case failure.Code == "invalid_grant":
		r.refresh = tokenvault.Secret{}
		if dead {
			r.access = tokenvault.Secret{}
		}
		return r, nil
	}
	return r, refreshFailure(failure)
}

// refreshFailure says what the answer of a token endpoint means for a refresh: that of a
// server which does not want this client or this request is final, also where its status
// is that of a yes; the others pass.
func refreshFailure(f *Error) *refreshError {
	final := f.Status >= 400 && f.Status < 500 && !slices.Contains([]int{http.StatusRequestTimeout, http.StatusTooManyRequests}, f.Status) ||
		f.Status == http.StatusOK && f.Code != "" ||
		f.Cause == mcpwire.CauseTokenTypeUnsupported
	e := *f
	if e.Cause != mcpwire.CauseSignInAborted {
		e.Cause = mcpwire.CauseRefreshFailed
	}
	return &refreshError{&e, f.unsent || final, final}
}

// auth returns how the client of a record proves itself. It reports false if the secret
// that this takes is gone.
func (a *account) auth(ctx context.Context, r record) (ClientAuth, bool) {
	c := r.client
	switch c.source {
	case sourceConfigured:
		c.secret = a.options.Secret
	case sourceRegistered:
		k := (clientStore{a.vault}).get(ctx, r.issuer, r.redirect)
		if k.id != c.id && c.method != methodNone {
			return nil, false
		}
		c.secret = k.secret
	}
	return c.auth(), c.method == methodNone || !c.secret.IsZero()
}
