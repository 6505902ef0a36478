package signin

import (
	"testing"
	"time"
)

// A clock that was set back is no reason to ask the user: the token is refreshed, or what
// another session has got is used.
//
// req: S18, V07
func TestS18ClockThatIsSetBack(t *testing.T) {
	t.Run("refresh", func(t *testing.T) {
		p := newProvider(t)
		c, _ := p.coordinator(t, nil)
		gen := c.signedIn(t)
		c.age(-time.Hour)
		if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil || p.Count("/authorize") != 1 || p.Count("/token") != 2 {
			t.Errorf("%v, requests %q", err, p.Requests())
		}
	})
	t.Run("another session", func(t *testing.T) {
		p := newProvider(t)
		c, _ := p.coordinator(t, nil)
		gen := c.signedIn(t)
		k, _ := c.account.load(t.Context())
		k.access = secretOf("marker-access-other")
		if k := c.account.save(t.Context(), k.record); k.unkept {
			t.Fatal("not stored")
		}
		c.age(-time.Hour)
		asked := len(p.Requests())
		if err := c.Challenged(t.Context(), refused(gen), new(Budget)); err != nil || len(p.Requests()) != asked {
			t.Errorf("%v, requests %q", err, p.Requests()[asked:])
		}
		if token, _ := c.Token(t.Context()); token.Expose() != "marker-access-other" {
			t.Error("the token of the other session is not used")
		}
	})
}

// A sign-in that another process has made since this one was refused is the answer, also if it
// was there before the attempt began, or on another clock.
//
// req: S18, V07
func TestS18SignInOfAnotherProcess(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	c.signedIn(t)
	k, _ := c.account.load(t.Context())
	before := k.record
	k.access = secretOf("marker-access-other")
	if k := c.account.save(t.Context(), k.record); k.unkept {
		t.Fatal("not stored")
	}
	other, _ := c.account.load(t.Context())
	a := &attempt{seen: kept{record: before, rev: k.rev, saved: k.saved}}
	for _, tt := range []struct {
		name string
		of   func(k kept) kept
		want bool
	}{
		{"newer", func(k kept) kept { return k }, true},
		{"newer on a clock that was set back", func(k kept) kept { k.saved = k.saved.Add(-time.Hour); return k }, true},
		{"the one that was refused", func(kept) kept { return a.seen }, false},
		{"without a token", func(k kept) kept { k.access = secretOf(""); return k }, false},
		{"with the token that was refused", func(k kept) kept { k.access = before.access; return k }, false},
	} {
		if got := a.isAnswer(tt.of(other)); got != tt.want {
			t.Errorf("%s: isAnswer = %v, want %v", tt.name, got, tt.want)
		}
	}
	a.seen.unkept, a.seen.saved = true, other.saved.Add(time.Hour)
	if a.isAnswer(other) {
		t.Error("what was stored before a token that could not be is an answer")
	}
}
