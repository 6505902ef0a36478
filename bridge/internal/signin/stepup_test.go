package signin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// Requests that want different scopes at the same time are sign-ins one after the other, and
// none loses what the one before was for.
//
// req: S18
func TestS18StepUpsAtTheSameTime(t *testing.T) {
	p := newProvider(t)
	c, u := p.coordinator(t, nil)
	gen := c.signedIn(t)
	both := make(chan bool)
	c.Initialized(&asking{answer: func(ctx context.Context, a oauthloopback.AuthURL) error {
		<-both
		return u.browser.Visit(ctx, a)
	}})
	ended := make(chan error, 2)
	for _, scope := range []string{"a", "b"} {
		go func() { ended <- c.Challenged(t.Context(), short(gen, scope), new(Budget)) }()
	}
	for waiters := 0; waiters < 2; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		if c.running != nil {
			waiters = c.running.waiters
		}
		c.mu.Unlock()
	}
	close(both)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	asked := p.Asked("/authorize")
	last := strings.Fields(asked[len(asked)-1].Query.Get("scope"))
	slices.Sort(last)
	if len(asked) != 3 || !slices.Equal(last, []string{"a", "b"}) {
		t.Errorf("%d authorization requests, the last for %q", len(asked), last)
	}
}

// A server that wants more scopes than are ever asked for does not have the user asked again
// and again: not at all for a step-up, which could not give them, and once for a token.
//
// req: S05, S18
func TestS05MoreScopesThanAreAskedFor(t *testing.T) {
	p := newProvider(t)
	var many []string
	for i := range maxScopes {
		many = append(many, fmt.Sprintf("s%d", i))
	}
	p.Resource["scopes_supported"] = many
	c, u := p.coordinator(t, nil)
	gen := c.signedIn(t)
	questions := 0
	c.Initialized(&asking{answer: func(ctx context.Context, a oauthloopback.AuthURL) error {
		if questions++; questions > 3 {
			return errors.New("the user has left")
		}
		return u.browser.Visit(ctx, a)
	}})
	c.age(2 * time.Minute)
	wantCause(t, c.Challenged(t.Context(), short(gen, "more"), new(Budget)), mcpwire.CauseInsufficientScope)
	if questions != 0 {
		t.Errorf("the user was asked %d times for scopes that are not asked for", questions)
	}
	b := new(Budget)
	b.spend(refreshed)
	r := refused(gen)
	r.Header.Set("WWW-Authenticate", `Bearer scope="more"`)
	if err := c.Challenged(t.Context(), r, b); err != nil || questions != 1 {
		t.Errorf("%v, and the user was asked %d times, want once", err, questions)
	}
}
