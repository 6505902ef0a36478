package signin

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// A Coordinator has the token for a server, and gets a new one when the server asks: for
// all requests of a session at once, with at most one sign-in at a time. All methods may be
// called at the same time.
type Coordinator struct {
	o         Options
	account   *account
	discovery *discovery
	early     time.Duration // before a token expires

	ctx    context.Context // of every sign-in
	cancel context.CancelFunc
	unkept sync.Once // something could not be stored

	mu      sync.Mutex // guards the fields below
	current kept       // what is used
	gen     uint64     // of current; 0: there is none
	changed chan struct{}
	loaded  bool
	tried   uint64    // gen that was refreshed early
	running *running  // or nil
	last    *running  // that was begun last, which may be over
	later   bool      // the session is initialized: nothing is opened unasked
	consent Consent   // that asks then, or nil
	until   time.Time // nobody is asked before
	vain    vain
	success time.Time // of the last sign-in
	wanted  *Error    // why the last challenge was not answered
}

// running is a sign-in on its way.
type running struct {
	attempt *attempt
	waiters int
	cancel  context.CancelFunc
	done    <-chan struct{} // closed when it is over; then the fields below count
	err     *Error
	kept    kept
}

// New returns a Coordinator. It is closed by Close.
func New(o Options) *Coordinator {
	w := web{o.HTTP}
	c := &Coordinator{
		o: o, changed: make(chan struct{}), early: refreshEarly - refreshSpread + rand.N(2*refreshSpread),
		account: &account{
			start: o.Go, web: w, vault: o.Vault, id: signInID(o.Account, o.URL), server: o.URL, options: o.Client, label: o.Account,
		},
		discovery: &discovery{web: w, server: o.URL, policy: o.Policy, loopback: o.AllowLoopbackHTTP},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Settle returns when no refresh token is being spent, or after limit. It is called before
// the connections are closed: what a server has rotated is lost without its answer.
func (c *Coordinator) Settle(limit time.Duration) { c.account.spending.wait(limit) }

// Close gives up a sign-in that is on its way, and returns when it is over.
func (c *Coordinator) Close() {
	c.cancel()
	c.mu.Lock()
	last := c.last
	c.mu.Unlock()
	if last != nil {
		<-last.done // it has waited for those before
	}
}

// Initialized says that the session is at work: from now on nothing is opened that the user
// was not asked about. consent is nil where the user cannot be asked.
func (c *Coordinator) Initialized(consent Consent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.later, c.consent = true, consent
}

// Token returns the token to send, and which one it is. It is empty where there is none.
// One that is about to expire is refreshed first; if that does not help, it is sent all the
// same, since only the server knows.
func (c *Coordinator) Token(ctx context.Context) (token tokenvault.Secret, gen uint64) {
	k, gen := c.have(ctx)
	if gen == 0 {
		return tokenvault.Secret{}, 0
	}
	if c.isEarly(k, gen) {
		if newer, now, err := c.refresh(ctx, k, gen, k.isExpired(time.Now())); err == nil {
			k, gen = newer, now
		}
	}
	return k.access, gen
}

// Generation returns which token there is, and what is closed when there is another.
func (c *Coordinator) Generation() (gen uint64, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gen, c.changed
}

// have returns what is used, which the first time is what is kept.
func (c *Coordinator) have(ctx context.Context) (kept, uint64) {
	c.mu.Lock()
	loaded := c.loaded
	c.mu.Unlock()
	if !loaded {
		k, ok := c.account.load(ctx)
		c.mu.Lock()
		if c.loaded = true; ok && c.gen == 0 && !(k.access.IsZero() && k.refresh.IsZero()) {
			c.take(k)
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current, c.gen
}

// take makes k what is used. The caller holds the lock.
func (c *Coordinator) take(k kept) {
	c.current = k
	c.gen++
	close(c.changed)
	c.changed = make(chan struct{})
}

// refresh refreshes k, which is gen, and makes what comes of it what is used. See
// [account.refresh].
func (c *Coordinator) refresh(ctx context.Context, k kept, gen uint64, dead bool) (newer kept, now uint64, err error) {
	newer, err = c.account.refresh(ctx, k, dead)
	if err != nil {
		return k, gen, err
	}
	c.noteStored(newer)
	return newer, c.adopt(gen, newer), nil
}

// noteStored tells a person of the first k that could not be stored.
func (c *Coordinator) noteStored(k kept) {
	if k.unkept {
		c.unkept.Do(func() { c.o.tell(Event{Kind: NotStored}) })
	}
}

// adopt makes k what is used instead of gen, unless there is another by now. It returns
// which one k is.
func (c *Coordinator) adopt(gen uint64, k kept) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gen == gen {
		c.take(k)
	}
	return c.gen
}

// isEarly reports whether a token is to be refreshed before the server refuses it, which is
// tried once for each.
func (c *Coordinator) isEarly(k kept, gen uint64) bool {
	now := time.Now()
	if k.refresh.IsZero() || !k.access.IsZero() && (k.expires.IsZero() || now.Before(k.expires.Add(-c.early))) || !isOld(k, now) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tried == gen {
		return false
	}
	c.tried = gen
	return true
}

// isOld reports whether an answer of the token endpoint is old enough to ask for the next.
// One from long after now was given before the clock was set back.
func isOld(k kept, now time.Time) bool { return now.Sub(k.saved).Abs() >= refreshFloor }

// signIn waits for a sign-in with these scopes, which is begun if there is none. One that was
// for other scopes is followed by another, which asks for those as well.
func (c *Coordinator) signIn(ctx context.Context, challenge Challenge, seen kept) *Error {
	asked := parseScopes(challenge.Scope)
	for {
		r, err := c.join(challenge, seen)
		if err != nil {
			return err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			c.leave(r)
			return &Error{Cause: mcpwire.CauseSignInAborted, err: ctx.Err()}
		}
		if r.err != nil || r.attempt.challenge == challenge || r.kept.requested.covers(asked) {
			return r.err
		}
		seen = r.kept
	}
}

// join returns the sign-in that is on its way, or a new one.
func (c *Coordinator) join(challenge Challenge, seen kept) (*running, *Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.running; r != nil {
		r.waiters++
		return r, nil
	}
	if err := c.gate(); err != nil {
		return nil, err
	}
	r := &running{waiters: 1, err: because(mcpwire.CauseSignInAborted), attempt: &attempt{
		o: &c.o, account: c.account, discovery: c.discovery, challenge: challenge, before: seen.requested, seen: seen, consent: c.consent,
	}}
	var ctx context.Context
	ctx, r.cancel = context.WithCancel(c.ctx)
	before := c.last
	c.running, c.last = r, r
	r.done = c.o.Go(func() {
		if before != nil {
			<-before.done // and with it the port
		}
		c.lead(ctx, r)
	})
	return r, nil
}

// gate says whether a sign-in may begin. The caller holds the lock.
func (c *Coordinator) gate() *Error {
	switch {
	case c.ctx.Err() != nil:
		return &Error{Cause: mcpwire.CauseSignInAborted, err: c.ctx.Err()}
	case c.o.Sandboxed:
		return because(mcpwire.CauseSignInSandbox)
	case time.Now().Before(c.until):
		return because(mcpwire.CauseSignInCooldown)
	case c.later && c.consent == nil:
		return because(mcpwire.CauseSignInNoConsent)
	case c.later:
		return c.vain.still(time.Now())
	}
	return nil
}

// vain is how attempts have ended before the user could be asked. At work, servers are not
// asked for the same again with each request (B49); a person who starts a session is not
// kept waiting.
type vain struct {
	count int
	until time.Time
	why   Error
}

// note takes the end of an attempt.
func (v *vain) note(a *attempt, err *Error, now time.Time) {
	switch {
	case err == nil || a.asked:
		*v = vain{}
	case err.Cause != mcpwire.CauseSignInAborted:
		v.why, v.until = *err, now.Add(min(retryLeast<<min(v.count, 10), retryMost))
		v.count++
	}
}

// still returns why it is too early for another one.
func (v *vain) still(now time.Time) *Error {
	if !now.Before(v.until) {
		return nil
	}
	why := v.why
	return &why
}

// leave takes a waiter away. A sign-in that nobody waits for is given up.
func (c *Coordinator) leave(r *running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.waiters--; r.waiters == 0 {
		r.cancel()
		if c.running == r {
			c.running = nil // who comes now wants another one
		}
	}
}

// lead is the goroutine of a sign-in.
func (c *Coordinator) lead(ctx context.Context, r *running) {
	defer r.cancel()
	k, err := r.attempt.run(ctx)
	if err != nil && err.Cause != mcpwire.CauseSignInAborted {
		c.o.tell(Event{Kind: NotSignedIn, Err: err})
	}
	c.noteStored(k)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == r {
		c.running = nil
	}
	r.kept, r.err = k, err
	c.vain.note(r.attempt, err, time.Now())
	if err == nil {
		c.take(k)
		c.success, c.wanted = time.Now(), nil
	} else if r.attempt.cools(err) {
		c.until = time.Now().Add(cooldown)
	}
}

// cools reports whether the user, who was asked at work, is left alone for a while.
func (a *attempt) cools(err *Error) bool {
	return a.consent != nil && a.asked && err.Cause != mcpwire.CauseSignInAborted && err.Cause != mcpwire.CauseSignInStartReused
}
