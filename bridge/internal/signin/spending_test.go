package signin

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Who leaves a session does not lose a token that is being renewed: the answer is awaited
// before the connections are closed, and kept.
//
// req: S22, V07
func TestS22RefreshAtTheEnd(t *testing.T) {
	p := newProvider(t)
	c, _ := p.coordinator(t, nil)
	gen := c.signedIn(t)
	c.age(time.Minute)
	asked, answer := make(chan bool), make(chan bool)
	p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-answer
		all := p.Asked("/token")
		p.Exchange(w, all[len(all)-1])
	}
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Challenged(ctx, refused(gen), new(Budget)) }()
	<-asked
	leave()
	wantCause(t, <-ended, mcpwire.CauseSignInAborted)
	settled := make(chan bool)
	go func() {
		c.Settle(time.Minute)
		close(settled)
	}()
	select {
	case <-settled:
		t.Error("nobody waits for the answer")
	case <-time.After(10 * time.Millisecond):
	}
	close(answer)
	<-settled
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if k, ok := c.account.load(t.Context()); ok && k.access.Expose() == "marker-access-2" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the token is lost")
		}
	}
}

// The wait has an end, and there is none where nothing is spent.
//
// req: P02
func TestSettleHasAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s spending
		start := time.Now()
		s.wait(time.Hour)
		end := s.begin()
		also := s.begin()
		s.wait(2 * time.Second)
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("waited for %v, want 2s", d)
		}
		go func() {
			time.Sleep(time.Second)
			also()
			time.Sleep(time.Second)
			end()
		}()
		s.wait(time.Hour)
		if d := time.Since(start); d != 4*time.Second {
			t.Errorf("waited for %v, want 4s", d)
		}
		s.wait(time.Hour)
	})
}
