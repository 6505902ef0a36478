package signin

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// A process that waits for another one on its port takes the sign-in of that as soon as it
// is kept, also where the other one goes on to ask for more.
//
// req: S07, V07
func TestWaitEndsWithTheSignInOfAnother(t *testing.T) {
	p := newProvider(t)
	lock := filepath.Join(t.TempDir(), "port.lock")
	release, err := lockPort(t.Context(), lock, func() bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	defer release() // of a step-up that nobody answers
	other, _ := p.coordinator(t, nil)
	c, u := p.coordinator(t, func(o *Options) { o.PortLock, o.Vault = lock, other.o.Vault })
	ended := make(chan error)
	go func() { ended <- c.Challenged(t.Context(), refused(0), new(Budget)) }()
	for events := []Event(nil); len(events) == 0; time.Sleep(time.Millisecond) {
		_, events = u.saw()
	}
	other.signedIn(t)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if token, _ := c.Token(t.Context()); token.Expose() != "marker-access-1" || p.Count("/authorize") != 1 {
		t.Errorf("requests %q", p.Requests())
	}
}

// A process that has the port for too long is a port in use, and no user who is slow.
//
// req: S07
func TestWaitForAPortHasAnEnd(t *testing.T) {
	p := newProvider(t)
	lock := filepath.Join(t.TempDir(), "port.lock")
	release, err := lockPort(t.Context(), lock, func() bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	c, _ := p.coordinator(t, func(o *Options) {
		o.PortLock, o.Timeout = lock, 50*time.Millisecond
		o.Show = func(oauthloopback.AuthURL) { t.Error("the user was asked") }
	})
	wantCause(t, c.Challenged(t.Context(), refused(0), new(Budget)), mcpwire.CauseRedirectPortInUse)
}
